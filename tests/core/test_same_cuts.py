"""The same settings cut alike: after pickling, and by `len` under another name (law 7)."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleanbreak import (
    BoundarySplitter,
    CodeSplitter,
    MarkdownSplitter,
    SentenceSplitter,
    TokenSplitter,
)
from strategies import notes, texts
from tokenizers_for_tests import MAKE

MEASURED: dict[str, Callable[[Any, int, int], Any]] = {
    "sentences": lambda measure, size, overlap: SentenceSplitter(
        max_tokens=size, measure=measure, overlap_percent=overlap, oversize="emit", language="en"
    ),
    "markdown": lambda measure, size, overlap: MarkdownSplitter(
        size, overlap, measure, oversize="emit"
    ),
    "markdown, small sections joined": lambda measure, size, overlap: MarkdownSplitter(
        size, overlap, measure, merge_small=size // 2, oversize="emit"
    ),
    "code": lambda measure, size, overlap: CodeSplitter(
        size, "rust", measure, overlap, oversize="emit"
    ),
    "tokens": lambda measure, size, overlap: TokenSplitter(size, measure, overlap, oversize="emit"),
}

any_text = st.one_of(texts, notes)
sizes = st.integers(1, 40)
overlaps = st.integers(0, 30)


def length(text: str) -> int:
    """`len`, but nothing shows that it is."""
    return sum(1 for _ in text)


def rows(splitter: Any, text: str) -> list[tuple[object, ...]]:
    """All that a chunk says of where it was cut."""
    return [
        (c.start, c.end, len(c.overlap_text), c.oversize, c.break_level)
        for c in splitter.split(text)
    ]


@pytest.mark.parametrize("kind", MEASURED)
@settings(deadline=None)
@given(text=any_text, size=sizes, overlap=overlaps)
def test_a_function_that_gives_the_length_cuts_as_characters(
    kind: str, text: str, size: int, overlap: int
) -> None:
    """Neither how a measure is recognised nor how far a search went decides where a cut falls."""
    in_characters, by_len, by_function = (
        rows(MEASURED[kind](measure, size, overlap), text)
        for measure in ("characters", len, length)
    )
    assert by_len == in_characters
    assert by_function == in_characters


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["characters", "words", len, "word piece", "cl100k"])
@pytest.mark.parametrize("kind", MEASURED)
@settings(max_examples=25, deadline=None)
@given(text=any_text, size=sizes, overlap=overlaps)
def test_a_pickled_splitter_cuts_the_same(
    kind: str, measure: Any, text: str, size: int, overlap: int
) -> None:
    """In a worker process the measure is another object that counts the same."""
    splitter = MEASURED[kind](MAKE[measure]() if measure in MAKE else measure, size, overlap)
    there = pickle.loads(pickle.dumps(splitter))
    assert there.split(text) == splitter.split(text)
    assert [chunk.id for chunk in there.split(text)] == [chunk.id for chunk in splitter.split(text)]


@settings(deadline=None)
@given(text=texts, size=sizes, lookback=st.integers(0, 40), overlap=overlaps)
def test_a_pickled_boundary_splitter_cuts_the_same(
    text: str, size: int, lookback: int, overlap: int
) -> None:
    """It has no measure to lose."""
    splitter = BoundarySplitter(size, lookback, overlap)
    assert pickle.loads(pickle.dumps(splitter)).split(text) == splitter.split(text)


def test_markdown_cut_otherwise_in_a_worker_process() -> None:
    """A pickled splitter no longer knew its measure for characters, and then found another cut."""
    splitter = MarkdownSplitter(8, 0)
    text = "a\n- d\n\n\n\na"
    expected = ["a\n- d\n", "\n\n\na"]
    for one in (splitter, pickle.loads(pickle.dumps(splitter)), MarkdownSplitter(8, 0, length)):
        assert [chunk.text for chunk in one.split(text)] == expected
