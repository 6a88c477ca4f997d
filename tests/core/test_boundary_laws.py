"""The laws hold for `BoundarySplitter` over nasty texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleanbreak import BoundarySplitter
from laws import assert_laws
from strategies import texts

SIZES = {
    "chunk_size": st.integers(1, 60),
    "max_lookback": st.integers(0, 80),
    "overlap_size": st.integers(0, 90),
}


def check(text: str, chunk_size: int, max_lookback: int, overlap_size: int) -> None:
    chunks = BoundarySplitter(chunk_size, max_lookback, overlap_size).split(text)
    assert_laws(text, chunks, limit=chunk_size, overlap_limit=overlap_size)


@given(text=texts, **SIZES)
def test_laws(text: str, chunk_size: int, max_lookback: int, overlap_size: int) -> None:
    """Every law holds for any text and any settings."""
    check(text, chunk_size, max_lookback, overlap_size)


@pytest.mark.slow
@settings(max_examples=10_000)
@given(text=texts, **SIZES)
def test_laws_over_ten_thousand_texts(
    text: str, chunk_size: int, max_lookback: int, overlap_size: int
) -> None:
    """The same, over many more texts."""
    check(text, chunk_size, max_lookback, overlap_size)
