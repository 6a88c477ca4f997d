"""One row of an export: a chunk's record, with the path and digest of its source."""

from typing import NamedTuple

import msgspec

from cleanbreak.core.chunk import Chunk, ChunkRecord
from cleanbreak.readers.controls import clean


class RowSource(NamedTuple):
    """The source of a row.

    ``path`` distinguishes files of the same name: it is relative to the folder that was asked for,
    with forward slashes, never a full local path. ``sha256`` is the digest of the file's bytes. The
    fields are ``None`` for text without a file.
    """

    filename: str | None = None
    path: str | None = None
    sha256: str | None = None


class ExportRow(ChunkRecord, frozen=True, kw_only=True):
    """A row of an export file; its fields are the columns of SQLite and Parquet.

    ``pages`` are the labels of the pages that the chunk touches; ``chapters`` the innermost
    chapters, each after those it lies in.
    """

    source_path: str | None
    source_sha256: str | None
    pages: tuple[str, ...]
    chapters: tuple[str, ...]


def export_row(chunk: Chunk, source: RowSource | None = None) -> ExportRow:
    """The row of a chunk. Without `source`, its file name and path are what the chunk knows.

    >>> import cleanbreak as cb
    >>> [chunk] = cb.split("A storm came.")
    >>> row = export_row(chunk, RowSource("sea.txt", "books/sea.txt"))
    >>> row.source_path, row.chunk_text
    ('books/sea.txt', 'A storm came.')
    """
    if source is None:
        # A file name may hold half characters, which cannot be written as UTF-8.
        name = clean(chunk.source)[0] if chunk.source else None
        source = RowSource(name, name)
    fields = msgspec.structs.asdict(chunk.record())
    fields["source_filename"] = source.filename
    return ExportRow(
        **fields,
        source_path=source.path,
        source_sha256=source.sha256,
        pages=chunk.pages,
        chapters=chunk.chapters,
    )
