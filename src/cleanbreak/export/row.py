"""One row of an export: a chunk's record, with the path and digest of its source."""

from typing import NamedTuple

from cleanbreak.core.chunk import Chunk, ChunkRecord
from cleanbreak.core.citation import chapter_paths, page_labels
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


def export_row(chunk: Chunk | ChunkRecord, source: RowSource | None = None) -> ExportRow:
    """The row of a chunk, fresh or stored. Without `source`, its file name and path are its own.

    >>> import cleanbreak as cb
    >>> [chunk] = cb.split("A storm came.")
    >>> row = export_row(chunk, RowSource("sea.txt", "books/sea.txt"))
    >>> row.source_path, row.chunk_text
    ('books/sea.txt', 'A storm came.')
    """
    record = chunk.record() if isinstance(chunk, Chunk) else chunk
    if source is None:
        # A file name may hold half characters, which cannot be written as UTF-8.
        name = clean(record.source_filename)[0] if record.source_filename else None
        source = RowSource(name, name)
    fields = {name: getattr(record, name) for name in ChunkRecord.__struct_fields__}
    fields["source_filename"] = source.filename
    return ExportRow(
        **fields,
        source_path=source.path,
        source_sha256=source.sha256,
        pages=page_labels(record.sections),
        chapters=chapter_paths(record.sections),
    )
