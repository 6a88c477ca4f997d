"""`Counter` and the search for the limit: every count is the measure's own, by any measure."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleanbreak.core.measures.measure import (
    CHARACTERS,
    FunctionMeasure,
    Measure,
    as_measure,
    where_counts_add_up,
)
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.limit import furthest, furthest_end, furthest_start
from strategies import texts
from tokenizers_for_tests import MAKE

PROSE = (
    "He wrote, as ever, of the wind; it rose. “Don't go,” she said.\n\nNo. 7 was 3.14 miles on. "
)


def measure_of(kind: str) -> Measure:
    """A tokenizer, or one of the measures that need none."""
    return as_measure(MAKE[kind]() if kind in MAKE else kind)


KINDS = [*sorted(MAKE), "words", "characters"]


class Asked:
    """A measure that notes how much text it is asked about."""

    name = None

    def __init__(self, measure: Measure, *, adds_up: bool = True) -> None:
        self._measure = measure
        self.adds_up = where_counts_add_up(measure) if adds_up else None
        self.characters = self.calls = 0

    def __call__(self, text: str, /) -> int:
        """The measure's count, noted."""
        self.characters += len(text)
        self.calls += 1
        return self._measure(text)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30, deadline=None)
@given(
    text=texts.map(lambda text: PROSE + text + PROSE * 30 + text),
    asks=st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3000)), max_size=12),
    data=st.data(),
)
def test_counts_are_the_measures_own(
    kind: str, text: str, asks: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Sums of parts are given only where they are what the measure says of the whole stretch."""
    measure = measure_of(kind)
    counter = Counter(text, measure)
    for ask in asks:
        start, end = sorted(min(offset, len(text)) for offset in ask)
        assert counter.count(start, end) == measure(text[start:end])
        if data.draw(st.integers(0, 3)) == 0:
            counter.forget(start)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30, deadline=None)
@given(text=texts, start=st.integers(0, 40), limit=st.integers(1, 60))
def test_nothing_fits_beyond_the_furthest_end(kind: str, text: str, start: int, limit: int) -> None:
    """Where counts add up, no cut that fits lies beyond it; it is the end if all fits."""
    measure = measure_of(kind)
    start = min(start, len(text))
    end = furthest_end(Counter(text, measure), start, len(text), limit)
    if measure(text[start:]) <= limit and end == len(text):
        return
    assert start <= end < len(text)
    assert measure(text[start : end + 1]) > limit


@pytest.mark.parametrize("blanks", [" ", "   ", " \n\n "])
def test_a_word_before_the_last_blanks_is_not_passed_by(blanks: str) -> None:
    """`e.g. thi` counts for more than `e.g. this `, and no place behind the blank proved anything."""
    measure = measure_of("split unigram")
    text = f"e.g. this{blanks}a"
    end = furthest_end(Counter(text, measure), 0, len(text), 6)
    assert measure(text[:-1]) == 6
    assert end == len(text) - 1


@settings(deadline=None)
@given(text=texts, end=st.integers(0, 60), limit=st.integers(1, 60))
def test_the_furthest_start_is_exact(text: str, end: int, limit: int) -> None:
    """For a measure that grows with the text, whether or not it says that its counts add up."""
    end = min(end, len(text))
    for measure in (CHARACTERS, FunctionMeasure(lambda part: len(part))):
        assert furthest_start(Counter(text, measure), end, limit) == max(0, end - limit)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30, deadline=None)
@given(text=texts, asked=st.integers(0, 400), limit=st.integers(1, 60))
def test_the_furthest_start_does_not_depend_on_what_was_asked_before(
    kind: str, text: str, asked: int, limit: int
) -> None:
    """At the start of a word, as counts only grow from one place where they add up to another."""
    measure = measure_of(kind)
    text = PROSE + text + PROSE * 3
    fresh, used = Counter(text, measure), Counter(text, measure)
    used.count(0, min(asked, len(text)))
    start = furthest_start(fresh, len(text) - 50, limit)
    assert furthest_start(used, len(text) - 50, limit) == start
    assert measure(text[start : len(text) - 50]) <= limit


@given(
    ends=st.sets(st.integers(1, 500), min_size=1).map(sorted),
    limit=st.integers(1, 600),
    adds_up=st.booleans(),
)
def test_the_last_distance_that_fits_is_found(ends: list[int], limit: int, adds_up: bool) -> None:
    """However the distances lie; they are only looked for as far as needed."""
    text = "a " * 250
    measure = as_measure("characters") if adds_up else FunctionMeasure(lambda part: len(part))

    def distances(reach: int) -> list[int]:
        beyond = [end for end in ends if end > reach]
        return [end for end in ends if end <= reach] + beyond[:1]

    fitting = [end for end in ends if end <= limit]
    assert furthest(Counter(text, measure), 0, distances, limit) == max(fitting, default=0)


def test_what_was_counted_is_not_counted_again() -> None:
    """Every stretch between words of one text costs little more than one pass together."""
    text = PROSE * 200
    asked = Asked(measure_of("cl100k"))
    counter = Counter(text, asked)
    step = 500
    for start in range(0, len(text) - 4 * step, step):
        for end in range(start + 4 * step, start, -step):
            counter.count(start, end)
    assert asked.characters < 1.5 * len(text)


def test_a_counter_keeps_no_more_than_it_needs() -> None:
    """Memory does not grow with the text: what lies before the chunk is dropped."""
    text = PROSE * 2000
    counter = Counter(text, measure_of("cl100k"))
    kept = []
    for start in range(0, len(text) - 3000, 3000):
        counter.count(start, start + 3000)
        counter.forget(start)
        kept.append(len(counter._marks) + len(counter._counts))
    assert max(kept) < 20


def test_far_too_long_a_stretch_is_not_counted_whole() -> None:
    """A text that is one sentence is not counted to its end for each chunk."""
    text = "word " * 100_000
    for adds_up in (True, False):
        asked = Asked(as_measure("words"), adds_up=adds_up)
        assert not Counter(text, asked).fits(0, len(text), 100)
        assert asked.characters < 5000
