"""An index of chunks: sources in, ranked rows out."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.core.document import Span
from cleanbreak.stores.fulltext import database
from cleanbreak.stores.fulltext.folding import file_terms, tag_terms, with_extra_terms
from cleanbreak.stores.fulltext.query import Query, parse_query
from cleanbreak.stores.fulltext.rows import (
    Counts,
    FoundChunk,
    FoundSource,
    SourceRow,
    SourceState,
)
from cleanbreak.stores.fulltext.schema import OWN_FIELDS, RECORD
from cleanbreak.stores.fulltext.writer import SourceWriter, shortened

if TYPE_CHECKING:
    import sqlite3
    from types import TracebackType

# Where fewer chunks than this have every word, chunks that have any of them fill up the list. An OR
# of common words over 100,000 chunks took 200 ms, an AND 0.4 ms, so it is not the first try.
_TOO_FEW = 3

# A word is common if more than one chunk in 20 has it, and more than 500 chunks.
_COMMON_SHARE = 20
_ALWAYS_RARE = 500

# Weights of text, extra terms, title, headings, tags, path and seam; the smaller the rank the better.
# Spelt out and sorted by SQLite, as FTS5's own ``rank`` column took 1.5 times as long.
_RANK = "bm25(fts_chunks, 1.0, 1.0, 4.0, 2.0, 3.0, 0.5, 1.0)"

_FOUND_SOURCE = ("source_key", "kind", "source_filename", "title")
_MATCHING = "fts_chunks MATCH ?"
# A book has nearly every word, so that only notes are asked for.
_NOTES_WITH = (
    "SELECT source_id FROM fts_chunks CROSS JOIN chunks ON chunks.id = fts_chunks.rowid"
    " CROSS JOIN sources ON sources.id = source_id WHERE fts_chunks MATCH ? AND kind = 'note'"
)
_IN_SOURCES = "AND rowid IN (SELECT id FROM chunks WHERE source_id IN ({}))"
_SEARCH = f"""
    SELECT chunks.id, line, -best.score, {", ".join(_FOUND_SOURCE)}, {", ".join(RECORD.names)}
    FROM (
      SELECT rowid, {_RANK} AS score FROM fts_chunks
      WHERE {_MATCHING} ORDER BY score, rowid LIMIT ?
    ) AS best
    JOIN chunks ON chunks.id = best.rowid
    JOIN sources ON sources.id = chunks.source_id
    ORDER BY best.score, chunks.id
"""  # noqa: S608 (constants)

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
        path = source.key if source.key.endswith(source.name) else f"{source.key}/{source.name}"
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
            " ".join((with_extra_terms(path), *file_terms(source.name))),
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

    def search(self, query: str | Query, limit: int) -> list[FoundChunk]:
        """The best `limit` chunks that have every word, then those that have any if few have.

        Chunks of notes that have every word, though not in one chunk, come before the others. If no
        chunk has every word but a note has, only chunks of such notes are given.

        Any string is a query; docs/search.md has the language. Equal queries of an equal index give
        equal rows, in equal order.
        """
        asked = parse_query(query) if isinstance(query, str) else query
        with self.reading():
            found = self._match(asked.strict, limit)
            if asked.has_phrase and len(found) < limit:
                found = _distinct(found, self._match(asked.strict, limit, over_cuts=True))
            if len(found) < min(_TOO_FEW, limit):
                loose = asked.loose(self._is_selective)
                whole = self._match_whole_notes(asked, loose, limit)
                rest = self._match(loose, limit) if found or not whole else []
                found = _distinct(found, whole, rest)
            return found[:limit]

    def _is_selective(self, expression: str) -> bool:
        """Whether some chunks have a word, and it is not a common one."""
        (last,) = self._execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()
        common = max(_ALWAYS_RARE, last // _COMMON_SHARE)
        (found,) = self._execute(
            "SELECT count(*) FROM (SELECT 1 FROM fts_chunks WHERE fts_chunks MATCH ? LIMIT ?)",
            _own(expression),
            common + 1,
        ).fetchone()
        return bool(0 < found <= common)

    def _match(
        self, expression: str | None, limit: int, *, over_cuts: bool = False
    ) -> list[FoundChunk]:
        """The best chunks; with `over_cuts` also those that the words of the chunk before match."""
        if expression is None:
            return []
        if not over_cuts:
            expression = _own(expression)
        return [_found(*row) for row in self._execute(_SEARCH, expression, limit)]

    def _match_whole_notes(self, asked: Query, loose: str | None, limit: int) -> list[FoundChunk]:
        """The chunks with any word in notes that have every word, not all in one chunk."""
        words = asked.words()
        if loose is None or len(words) < 2:
            return []
        in_every = " INTERSECT ".join([_NOTES_WITH] * len(words))
        statement = _SEARCH.replace(_MATCHING, f"{_MATCHING} {_IN_SOURCES.format(in_every)}")
        return [
            _found(*row) for row in self._execute(statement, _own(loose), *map(_own, words), limit)
        ]

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


def _own(expression: str) -> str:
    """The expression for what a chunk itself holds."""
    return f"{OWN_FIELDS} : ({expression})"


def _distinct(*lists: list[FoundChunk]) -> list[FoundChunk]:
    """Each chunk once, where it stands first."""
    first: dict[int, FoundChunk] = {}
    for rows in lists:
        for row in rows:
            first.setdefault(row.row_id, row)
    return list(first.values())


def _found(row_id: int, line: int, score: float, *values: Any) -> FoundChunk:
    # A damaged file may hold any type in any column.
    source = FoundSource(*msgspec.convert(values[: len(_FOUND_SOURCE)], tuple[str, ...]))
    fields = RECORD.fields(values[len(_FOUND_SOURCE) :])
    chunk = msgspec.convert({"source_filename": source.name, **fields}, ChunkRecord)
    return FoundChunk(row_id, source, chunk, msgspec.convert(line, int), score)


def _tag_terms(tags: Iterable[str]) -> str:
    terms = [with_extra_terms(tag) for tag in tags]
    for tag in tags:
        terms += tag_terms(tag)
    return " ".join(terms)
