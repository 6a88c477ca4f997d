"""The results of vault queries, as plain values."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from cleanbreak.stores.fulltext.folding import fold
from cleanbreak.stores.fulltext.note_graph import NoteGraph
from cleanbreak.stores.fulltext.rows import StoredLink, StoredTag


class NoteLink(NamedTuple):
    """A link of a note, and the file it points to.

    ``source`` is the path of the note, ``target`` the target as written, ``fragment`` the heading
    or ``^block`` after ``#``. ``path`` is the path of the resolved note or file, ``None`` if there
    is none; ``candidates`` are all possible paths if there are several. Offsets are code points,
    ``line`` counts from 1.
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
    """A stored link as a value for display."""
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
    """A tag, the notes that have it, and the number of its uses in their text."""

    tag: str
    notes: tuple[str, ...]
    inline: int


def tag_uses(stored: Iterable[StoredTag], name: str | None) -> list[TagUse]:
    """The uses of all tags; with a name, of that tag and the tags below it."""
    wanted = None if name is None else fold(name.strip().lstrip("#").strip("/"))
    spellings: dict[str, str] = {}
    notes: dict[str, dict[str, None]] = {}
    inline: dict[str, int] = {}
    for one in stored:
        if wanted is None or f"{one.folded}/".startswith(f"{wanted}/"):
            spellings.setdefault(one.folded, one.tag)
            notes.setdefault(one.folded, {})[one.source_key] = None
            inline[one.folded] = inline.get(one.folded, 0) + one.inline
    return [
        TagUse(spelling, tuple(notes[folded]), inline[folded])
        for folded, spelling in spellings.items()
    ]


@dataclass(frozen=True, slots=True)
class VaultStats:
    """Figures of a vault.

    ``links`` counts links to notes (``wikilinks`` plus ``markdown_links``), resolved or not;
    ``unresolved`` of them have no target. ``attachment_links`` counts links to other files.
    ``tags`` counts uses of tags in text; ``distinct_tags`` and ``note_tags`` (pairs of note and
    tag) include tags of the front matter. Chunk sizes are in bytes.
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


def vault_stats(notes: int, orphans: int, graph: NoteGraph) -> VaultStats:
    """The figures of a vault with these numbers of notes and orphans."""
    links = graph.link_counts()
    tags = graph.tag_counts()
    sizes = graph.chunk_sizes()
    return VaultStats(
        notes=notes,
        links=links.links,
        wikilinks=links.wikilinks,
        markdown_links=links.links - links.wikilinks,
        attachment_links=links.attachments,
        unresolved=links.unresolved,
        ambiguous=links.ambiguous,
        orphans=orphans,
        tags=tags.inline,
        distinct_tags=tags.distinct,
        note_tags=tags.pairs,
        chunks=sizes.chunks,
        chunks_with_heading=sizes.with_heading,
        # Rounded down, as in the specification of notes.
        average_chunk_bytes=int(sizes.average * 10) / 10,
        smallest_chunk_bytes=sizes.smallest,
        largest_chunk_bytes=sizes.largest,
        tokens=sizes.tokens,
    )
