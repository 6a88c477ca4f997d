"""What the links and tags of a vault say together: notes apart, notes alike, counts, mentions."""

from collections.abc import Iterable

from cleanbreak.stores.fulltext.index import Index
from cleanbreak.stores.fulltext.rows import (
    ChunkSizes,
    LinkCounts,
    MentionedIn,
    NoteChunk,
    TagCounts,
)
from cleanbreak.stores.fulltext.schema import OWN_FIELDS

# Links from one note or canvas to another; a link of a note to itself counts for nothing.
_BETWEEN = """
    SELECT DISTINCT one.source_key AS source, target_key AS target
    FROM links JOIN sources AS one ON one.id = source_id
    JOIN sources AS other ON other.source_key = target_key AND other.id <> one.id
"""
_LINKS_OUT = (
    "SELECT 1 FROM links JOIN sources AS other ON other.source_key = target_key"
    " WHERE source_id = sources.id AND target_key <> sources.source_key"
)
_LINKS_IN = "SELECT 1 FROM links WHERE target_key = sources.source_key AND source_id <> sources.id"
_APART = (
    "SELECT source_key FROM sources WHERE kind = 'note' AND NOT EXISTS ({}) ORDER BY source_key"
)


class NoteGraph:
    """Questions to the links and tags in the file of an index. Errors are those of `Index`."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._execute = index.connection.execute

    def orphans(self) -> list[str]:
        """The notes that no other note links to and that link to no other note."""
        return self._keys(_APART.format(f"{_LINKS_OUT} UNION ALL {_LINKS_IN}"))

    def dead_ends(self) -> list[str]:
        """The notes that link to no other note."""
        return self._keys(_APART.format(_LINKS_OUT))

    def _keys(self, statement: str, *values: object) -> list[str]:
        with self._index.reading():
            return [key for (key,) in self._execute(statement, values)]

    def edges(self) -> list[tuple[str, str]]:
        """The pairs of notes of which the first links to the second, each once, in order."""
        with self._index.reading():
            return self._execute(f"{_BETWEEN} ORDER BY source, target").fetchall()

    def neighbours(self, paths: Iterable[str]) -> dict[str, set[str]]:
        """What each note or file links to and is linked from, itself apart."""
        statement = (
            "SELECT target_key FROM links JOIN sources ON sources.id = source_id"
            " WHERE source_key = ?1 AND target_key IS NOT NULL"
            " UNION SELECT source_key FROM links JOIN sources ON sources.id = source_id"
            " WHERE target_key = ?1"
        )
        return {path: set(self._keys(statement, path)) - {path} for path in paths}

    def chunks_of(self, path: str) -> list[NoteChunk]:
        """The chunks of a note or canvas, in order; none if it is not held."""
        with self._index.reading():
            rows = self._execute(
                "SELECT chunks.character_start_offset, line, chunk_text, heading_path FROM chunks"
                " JOIN sources ON sources.id = source_id WHERE source_key = ? ORDER BY chunk_number",
                (path,),
            )
            return [NoteChunk(*row) for row in rows]

    def text_of(self, path: str) -> str | None:
        """The text of a note as it was indexed; ``None`` if it is not held."""
        chunks = self.chunks_of(path)
        return "".join(chunk.text for chunk in chunks) if chunks else None

    def tags_of(self, path: str) -> list[str]:
        """The tags of a note, folded, each once."""
        return self._keys(
            "SELECT DISTINCT folded FROM tags JOIN sources ON sources.id = source_id"
            " WHERE source_key = ? ORDER BY folded",
            path,
        )

    def tagged(self, folded: str) -> list[str]:
        """The notes with a tag, each once."""
        return self._keys(
            "SELECT DISTINCT source_key FROM tags JOIN sources ON sources.id = source_id"
            " WHERE folded = ? ORDER BY source_key",
            folded,
        )

    def mentions(self, expression: str, path: str) -> list[MentionedIn]:
        """The chunks of other notes that an expression of the full text finds."""
        with self._index.reading():
            rows = self._execute(
                "SELECT source_key, chunks.character_start_offset, line, chunks.chunk_text"
                " FROM fts_chunks CROSS JOIN chunks ON chunks.id = fts_chunks.rowid"
                " CROSS JOIN sources ON sources.id = source_id"
                " WHERE fts_chunks MATCH ? AND kind = 'note' AND source_key <> ?"
                " ORDER BY source_key, chunk_number",
                (f"{{chunk_text extra_terms}} : ({expression})", path),
            )
            return [MentionedIn(*row) for row in rows]

    def matching(self, expression: str) -> set[str]:
        """The notes and canvases of which some chunk has what an expression finds."""
        return set(
            self._keys(
                "SELECT DISTINCT source_key FROM fts_chunks"
                " CROSS JOIN chunks ON chunks.id = fts_chunks.rowid"
                " CROSS JOIN sources ON sources.id = source_id WHERE fts_chunks MATCH ?",
                f"{OWN_FIELDS} : ({expression})",
            )
        )

    def link_counts(self) -> LinkCounts:
        """How many links there are of each kind."""
        with self._index.reading():
            row = self._execute(
                "SELECT count(*), coalesce(sum(kind <> 'markdown'), 0),"
                " coalesce(sum(target_key IS NULL), 0), coalesce(sum(candidates > 1), 0),"
                " (SELECT count(*) FROM links WHERE target_key IN (SELECT path FROM attachments))"
                " FROM links WHERE target_key IS NULL OR target_key NOT IN"
                " (SELECT path FROM attachments)"
            ).fetchone()
            return LinkCounts(*row)

    def tag_counts(self) -> TagCounts:
        """How many tags there are, and how often they are used."""
        with self._index.reading():
            row = self._execute(
                "SELECT coalesce(sum(inline), 0), count(DISTINCT folded),"
                " (SELECT count(*) FROM (SELECT DISTINCT source_id, folded FROM tags)) FROM tags"
            ).fetchone()
            return TagCounts(*row)

    def chunk_sizes(self) -> ChunkSizes:
        """The sizes of all chunks."""
        with self._index.reading():
            row = self._execute(
                "SELECT count(*), count(heading_path), coalesce(avg(byte_length), 0.0),"
                " coalesce(min(byte_length), 0), coalesce(max(byte_length), 0),"
                " coalesce(sum(token_count), 0) FROM chunks WHERE byte_length > 0"
            ).fetchone()
            return ChunkSizes(*row)
