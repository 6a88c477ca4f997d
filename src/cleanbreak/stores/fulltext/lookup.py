"""Chunks of an index by their places and row ids."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.stores.fulltext.rows import FoundChunk, FoundSource
from cleanbreak.stores.fulltext.schema import RECORD

if TYPE_CHECKING:
    import sqlite3

_SOURCE = ("source_key", "kind", "source_filename", "title")
_CHUNKS = f"""
    SELECT chunks.id, line, {", ".join(_SOURCE)}, {", ".join(RECORD.names)}
    FROM chunks JOIN sources ON sources.id = chunks.source_id
"""  # noqa: S608 (constants)
_AT_PLACE = f"{_CHUNKS} WHERE source_key = ? AND chunk_number = ?"
_WITH_ID = f"{_CHUNKS} WHERE chunks.id = ?"


def chunks_at(
    connection: "sqlite3.Connection", places: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], FoundChunk]:
    """By source key and chunk number the chunks that are held, with a score of 0."""
    found = {}
    for place in places:
        row = connection.execute(_AT_PLACE, place).fetchone()
        if row is not None:
            found[place] = _chunk(*row)
    return found


def chunks_with(
    connection: "sqlite3.Connection", scores: Iterable[tuple[int, float]]
) -> list[FoundChunk]:
    """The chunks of row ids, each with the score that is given with its id."""
    rows = ((connection.execute(_WITH_ID, (row_id,)).fetchone(), score) for row_id, score in scores)
    return [_chunk(*row)._replace(score=score) for row, score in rows if row is not None]


def _chunk(row_id: int, line: int, *values: object) -> FoundChunk:
    # A damaged file may hold any type in any column.
    names = msgspec.convert(values[: len(_SOURCE)], tuple[str, ...])
    source = FoundSource(*names)
    fields = RECORD.fields(values[len(_SOURCE) :])
    chunk = msgspec.convert({"source_filename": source.name, **fields}, ChunkRecord)
    return FoundChunk(row_id, source, chunk, msgspec.convert(line, int), 0.0)
