"""An index of chunks: sources in, ranked rows out."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.core.document import Span
from cleanbreak.stores.fulltext import database
from cleanbreak.stores.fulltext.folding import label_term, name_terms, tag_terms, with_extra_terms
from cleanbreak.stores.fulltext.lookup import chunks_at
from cleanbreak.stores.fulltext.query import Query
from cleanbreak.stores.fulltext.rows import Counts, FoundChunk, SourceRow, SourceState
from cleanbreak.stores.fulltext.search import Found, Search
from cleanbreak.stores.fulltext.writer import SourceWriter, shortened

if TYPE_CHECKING:
    import sqlite3
    from types import TracebackType

_SOURCE = (
    "source_key", "kind", "source_filename", "title", "digest", "size", "mtime_ns", "recipe",
    "title_terms", "tag_terms", "path_terms",
)  # fmt: skip
_PUT_SOURCE = (
    f"INSERT INTO sources ({', '.join(_SOURCE)}) VALUES ({', '.join('?' * len(_SOURCE))})"  # noqa: S608
    " ON CONFLICT (source_key) DO UPDATE SET "
    + ", ".join(f"{column} = excluded.{column}" for column in _SOURCE[1:])
    + " RETURNING id"
)


class Index:
    """Sources, their chunks and the full text of both, in one SQLite file.

    Readers see the last finished transaction and never wait for a writer. Several changes are made
    one transaction by ``with index.transaction():``. Every method raises the errors of
    `cleanbreak.stores.fulltext.database.connect`, `DiskFullError`, and `WorldLockedError` when another
    writer has not ended after ten seconds.
    """

    def __init__(self, connection: "sqlite3.Connection", name: str) -> None:
        self._connection = connection
        self._name = name

    @classmethod
    def open(cls, path: str | PathLike[str], *, readonly: bool = False) -> Self:
        """Open the index at `path`, made first if it is not there, unless `readonly`.

        Raises:
            IndexMissingError: `readonly`, and there is none.
            IndexMalformedError: the file is damaged, or another program's.
            FormatTooNewError: a later version of cleanbreak made it.
            WriteFailedError: it cannot be opened or made.
        """
        place = Path(path)
        return cls(database.connect(place, readonly=readonly), place.name)

    def close(self) -> None:
        """Close the file; nothing may be asked of the index afterwards."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.close()

    @property
    def connection(self) -> "sqlite3.Connection":
        """For what else is kept in the same file; see `cleanbreak.stores.fulltext.note_links`."""
        return self._connection

    def wait_for_writers(self, seconds: float) -> None:
        """How long a transaction waits for that of another writer before it fails."""
        self._execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    def reading(self) -> AbstractContextManager[None]:
        """Turn the errors of SQLite into ours."""
        return database.translated(self._name)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make the changes inside all or none; transactions inside it become part of it.

        New chunks can be searched for when it has ended.
        """
        connection = self._connection
        if connection.in_transaction:
            yield
            return
        with self.reading(), database.transaction(connection), database.deferred(connection):
            yield

    # --- changing --------------------------------------------------------------------------------

    def replace_source(
        self, source: SourceRow, chunks: Iterable[ChunkRecord], opaque: Iterable[Span] = ()
    ) -> int:
        """Replace what is held of a source by it and its chunks; returns its row id.

        No search looks in the `opaque` spans of the source's text, given in order without overlaps.

        The chunks must come in order, from number 1; they are written as they come. A chunk's line
        is counted here, from the texts of the chunks before it.
        """
        with self.replacing(source, opaque) as writer:
            writer.add(chunks)
            return writer.source_id

    @contextmanager
    def replacing(self, source: SourceRow, opaque: Iterable[Span] = ()) -> Iterator[SourceWriter]:
        """As `replace_source`, for chunks that come bit by bit; all or nothing when the block ends."""
        with self.transaction():
            # First, so that a new title does not rewrite the full text of chunks that go.
            self._execute(
                "DELETE FROM chunks WHERE source_id ="
                " (SELECT id FROM sources WHERE source_key = ?)",
                source.key,
            )
            yield SourceWriter(self._connection, self._name, self._put_source(source), opaque)

    def touch_source(self, source_key: str, size: int, mtime_ns: int) -> None:
        """Note that a source's file has the same content at another time."""
        with self.transaction():
            self._execute(
                "UPDATE sources SET size = ?, mtime_ns = ? WHERE source_key = ?",
                size,
                mtime_ns,
                source_key,
            )

    def move_source(self, source_key: str, source: SourceRow) -> None:
        """Give a held source another key, name and title; its chunks stay as they are."""
        with self.transaction():
            self._execute(
                "UPDATE sources SET source_key = ? WHERE source_key = ?", source.key, source_key
            )
            self._put_source(source)

    def remove_source(self, source_key: str) -> bool:
        """Forget a source and its chunks; false if it was not held."""
        with self.transaction():
            return (
                self._execute("DELETE FROM sources WHERE source_key = ?", source_key).rowcount > 0
            )

    def _put_source(self, source: SourceRow) -> int:
        row = self._execute(
            _PUT_SOURCE,
            source.key,
            source.kind,
            source.name,
            source.title,
            source.digest,
            source.size,
            source.mtime_ns,
            source.recipe,
            with_extra_terms(shortened(" ".join((source.title, *source.aliases)))),
            _tag_terms(source.tags),
            _path_terms(source),
        ).fetchone()
        return int(row[0])

    def _execute(self, statement: str, *values: object) -> "sqlite3.Cursor":
        return self._connection.execute(statement, values)

    # --- asking ----------------------------------------------------------------------------------

    def sources(self) -> dict[str, SourceState]:
        """What is held, by key."""
        with self.reading():
            rows = self._execute(
                "SELECT source_key, digest, size, mtime_ns, recipe,"
                " (SELECT count(*) FROM chunks WHERE source_id = sources.id) FROM sources"
            )
            return {key: SourceState(*state) for key, *state in rows}

    def holds(self, source_key: str) -> bool:
        """Whether a source is held."""
        with self.reading():
            found = self._execute("SELECT 1 FROM sources WHERE source_key = ?", source_key)
            return found.fetchone() is not None

    def counts(self) -> Counts:
        """How many sources and chunks are held."""
        with self.reading():
            row = self._execute(
                "SELECT (SELECT count(*) FROM sources), (SELECT count(*) FROM chunks)"
            ).fetchone()
            return Counts(*row)

    def ask(self, query: str | Query, limit: int) -> Found:
        """The best `limit` chunks for a query, best first, and the words to mark in them.

        Any string is a query; docs/search.md has the language. Any word of it counts, the rarer the
        more. In a vault, chunks of notes that have every word come first. Equal queries of an equal
        index give equal rows, in equal order, and a larger limit only adds rows at the end.
        """
        with self.reading():
            return Search(self._connection).find(query, limit)

    def search(self, query: str | Query, limit: int) -> list[FoundChunk]:
        """The chunks alone of `ask`."""
        return self.ask(query, limit).rows

    def chunks_at(self, places: Iterable[tuple[str, int]]) -> dict[tuple[str, int], FoundChunk]:
        """By source key and chunk number the chunks that are held, with a score of 0."""
        with self.reading():
            return chunks_at(self._connection, places)

    def neighbours(self, found: FoundChunk, distance: int) -> list[tuple[int, str]]:
        """Numbers and texts of the chunks at most `distance` from a found one, itself included."""
        with self.reading():
            rows = self._execute(
                "SELECT chunk_number, chunk_text FROM chunks WHERE source_id ="
                " (SELECT source_id FROM chunks WHERE id = ?)"
                " AND chunk_number BETWEEN ? AND ? ORDER BY chunk_number",
                found.row_id,
                found.chunk.chunk_number - distance,
                found.chunk.chunk_number + distance,
            ).fetchall()
            return msgspec.convert(rows, list[tuple[int, str]])

    def check(self) -> None:
        """Compare the full text with the chunks, entry by entry; not for a reader.

        Raises:
            IndexMalformedError: if they differ.
        """
        with self.reading():
            self._execute("INSERT INTO fts_chunks (fts_chunks) VALUES ('integrity-check')")


def _path_terms(source: SourceRow) -> str:
    """The path, and tokens for the file's name, the authors and the number of a book."""
    path = source.key if source.key.endswith(source.name) else f"{source.key}/{source.name}"
    terms = [with_extra_terms(path), *name_terms("file", source.name)]
    for author in source.authors:
        terms += name_terms("author", shortened(author))
    if source.number is not None:
        terms.append(label_term("book", str(source.number)))
    return " ".join(terms)


def _tag_terms(tags: Iterable[str]) -> str:
    terms = [with_extra_terms(tag) for tag in tags]
    for tag in tags:
        terms += tag_terms(tag)
    return " ".join(terms)
