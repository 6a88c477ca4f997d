"""What a vault answers, as plain values."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from cleanbreak.stores.fulltext.rows import StoredLink


class NoteLink(NamedTuple):
    """A link as it stands in a note, and what it means.

    ``source`` is the path of the note, ``target`` what is written, ``fragment`` the heading or
    ``^block`` after ``#``. ``path`` is the note or file that is meant, ``None`` if the vault has
    none; ``candidates`` are all that could be meant, where there are several. Offsets are code
    points, ``line`` counts from 1.
    """

    source: str
    line: int
    start: int
    end: int
    kind: str
    embed: bool
    target: str
    fragment: str | None
    path: str | None
    candidates: tuple[str, ...] = ()


def note_link(stored: StoredLink, candidates: tuple[str, ...]) -> NoteLink:
    """The link as a person is told of it."""
    link = stored.link
    return NoteLink(
        source=stored.source_key,
        line=link.line,
        start=link.start,
        end=link.end,
        kind=link.kind,
        embed=link.embed,
        target=link.target,
        fragment=link.fragment,
        path=stored.target_key,
        candidates=candidates,
    )


class TagUse(NamedTuple):
    """A tag, the notes that have it, and how often it is written in their text."""

    tag: str
    notes: tuple[str, ...]
    inline: int


@dataclass(frozen=True, slots=True)
class VaultStats:
    """What a vault holds.

    ``links`` are those to notes, found or not (``wikilinks`` and ``markdown_links``, of which
    ``unresolved`` are not found); links to other files are ``attachment_links``. ``tags`` counts
    tags written in text, ``distinct_tags`` and ``note_tags`` (pairs of note and tag) those of the
    front matter too. Chunk sizes are bytes.
    """

    notes: int
    links: int
    wikilinks: int
    markdown_links: int
    attachment_links: int
    unresolved: int
    ambiguous: int
    orphans: int
    tags: int
    distinct_tags: int
    note_tags: int
    chunks: int
    chunks_with_heading: int
    average_chunk_bytes: float
    smallest_chunk_bytes: int
    largest_chunk_bytes: int
    tokens: int

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain data, as ``--json`` prints them."""
        return asdict(self)
