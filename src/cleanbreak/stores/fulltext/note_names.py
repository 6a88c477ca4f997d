"""The names by which the files of a vault are linked to, kept so that no query has to make them."""

from collections.abc import Iterable

from cleanbreak.stores.fulltext.index import Index
from cleanbreak.stores.fulltext.rows import NameRow


class NoteNames:
    """The table of names in the file of an index. Errors are those of `Index`."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._execute = index.connection.execute
        self._executemany = index.connection.executemany

    def replace(self, path: str, rows: Iterable[NameRow]) -> None:
        """Put the names of a file in the place of those held; links by a changed name are pending."""
        wanted = set(rows)
        with self._index.transaction():
            held = {
                NameRow(*row)
                for row in self._execute(
                    "SELECT name, rank, path, alias FROM names WHERE path = ?", (path,)
                )
            }
            self._executemany(
                "DELETE FROM names WHERE (name, rank, path, alias) = (?, ?, ?, ?)", held - wanted
            )
            self._executemany("INSERT INTO names VALUES (?, ?, ?, ?)", wanted - held)
            self._executemany(
                "UPDATE links SET candidates = -1 WHERE name = ?",
                {(row.name,) for row in held ^ wanted},
            )

    def of(self, name: str) -> list[NameRow]:
        """The files that a link with that last part may mean, in the order of their paths."""
        with self._index.reading():
            rows = self._execute(
                "SELECT name, rank, path, alias FROM names WHERE name = ? ORDER BY path", (name,)
            )
            return [NameRow(*row) for row in rows]
