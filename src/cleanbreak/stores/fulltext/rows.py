"""What goes into an index and what comes out of it, as plain values."""

from typing import NamedTuple

from cleanbreak.core.chunk import ChunkRecord


class SourceRow(NamedTuple):
    """A book or a note.

    ``key`` is its permanent name inside its world or vault: ``book-0001``, or a note's path with
    forward slashes. ``name`` is the file name; the chunks have it as ``source_filename``. ``size`` and ``mtime_ns`` are those of the file when it was read; ``recipe``
    is the digest of the recipe that cut it. ``number`` is that of a book in its world.
    """

    key: str
    kind: str
    name: str
    title: str = ""
    digest: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    size: int = 0
    mtime_ns: int = 0
    recipe: str = ""
    authors: tuple[str, ...] = ()
    number: int | None = None


class SourceState(NamedTuple):
    """What the index holds of a source, to decide whether it is out of date."""

    digest: str
    size: int
    mtime_ns: int
    recipe: str
    chunks: int


class Counts(NamedTuple):
    """How much the index holds."""

    sources: int
    chunks: int


class FoundSource(NamedTuple):
    """What a search gives of the source of a chunk; see `SourceRow`."""

    key: str
    kind: str
    name: str
    title: str


class FoundChunk(NamedTuple):
    """A chunk that matches a query.

    ``line`` is the line of the source, from 1, on which the chunk starts; ``score`` is higher for
    the better match; ``row_id`` is for `Index.neighbours`.
    """

    row_id: int
    source: FoundSource
    chunk: ChunkRecord
    line: int
    score: float


class LinkRow(NamedTuple):
    """A link as it stands in a note.

    ``kind`` is ``wikilink``, ``markdown`` or ``property`` (a wikilink in the front matter);
    ``target`` the note or file it names, empty for the note itself, and ``fragment`` the part
    after ``#``. Offsets are code points of the note's text; ``line`` counts from 1.
    """

    kind: str
    embed: bool
    target: str
    fragment: str | None
    start: int
    end: int
    line: int


class NameRow(NamedTuple):
    """A name by which a file of a vault is linked to.

    ``name`` is the last part of the path or alias, folded; ``rank`` orders files before aliases;
    ``alias`` is the whole alias, folded, or empty.
    """

    name: str
    rank: int
    path: str
    alias: str = ""


class NoteState(NamedTuple):
    """What the index holds of a note, to decide whether it is out of date."""

    digest: str
    size: int
    mtime_ns: int
    recipe: str


class ProblemRow(NamedTuple):
    """A problem of one file, as the index keeps it."""

    path: str
    code: str
    message: str
    is_error: bool


class StoredLink(NamedTuple):
    """A link with the note it stands in and what it was resolved to.

    ``target_key`` is the path of a note or file in the vault, ``None`` if there is none that the
    link could mean; ``candidates`` is how many it could mean.
    """

    source_key: str
    number: int
    link: LinkRow
    target_key: str | None
    candidates: int


class TagRow(NamedTuple):
    """A tag as it stands in a note, without ``#``; ``inline`` if in its text."""

    tag: str
    inline: bool
    line: int


class StoredTag(NamedTuple):
    """A tag of a note."""

    source_key: str
    tag: str
    folded: str
    inline: bool


class ChunkSizes(NamedTuple):
    """How large the chunks are, in bytes; zeros where there are none."""

    chunks: int
    with_heading: int
    average: float
    smallest: int
    largest: int
    tokens: int


class LinkCounts(NamedTuple):
    """How many links there are: to notes, wikilinks of them, without target, ambiguous; to files."""

    links: int
    wikilinks: int
    unresolved: int
    ambiguous: int
    attachments: int


class NoteChunk(NamedTuple):
    """A chunk of a note: where it starts, in code points and lines, its text and its headings."""

    start: int
    line: int
    text: str
    heading_path: str | None


class TagCounts(NamedTuple):
    """How many uses of tags in text, distinct tags, and pairs of note and tag there are."""

    inline: int
    distinct: int
    pairs: int


class MentionedIn(NamedTuple):
    """A chunk in which a note is named: where it starts, in code points and lines, and its text."""

    source_key: str
    start: int
    line: int
    text: str
