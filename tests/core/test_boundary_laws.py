"""The laws hold for `BoundarySplitter` over nasty texts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleanbreak import BoundarySplitter
from laws import assert_laws
from strategies import texts


@pytest.mark.slow
@settings(max_examples=10_000)
@given(texts, st.integers(1, 60), st.integers(0, 80), st.integers(0, 90))
def test_laws(text: str, chunk_size: int, max_lookback: int, overlap_size: int) -> None:
    """Whatever the text and the settings, every law holds."""
    chunks = BoundarySplitter(chunk_size, max_lookback, overlap_size).split(text)
    assert_laws(text, chunks, limit=chunk_size, overlap_limit=overlap_size)
