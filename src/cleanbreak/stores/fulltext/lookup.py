"""Chunks of an index by their places."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.stores.fulltext.rows import FoundChunk, FoundSource
from cleanbreak.stores.fulltext.schema import RECORD

if TYPE_CHECKING:
    import sqlite3

_SOURCE = ("source_key", "kind", "source_filename", "title")
_STATEMENT = f"""
    SELECT chunks.id, line, {", ".join(_SOURCE)}, {", ".join(RECORD.names)}
    FROM sources JOIN chunks ON chunks.source_id = sources.id
    WHERE source_key = ? AND chunk_number = ?
"""  # noqa: S608 (constants)


def chunks_at(
    connection: "sqlite3.Connection", places: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], FoundChunk]:
    """By source key and chunk number the chunks that are held, with a score of 0."""
    found = {}
    for place in places:
        row = connection.execute(_STATEMENT, place).fetchone()
        if row is not None:
            found[place] = _chunk(*row)
    return found


def _chunk(row_id: int, line: int, *values: object) -> FoundChunk:
    # A damaged file may hold any type in any column.
    names = msgspec.convert(values[: len(_SOURCE)], tuple[str, ...])
    source = FoundSource(*names)
    fields = RECORD.fields(values[len(_SOURCE) :])
    chunk = msgspec.convert({"source_filename": source.name, **fields}, ChunkRecord)
    return FoundChunk(row_id, source, chunk, msgspec.convert(line, int), 0.0)
