"""The SQLite file: opened, recognised, migrated; its errors in our words.

SQLite is loaded when a file is first opened, so that whoever only cuts texts does not pay for it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cleanbreak.errors import (
    DiskFullError,
    FormatTooNewError,
    IndexMalformedError,
    IndexMissingError,
    StoreError,
    WorldLockedError,
    WriteFailedError,
)
from cleanbreak.stores.fulltext.schema import APPLICATION_ID, MIGRATIONS

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

_WAITS_SECONDS = 10.0
"""How long a writer waits for another; readers never wait, as the journal is a WAL."""


def connect(path: "Path", *, readonly: bool = False) -> "sqlite3.Connection":
    """Open the index at `path`, made or migrated first unless `readonly`.

    Raises:
        IndexMissingError: `readonly`, and there is no index.
        IndexMalformedError: the file is damaged, or another program's.
        FormatTooNewError: a later version of cleanbreak made it.
        WriteFailedError: the file cannot be opened or written.
    """
    with translated(path.name):
        if readonly:
            return _open_readonly(path)
        connection = _open(path, "rwc")
        try:
            _recognise(connection, path.name)
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _open(path: "Path", mode: str) -> "sqlite3.Connection":
    import sqlite3

    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_WAITS_SECONDS,
        isolation_level=None,
    )


def _open_readonly(path: "Path") -> "sqlite3.Connection":
    import sqlite3

    if not os.path.exists(path):  # noqa: PTH110 (Path raises where it may not be looked at)
        raise _missing(path.name)
    # A WAL needs a shared-memory file beside it. Where the folder cannot be written nobody else
    # writes the index either, so that it may be read as it lies there.
    for mode in ("ro", "ro&immutable=1"):
        connection = _open(path, mode)
        try:
            version = _recognise(connection, path.name)
        except sqlite3.OperationalError as error:
            connection.close()
            no_wal = error.sqlite_errorcode & 0xFF in (
                sqlite3.SQLITE_CANTOPEN,
                sqlite3.SQLITE_READONLY,
            )
            if mode != "ro" or not no_wal:
                raise
            continue
        except BaseException:
            connection.close()
            raise
        if version < len(MIGRATIONS):
            connection.close()
            raise _missing(path.name) if version == 0 else _outdated(path.name)
        return connection
    raise _missing(path.name)


def _recognise(connection: "sqlite3.Connection", name: str) -> int:
    """The version of an index of ours; 0 for an empty file."""
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if application != APPLICATION_ID:
        if application or version or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise IndexMalformedError(
                f"{name} is the database of another program, so it is left alone; "
                "choose another file for the index.",
                name=name,
                foreign=True,
            )
        return 0
    if version > len(MIGRATIONS):
        raise FormatTooNewError(
            f"{name} was made by a later version of cleanbreak (format {version}, and this one "
            f"knows {len(MIGRATIONS)}); upgrade cleanbreak, or delete the file and index again.",
            name=name,
            format=version,
            known=len(MIGRATIONS),
        )
    return version


def prepare(connection: "sqlite3.Connection") -> None:
    """Set a connection up for writing, and bring the tables up to date."""
    connection.execute("PRAGMA journal_mode = WAL")
    # With a WAL this keeps the file sound at a power cut; only the last runs may be undone, and
    # what an index holds can be made again.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    if _version(connection) < len(MIGRATIONS):
        with transaction(connection):
            for step in range(_version(connection), len(MIGRATIONS)):
                for statement in MIGRATIONS[step].statements:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _version(connection: "sqlite3.Connection") -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def transaction(connection: "sqlite3.Connection") -> Iterator[None]:
    """All or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Turn what SQLite reports of the file into our errors; our own mistakes stay as they are."""
    import sqlite3

    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise
    except sqlite3.DatabaseError as error:
        raise _translate(error.sqlite_errorcode & 0xFF, name) from error


def _translate(code: int, name: str) -> StoreError:
    import sqlite3

    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return IndexMalformedError(
            f"{name} is damaged or not an index; delete it and index again.", name=name
        )
    if code == sqlite3.SQLITE_FULL:
        return DiskFullError(
            f"The disk is full, so {name} keeps what it held before; make room and run again.",
            name=name,
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return WorldLockedError(
            f"Another run is writing {name}; wait for it to end and run again.", name=name
        )
    if code == sqlite3.SQLITE_ERROR:
        return IndexMalformedError(
            f"{name} lacks what an index holds; delete it and index again.", name=name
        )
    return WriteFailedError(
        f"{name} cannot be opened or written; check the folder's permissions and the disk.",
        name=name,
        sqlite_code=code,
    )


def _missing(name: str) -> IndexMissingError:
    return IndexMissingError(f"There is no index {name} yet; index first.", name=name)


def _outdated(name: str) -> IndexMalformedError:
    return IndexMalformedError(
        f"{name} was made by an earlier version of cleanbreak; index again to bring it up to date.",
        name=name,
    )
