"""Rows as the table ``chunks`` of an SQLite database of their own."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cleanbreak.errors import DiskFullError, WriteFailedError
from cleanbreak.export.row import ExportRow
from cleanbreak.storage.columns import Columns

APPLICATION_ID = 0x636C6278
"""``clbx`` in ASCII: marks a database as an export of cleanbreak."""

_COLUMNS = Columns(ExportRow)
_INSERT = f"INSERT INTO chunks VALUES ({', '.join('?' * len(_COLUMNS.names))})"  # noqa: S608

# How long to wait for another program that writes the database.
_WAITS_SECONDS = 2.0


@contextmanager
def write_sqlite(path: Path) -> Iterator[Callable[[ExportRow], None]]:
    """Write rows to a new database at `path`, as they come."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # The file is thrown away unless it is whole, so SQLite need not guard it meanwhile.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("BEGIN")
        yield _table(connection)
        connection.execute("COMMIT")
    finally:
        connection.close()


@contextmanager
def write_table(path: Path) -> Iterator[Callable[[ExportRow], None]]:
    """Write rows to the table ``chunks`` of a database that is there, in one transaction.

    Everything else that it holds stays. A table ``chunks`` that was there is replaced.

    Raises:
        WriteFailedError: if another program has the database open for writing.
    """
    connection = sqlite3.connect(path, isolation_level=None, timeout=_WAITS_SECONDS)
    try:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            raise WriteFailedError(
                f"{path.name!r} is being written by another program; close it there, or choose "
                "another output file.",
                name=path.name,
                foreign=False,
            ) from None
        connection.execute("DROP TABLE IF EXISTS chunks")
        yield _table(connection)
        connection.execute("COMMIT")
    finally:
        # What was not committed is rolled back.
        connection.close()


def _table(connection: sqlite3.Connection) -> Callable[[ExportRow], None]:
    connection.execute(f"CREATE TABLE chunks ({_COLUMNS.definitions})")

    def write(row: ExportRow) -> None:
        connection.execute(_INSERT, _COLUMNS.values(row))

    return write


def sqlite_failure(error: sqlite3.Error, name: str) -> DiskFullError | WriteFailedError:
    """The error for what SQLite reports while the file called `name` is written."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return DiskFullError(
            f"There is no room to write {name!r}; make room and run again.", name=name
        )
    return WriteFailedError(f"{name!r} could not be written ({type(error).__name__}).", name=name)
