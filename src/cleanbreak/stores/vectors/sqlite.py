"""Vectors of one world in one SQLite file, searched exactly by one matrix product.

100,000 vectors of 384 numbers are 154 MB, and a product over them takes a few hundredths of a
second, so no approximate index is needed. A file of its own makes it impossible that a search
finds points of another world.
"""

import json
import threading
import uuid
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from cleanbreak.errors import (
    CleanbreakError,
    IndexMalformedError,
    StoreError,
    VectorCollectionMismatchError,
    VectorCollectionMissingError,
    VectorStoreMalformedError,
)
from cleanbreak.stores.fulltext.database import transaction, translated
from cleanbreak.stores.vectors.fields import (
    FIELDS,
    check_field,
    check_not_empty,
    no_collection,
    unit_vector,
)
from cleanbreak.stores.vectors.matrix import Matrix
from cleanbreak.stores.vectors.point import Found, Kind, Point
from cleanbreak.stores.vectors.store import Where

if TYPE_CHECKING:
    import sqlite3

_APPLICATION_ID = 0x43425653  # "CBVS"
_FORMAT = 1
_WAITS_SECONDS = 10.0

_MANY = 500  # parameters of one statement; SQLite's own limit was 999

_ADD_COLLECTION = "INSERT OR IGNORE INTO collections (name, kind, dimensions) VALUES (?, ?, ?)"

_TABLES = (
    """CREATE TABLE collections (
        id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, kind TEXT NOT NULL,
        dimensions INTEGER NOT NULL)""",
    """CREATE TABLE points (
        collection INTEGER NOT NULL REFERENCES collections(id), id BLOB NOT NULL,
        world_uuid TEXT, book_number INTEGER, chunk_number INTEGER, ingestion_run_id TEXT,
        profile_key TEXT, payload TEXT NOT NULL, vector BLOB NOT NULL,
        PRIMARY KEY (collection, id))""",
    "CREATE INDEX points_by_place ON points (collection, book_number, chunk_number)",
)


class SqliteVectors:
    """A `VectorStore` in one file. A second process may read while one writes."""

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self._path = path
        self._readonly = readonly
        self._lock = threading.RLock()
        self._collection: int | None = None
        self._dimensions = 0
        self._matrix: Matrix | None = None
        self._matrix_version: object = None
        self._writes = 0
        with self._translated():
            self._connection = self._open()
        # A store that is kept for later searches need not be closed by anybody.
        weakref.finalize(self, self._connection.close)

    def ensure_collection(self, kind: Kind, name: str, dimensions: int) -> None:
        """See `VectorStore`."""
        with self._lock, self._translated():
            if not self._readonly:
                with transaction(self._connection):
                    self._connection.execute(_ADD_COLLECTION, (name, kind, dimensions))
            elif _is_empty(self._connection):  # its writer was killed before the tables were made
                raise no_collection(name)
            row = self._connection.execute(
                "SELECT id, kind, dimensions FROM collections WHERE name = ?", (name,)
            ).fetchone()
            if row is None:
                raise no_collection(name)
            number, stored_kind, stored = row
            if (stored_kind, stored) != (kind, dimensions):
                raise VectorCollectionMismatchError(
                    f"The vectors {name} have {stored} dimensions and the profile {dimensions}; "
                    "delete vectors.sqlite and embed again.",
                    name=name,
                    dimensions=stored,
                    expected=dimensions,
                )
            self._collection, self._dimensions = number, dimensions
            self._matrix = None

    def get(self, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, dict[str, Any]]:
        """See `VectorStore`."""
        collection = self._selected()
        found: dict[uuid.UUID, dict[str, Any]] = {}
        for start in range(0, len(ids), _MANY):
            some = [point.bytes for point in ids[start : start + _MANY]]
            marks = ", ".join("?" * len(some))
            with self._lock, self._translated():
                rows = self._connection.execute(
                    f"SELECT id, payload FROM points WHERE collection = ? AND id IN ({marks})",  # noqa: S608 (only marks)
                    (collection, *some),
                ).fetchall()
                found.update(map(_read_payload, rows))
        return found

    def upsert(self, points: Sequence[Point]) -> None:
        """See `VectorStore`."""
        collection = self._selected()
        rows = [(collection, *self._row(point)) for point in points]
        if not rows:
            return
        marks = ", ".join("?" * (4 + len(FIELDS)))
        names = ", ".join(FIELDS)
        with self._writing():
            self._connection.executemany(
                f"INSERT OR REPLACE INTO points (collection, id, {names}, payload, vector)"  # noqa: S608 (own names)
                f" VALUES ({marks})",
                rows,
            )

    def delete(self, ids: Iterable[uuid.UUID]) -> None:
        """See `VectorStore`."""
        collection = self._selected()
        rows = [(collection, point.bytes) for point in ids]
        if rows:
            with self._writing():
                self._connection.executemany(
                    "DELETE FROM points WHERE collection = ? AND id = ?", rows
                )

    def delete_where(self, where: Where) -> None:
        """See `VectorStore`."""
        check_not_empty(where)
        clause, values = self._clause(where)
        with self._writing():
            self._connection.execute(f"DELETE FROM points WHERE {clause}", values)  # noqa: S608

    def query(
        self,
        vector: npt.NDArray[np.float32],
        *,
        limit: int,
        where: Where,
        score_threshold: float | None = None,
    ) -> list[Found]:
        """See `VectorStore`."""
        if limit <= 0:
            return []
        self._selected()
        asked = unit_vector(vector, self._dimensions)
        with self._lock, self._translated():
            matrix = self._current_matrix()
            found = matrix.nearest(asked, limit, where, score_threshold)
            payloads = self.get([uuid.UUID(bytes=key) for key, _ in found])
        hits = [(uuid.UUID(bytes=key), score) for key, score in found]
        return [Found(key, score, payloads[key]) for key, score in hits if key in payloads]

    def count(self, where: Where) -> int:
        """See `VectorStore`."""
        clause, values = self._clause(where)
        with self._lock, self._translated():
            row = self._connection.execute(
                f"SELECT COUNT(*) FROM points WHERE {clause}",  # noqa: S608 (own names)
                values,
            ).fetchone()
        return int(row[0])

    def scroll(self, where: Where) -> Iterator[tuple[uuid.UUID, dict[str, Any]]]:
        """See `VectorStore`."""
        clause, values = self._clause(where)
        last = b""
        while True:
            with self._lock, self._translated():
                rows = self._connection.execute(
                    f"SELECT id, payload FROM points WHERE {clause} AND id > ?"  # noqa: S608
                    f" ORDER BY id LIMIT {_MANY}",
                    (*values, last),
                ).fetchall()
                page = [_read_payload(row) for row in rows]
            if not page:
                return
            yield from page
            last = rows[-1][0]

    def close(self) -> None:
        """See `VectorStore`."""
        with self._lock:
            self._matrix = None
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # --- rows ------------------------------------------------------------------------------------

    def _row(self, point: Point) -> tuple[Any, ...]:
        # A field that can be asked for has a column; the payload has all of them as JSON.
        columns = (point.payload.get(name) for name in FIELDS)
        vector = unit_vector(point.vector, self._dimensions)
        payload = json.dumps(dict(point.payload), sort_keys=True)
        return (point.id.bytes, *columns, payload, vector.astype("<f4").tobytes())

    def _clause(self, where: Where) -> tuple[str, tuple[Any, ...]]:
        parts, values = ["collection = ?"], [self._selected()]
        for name, value in where.items():
            check_field(name)
            if isinstance(value, str | int):
                parts.append(f"{name} = ?")
                values.append(value)  # type: ignore[arg-type]
            else:
                parts.append(f"{name} IN ({', '.join('?' * len(value))})")
                values.extend(value)
        return " AND ".join(parts), tuple(values)

    # --- the matrix ------------------------------------------------------------------------------

    def _current_matrix(self) -> Matrix:
        """All vectors of the collection; read again after a write, of this process or another."""
        other = self._connection.execute("PRAGMA data_version").fetchone()[0]
        version = (self._collection, other, self._writes)
        if self._matrix is None or version != self._matrix_version:
            self._matrix = self._read_matrix()
            self._matrix_version = version
        return self._matrix

    def _read_matrix(self) -> Matrix:
        total = self.count({})
        rows = self._connection.execute(
            "SELECT id, world_uuid, book_number, chunk_number, vector FROM points"
            " WHERE collection = ? ORDER BY book_number, chunk_number, id",
            (self._collection,),
        )
        matrix = Matrix.read(rows, total, self._dimensions)
        if not matrix.is_sound():
            raise self._malformed()
        return matrix

    # --- the file --------------------------------------------------------------------------------

    def _selected(self) -> int:
        if self._collection is None:
            raise VectorCollectionMissingError("Choose a collection first: ensure_collection().")
        return self._collection

    def _open(self) -> "sqlite3.Connection":
        import sqlite3

        if not self._readonly:
            return self._connected("rwc")
        # A WAL needs a shared-memory file beside it. Where the folder cannot be written, nobody
        # else writes the vectors either, so they can be read as an immutable file.
        try:
            return self._connected("ro")
        except sqlite3.OperationalError as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR):
                raise
            return self._connected("ro&immutable=1")

    def _connected(self, mode: str) -> "sqlite3.Connection":
        import sqlite3

        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=_WAITS_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: "sqlite3.Connection") -> None:
        if self._readonly:
            _is_empty(connection)  # raises here where it cannot be read
            return
        connection.execute("PRAGMA journal_mode = WAL")
        # A call that returned is on the disk: a paid vector is never made twice.
        connection.execute("PRAGMA synchronous = FULL")
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if (application, version) == (_APPLICATION_ID, _FORMAT):
            return
        with transaction(connection):
            if not _is_empty(connection):
                raise self._malformed()
            for statement in _TABLES:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {_FORMAT}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, self._translated(), transaction(self._connection):
            yield
            self._writes += 1

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            with translated(self._path.name):
                yield
        except IndexMalformedError:
            raise self._malformed() from None
        except CleanbreakError:
            raise
        except (TypeError, ValueError):  # a column holds what none of ours does
            raise self._malformed() from None

    def _malformed(self) -> StoreError:
        return VectorStoreMalformedError(
            f"{self._path.name} is damaged or not a file of vectors; delete it and embed again.",
            name=self._path.name,
        )


def _read_payload(row: tuple[bytes, str]) -> tuple[uuid.UUID, dict[str, Any]]:
    key, payload = row
    found = json.loads(payload)
    if not isinstance(found, dict):
        raise TypeError
    return uuid.UUID(bytes=key), found


def _is_empty(connection: "sqlite3.Connection") -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
