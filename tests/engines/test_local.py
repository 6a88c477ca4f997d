"""`split` in one call: it remembers what it cut, unless it is asked not to."""

from collections.abc import Iterator

import pytest

import cleanbreak as cb


class CountingWords:
    """Counts words, and how often it was asked; it has a name, so that answers may be kept."""

    name = "test:words"

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, text: str, /) -> int:
        self.calls += 1
        return len(text.split())


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    cb.clear_cache()
    yield
    cb.clear_cache()


def cut(measure: CountingWords, *, use_cache: bool = True) -> list[cb.Chunk]:
    return cb.split(
        "One. Two. Three.", "sentences", max_tokens=2, measure=measure, use_cache=use_cache
    )


def test_the_second_call_counts_nothing() -> None:
    """The same text and settings are answered from memory."""
    measure = CountingWords()
    first, calls = cut(measure), measure.calls
    assert calls > 0
    assert (cut(measure), measure.calls) == (first, calls)


def test_use_cache_false_neither_keeps_nor_asks() -> None:
    """It cuts each time, whether or not the answer is remembered."""
    measure = CountingWords()
    cut(measure, use_cache=False)
    calls = measure.calls
    for times, use_cache in ((2, False), (3, True), (3, True), (4, False)):
        cut(measure, use_cache=use_cache)
        assert measure.calls == times * calls


def test_clear_cache_forgets() -> None:
    """After it the text is cut again."""
    measure = CountingWords()
    cut(measure)
    calls = measure.calls
    cb.clear_cache()
    cut(measure)
    assert measure.calls == 2 * calls


def test_a_splitter_remembers_nothing() -> None:
    """`split` of a splitter means the same on each of them: it cuts."""
    measure = CountingWords()
    splitter = cb.SentenceSplitter(max_tokens=2, measure=measure)
    splitter.split("One. Two. Three.")
    calls = measure.calls
    splitter.split("One. Two. Three.")
    assert measure.calls == 2 * calls


def test_settings_are_those_of_the_splitter_named() -> None:
    """A setting of another splitter is refused, with the settings that there are."""
    assert [chunk.text for chunk in cb.split("One. Two.", chunk_size=5)] == ["One.", " Two."]
    with pytest.raises(ValueError, match="has no setting max_tokens; it has chunk_size, "):
        cb.split("One. Two.", max_tokens=5)
