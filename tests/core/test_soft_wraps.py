"""Hard-wrapped text under `BoundarySplitter`: what `soft_wraps` changes, and what it must not."""

from textwrap import fill

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cleanbreak as cb
from cleanbreak.errors import SettingsError
from laws import assert_laws
from strategies import texts

PROSE = "The tide went out at noon, and the boats lay down. Nobody had expected the fog so soon. "
WRAPPED = "\n\n".join(fill(PROSE * 5, 64) for _ in range(4))
SIZES = {"chunk_size": 300, "max_lookback": 150, "overlap_size": 0}


def at_sentence_ends(text: str, soft_wraps: str) -> list[bool]:
    chunks = cb.BoundarySplitter(**SIZES, soft_wraps=soft_wraps).split(text)  # type: ignore[arg-type]
    return [chunk.text.rstrip().endswith(".") for chunk in chunks[:-1]]


def test_never_keeps_the_priority_of_lines() -> None:
    """There a line end outranks a sentence end, wrapped or not."""
    assert not all(at_sentence_ends(WRAPPED, "never"))


def test_auto_keeps_sentences_in_wrapped_text() -> None:
    """A wrapped newline is a space, so that chunks end with sentences."""
    assert all(at_sentence_ends(WRAPPED, "auto"))


def test_auto_still_prefers_paragraphs() -> None:
    """A blank line is no wrapped newline."""
    text = WRAPPED[: WRAPPED.index("\n\n") + 2]
    chunks = cb.BoundarySplitter(len(text) + 40, 200, 0, soft_wraps="auto").split(WRAPPED)
    assert text == chunks[0].text


def test_auto_changes_nothing_in_other_text() -> None:
    """Where somebody meant the line ends they stay line breaks."""
    lines = "\n".join(f"{number} barrels of salt. More came" for number in range(200))
    never, auto = (
        [chunk.text for chunk in cb.BoundarySplitter(**SIZES, soft_wraps=way).split(lines)]  # type: ignore[arg-type]
        for way in ("never", "auto")
    )
    assert never == auto


def test_it_is_part_of_the_recipe() -> None:
    """As it changes the chunks it changes their ids."""
    assert cb.BoundarySplitter().recipe == cb.BoundarySplitter(soft_wraps="auto").recipe
    assert cb.BoundarySplitter().recipe != cb.BoundarySplitter(soft_wraps="never").recipe


@pytest.mark.parametrize("value", ["always", True, None])
def test_other_words_are_refused(value: object) -> None:
    """When the splitter is built."""
    with pytest.raises(SettingsError):
        cb.BoundarySplitter(soft_wraps=value)  # type: ignore[arg-type]


@given(texts, st.integers(40, 90), st.integers(1, 60), st.integers(0, 80), st.integers(0, 90))
def test_laws(text: str, width: int, size: int, lookback: int, overlap: int) -> None:
    """Every law holds for wrapped text too."""
    wrapped = fill(text * 5, width)
    chunks = cb.BoundarySplitter(size, lookback, overlap, soft_wraps="auto").split(wrapped)
    assert_laws(wrapped, chunks, limit=size, overlap_limit=overlap)


def test_half_the_chunks_of_a_wrapped_book_ended_inside_a_sentence() -> None:
    """By default its line ends are spaces, and a sentence end in reach of half a chunk is taken."""
    words = "and the long slow sentence of the old sea captain went on and on without a stop "
    text = fill(("It rained. " + words * 3 + "here. ") * 12, 70)
    chunks = cb.BoundarySplitter(600, 40, 0).split(text)
    assert all(chunk.break_level == "sentence" for chunk in chunks[:-1])
    assert any(chunk.break_level == "word" for chunk in cb.BoundarySplitter(100, 40, 0).split(text))
    assert cb.BoundarySplitter(600, 0, 0).split(text)[0].end == 600
