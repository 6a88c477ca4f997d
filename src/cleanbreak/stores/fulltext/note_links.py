"""What a vault adds to an index: links, tags, aliases, and the files that are not notes."""

from collections.abc import Iterable, Mapping

from cleanbreak.stores.fulltext.folding import fold
from cleanbreak.stores.fulltext.index import Index
from cleanbreak.stores.fulltext.rows import LinkRow, StoredLink, StoredTag, TagRow


class NoteLinks:
    """The tables of links and tags in the file of an index.

    A note's rows go with its source. Errors are those of `Index`.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._execute = index.connection.execute
        self._executemany = index.connection.executemany

    # --- changing --------------------------------------------------------------------------------

    def replace_note(
        self,
        source_id: int,
        links: Iterable[tuple[str, LinkRow]],
        tags: Iterable[TagRow],
        aliases: Iterable[str],
    ) -> None:
        """Put the links, tags and aliases of a note in the place of what was held of it.

        A link comes with the last part of its target, folded, and is pending.
        """
        with self._index.transaction():
            for table in ("links", "tags", "aliases"):
                self._execute(f"DELETE FROM {table} WHERE source_id = ?", (source_id,))  # noqa: S608 (three words)
            self._executemany(
                "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, -1, ?)",
                ((source_id, number, *link, name) for number, (name, link) in enumerate(links, 1)),
            )
            self._executemany(
                "INSERT INTO tags VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (source_id, number, tag.tag, fold(tag.tag), tag.inline, tag.line)
                    for number, tag in enumerate(tags, 1)
                ),
            )
            self._executemany(
                "INSERT OR IGNORE INTO aliases VALUES (?, ?)",
                ((source_id, alias) for alias in aliases),
            )

    def put_off(self, source_key: str) -> None:
        """Make the links of a note pending, as after a move to another folder."""
        with self._index.transaction():
            self._execute(
                "UPDATE links SET candidates = -1 WHERE source_id ="
                " (SELECT id FROM sources WHERE source_key = ?)",
                (source_key,),
            )

    def replace_attachments(self, removed: set[str], added: set[str]) -> None:
        """Note which files of the vault are no notes."""
        with self._index.transaction():
            self._executemany(
                "DELETE FROM attachments WHERE path = ?", ((path,) for path in removed)
            )
            self._executemany("INSERT INTO attachments VALUES (?)", ((path,) for path in added))

    def resolve(self, targets: Mapping[tuple[str, int], tuple[str | None, int]]) -> None:
        """Note what links mean: (note, number) to (path or ``None``, how many it could mean)."""
        with self._index.transaction():
            self._executemany(
                "UPDATE links SET target_key = ?, candidates = ? WHERE number = ? AND source_id ="
                " (SELECT id FROM sources WHERE source_key = ?)",
                (
                    (target, candidates, number, source_key)
                    for (source_key, number), (target, candidates) in targets.items()
                ),
            )

    # --- asking ----------------------------------------------------------------------------------

    def notes(self) -> list[str]:
        """The paths of the notes; a canvas is none."""
        with self._index.reading():
            rows = self._execute(
                "SELECT source_key FROM sources WHERE kind = 'note' ORDER BY source_key"
            )
            return [key for (key,) in rows]

    def links(self, source_key: str | None = None) -> list[StoredLink]:
        """The links of a note, or of all, in order."""
        return self._links("WHERE ?1 IS NULL OR source_key = ?1", source_key)

    def links_to(self, target_key: str) -> list[StoredLink]:
        """The links that mean a note, from other notes and from itself."""
        return self._links("WHERE target_key = ?1", target_key)

    def pending(self) -> list[StoredLink]:
        """The links that are to be resolved."""
        return self._links("WHERE candidates < 0 AND ?1 IS NULL", None)

    def unresolved(self) -> list[StoredLink]:
        """The links that mean nothing in the vault."""
        return self._links("WHERE target_key IS NULL AND ?1 IS NULL", None)

    def _links(self, where: str, value: str | None) -> list[StoredLink]:
        with self._index.reading():
            rows = self._execute(
                "SELECT source_key, number, links.kind, embed, target, fragment,"  # noqa: S608 (ours)
                " character_start_offset, character_end_offset, line, target_key, candidates"
                f" FROM links JOIN sources ON sources.id = source_id {where}"
                " ORDER BY source_key, number",
                (value,),
            )
            return [
                StoredLink(key, number, LinkRow(kind, bool(embed), *place), target, candidates)
                for key, number, kind, embed, *place, target, candidates in rows
            ]

    def tags(self) -> list[StoredTag]:
        """The tags of all notes, in order."""
        with self._index.reading():
            rows = self._execute(
                "SELECT source_key, tag, folded, inline FROM tags"
                " JOIN sources ON sources.id = source_id ORDER BY folded, source_key, number"
            )
            return [StoredTag(key, tag, folded, bool(inline)) for key, tag, folded, inline in rows]

    def aliases(self, source_key: str) -> list[str]:
        """The aliases of a note."""
        with self._index.reading():
            rows = self._execute(
                "SELECT alias FROM aliases JOIN sources ON sources.id = source_id"
                " WHERE source_key = ? ORDER BY alias",
                (source_key,),
            )
            return [alias for (alias,) in rows]

    def attachments(self) -> set[str]:
        """The files of the vault that are no notes."""
        with self._index.reading():
            return {path for (path,) in self._execute("SELECT path FROM attachments")}
