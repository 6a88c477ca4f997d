"""What goes into an index and what comes out of it, as plain values."""

from typing import NamedTuple


class SourceRow(NamedTuple):
    """A book or a note.

    ``key`` names it for ever inside its world or vault: ``book-0001``, or a note's path with
    forward slashes. ``size`` and ``mtime_ns`` are those of the file when it was read; ``recipe``
    is the digest of the recipe that cut it.
    """

    key: str
    kind: str
    name: str
    title: str = ""
    digest: str = ""
    tags: tuple[str, ...] = ()
    size: int = 0
    mtime_ns: int = 0
    recipe: str = ""


class ChunkRow(NamedTuple):
    """A chunk as it is stored; see `cleanbreak.Chunk` for what its fields guarantee.

    ``heading_path`` is the string form; ``sections_json`` is a JSON array of objects with
    ``kind``, ``title`` and ``level``, the pages and chapters that the chunk touches.
    """

    number: int
    chunk_id: str
    text: str
    start: int
    end: int
    byte_start: int
    byte_end: int
    heading_path: str | None = None
    sections_json: str = "[]"
    token_count: int | None = None


class SourceState(NamedTuple):
    """What the index knows of a source, for telling whether it is out of date."""

    digest: str
    size: int
    mtime_ns: int
    recipe: str
    chunks: int


class Counts(NamedTuple):
    """How much the index holds."""

    sources: int
    chunks: int


class FoundRow(NamedTuple):
    """A chunk that matches a query.

    ``score`` is higher for the better match; ``line`` is the line of the source, from 1, on which
    the chunk starts.
    """

    row_id: int
    source_key: str
    source_kind: str
    source_name: str
    source_title: str
    number: int
    chunk_id: str
    text: str
    start: int
    end: int
    byte_start: int
    byte_end: int
    line: int
    heading_path: str | None
    sections_json: str
    token_count: int | None
    score: float
