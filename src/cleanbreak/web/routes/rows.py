"""Chunks as the interface gives them, and windows of them."""

from collections.abc import Iterable

import msgspec

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.core.citation import chapter_paths, page_labels

MOST_CHUNKS = 1_000
"""The most chunks in one answer."""


class ChunkRow(ChunkRecord, frozen=True, kw_only=True):
    """A chunk: the fields of its record, and the names of its pages and chapters."""

    pages: tuple[str, ...]
    chapters: tuple[str, ...]


class Chunks(msgspec.Struct):
    """Some chunks, from number ``first`` on."""

    first: int
    total_chunks: int
    chunks: list[ChunkRow]


def row_of(record: ChunkRecord) -> ChunkRow:
    """The row of a chunk; what a world stores besides is left out."""
    fields = {name: getattr(record, name) for name in ChunkRecord.__struct_fields__}
    pages, chapters = page_labels(record.sections), chapter_paths(record.sections)
    return ChunkRow(**fields, pages=pages, chapters=chapters)


def chunks_of(first: int, total: int, records: Iterable[ChunkRecord]) -> Chunks:
    """A window of chunks."""
    return Chunks(first, total, [row_of(record) for record in records])


def bounds(first: int, limit: int, total: int) -> range:
    """The numbers of the chunks in a window that is asked for."""
    first = max(first, 1)
    return range(first, min(first + min(max(limit, 0), MOST_CHUNKS), total + 1))
