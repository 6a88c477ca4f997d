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

# The header of a database, from https://www.sqlite.org/fileformat.html#the_database_header
_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_BYTES = slice(68, 72)


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
        connection.execute(f"CREATE TABLE chunks ({_COLUMNS.definitions})")

        def write(row: ExportRow) -> None:
            connection.execute(_INSERT, _COLUMNS.values(row))

        yield write
        connection.execute("COMMIT")
    finally:
        connection.close()


def refuse_foreign_database(path: Path) -> None:
    """Refuse to overwrite a database that is not an export of cleanbreak, or that is in use.

    Raises:
        WriteFailedError: if it is one. Files of other kinds, and none, are accepted.
    """
    try:
        with path.open("rb") as stream:
            header = stream.read(_APPLICATION_ID_BYTES.stop)
    except OSError:
        return  # nothing there, or nothing that can be read: writing will say what is wrong
    if not header.startswith(_MAGIC):
        return
    if header[_APPLICATION_ID_BYTES] != APPLICATION_ID.to_bytes(4, "big"):
        raise WriteFailedError(
            f"{path.name!r} is a database that cleanbreak did not export, so it is left unchanged; "
            "choose another output file.",
            name=path.name,
            foreign=True,
        )
    # SQLite would apply the journal of the old database to the new one.
    if any(path.with_name(path.name + suffix).exists() for suffix in ("-journal", "-wal")):
        raise WriteFailedError(
            f"{path.name!r} is open in another program, or was not closed by it; close it there, "
            "or choose another output file.",
            name=path.name,
            foreign=False,
        )


def sqlite_failure(error: sqlite3.Error, name: str) -> DiskFullError | WriteFailedError:
    """The error for what SQLite reports while the file called `name` is written."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return DiskFullError(
            f"There is no room to write {name!r}; make room and run again.", name=name
        )
    return WriteFailedError(f"{name!r} could not be written ({type(error).__name__}).", name=name)
