"""The passages of a chunk that get vectors of their own."""

from collections.abc import Iterator
from functools import cache

from cleanbreak.core.splitters import SentenceSplitter

PASSAGE_CHARACTERS = 400
"""The most characters of a passage. On readers' questions passages of this size found the right
chunk first 15 points more often than one vector a chunk (docs/benchmarks.md)."""


def passages(text: str) -> Iterator[tuple[int, int]]:
    """The spans of whole sentences of at most `PASSAGE_CHARACTERS`, which cover the text."""
    for chunk in _splitter().split(text):
        yield chunk.start, chunk.end


@cache
def _splitter() -> SentenceSplitter:
    return SentenceSplitter(max_tokens=PASSAGE_CHARACTERS, measure="characters")
