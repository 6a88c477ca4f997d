"""The SQLite file: opened, recognised, prepared; its errors as ours.

SQLite is loaded when a file is first opened, so that a program that only cuts texts does not pay
for it.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

import msgspec

from cleanbreak.errors import (
    DiskFullError,
    FormatTooNewError,
    IndexMalformedError,
    IndexMissingError,
    StoreError,
    WorldLockedError,
    WriteFailedError,
)
from cleanbreak.stores.fulltext.schema import (
    APPLICATION_ID,
    CHUNK_COLUMNS,
    DEFER,
    FORMAT,
    STATEMENTS,
    WRITE_DEFERRED,
)

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

# How long a writer waits for another. Readers never wait, as the journal is a WAL.
_WAITS_SECONDS = 10.0


def connect(path: "Path", *, readonly: bool = False) -> "sqlite3.Connection":
    """Open the index at `path`. Unless `readonly`, it is made if it is missing or outdated.

    An outdated index, which another version of cleanbreak made, is emptied.

    Raises:
        IndexMissingError: `readonly`, and there is no index.
        IndexMalformedError: the file is damaged, or another program's; or `readonly`, and it is
            outdated.
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
    # A WAL needs a shared-memory file beside it. Where the folder cannot be written, nobody else
    # writes the index either, so it can be read as an immutable file.
    for mode in ("ro", "ro&immutable=1"):
        connection = _open(path, mode)
        try:
            version = _recognise(connection, path.name)
        except sqlite3.OperationalError as error:
            connection.close()
            no_wal = _code(error) in (
                sqlite3.SQLITE_CANTOPEN,
                sqlite3.SQLITE_READONLY,
                sqlite3.SQLITE_FULL,  # a full disk has no room for the shared memory
                sqlite3.SQLITE_IOERR,
            )
            if mode != "ro" or not no_wal:
                raise
            continue
        except BaseException:
            connection.close()
            raise
        if not _is_current(connection, version):
            connection.close()
            raise _missing(path.name) if version == 0 else _outdated(path.name)
        return connection
    raise _missing(path.name)


def _recognise(connection: "sqlite3.Connection", name: str) -> int:
    """The format of an index of ours; 0 for an empty file."""
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
    if version > FORMAT:
        raise FormatTooNewError(
            f"{name} was made by a later version of cleanbreak (format {version}, and this one "
            f"knows {FORMAT}); upgrade cleanbreak, or delete the file and index again.",
            name=name,
            format=version,
            known=FORMAT,
        )
    return version


def _is_current(connection: "sqlite3.Connection", version: int) -> bool:
    columns = connection.execute("SELECT name FROM pragma_table_info('chunks')")
    return version == FORMAT and tuple(name for (name,) in columns) == CHUNK_COLUMNS


def prepare(connection: "sqlite3.Connection") -> None:
    """Set a connection up for writing, and make the tables unless they are those of this version."""
    connection.execute("PRAGMA journal_mode = WAL")
    # With a WAL this keeps the file sound at a power cut. Only the last runs may be lost, and the
    # index can be made again from the files.
    connection.execute("PRAGMA synchronous = NORMAL")
    if not _is_current(connection, _version(connection)):
        with transaction(connection):
            # Asked again, as another writer may have made them while this one waited.
            if not _is_current(connection, _version(connection)):
                _make_tables(connection)
    # Last, as it would not let tables be dropped that others refer to.
    connection.execute("PRAGMA foreign_keys = ON")


def _make_tables(connection: "sqlite3.Connection") -> None:
    # Views first, as they refer to tables. A full text table takes its shadow tables along.
    held = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'table')"
        " ORDER BY type DESC, sql NOT LIKE 'CREATE VIRTUAL %'"
    ).fetchall()
    for kind, name in held:
        connection.execute(f'DROP {kind} IF EXISTS "{name}"')
    for statement in STATEMENTS:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def _version(connection: "sqlite3.Connection") -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def discard_log(path: "Path") -> None:
    """Move what the log of an index holds into the index, if that can be, and remove the log.

    For an index that is about to be replaced: SQLite would take an old log for that of the new
    file. Readers that have the old index open keep its files.
    """
    with suppress(StoreError), translated(path.name), closing(_open(path, "rw")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


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
def deferred(connection: "sqlite3.Connection") -> Iterator[None]:
    """Inside a transaction: add the full text of its new chunks at the end, all or none.

    The triggers keep the full text in step for every program that writes. But a statement that
    fires a trigger opens a savepoint, at which FTS5 (of SQLite 3.40) writes what it has collected:
    one segment a chunk, to be merged later. Triggers therefore skip the chunks of a transaction of
    ours, and one statement at its end adds them, in a tenth of the time.
    """
    connection.execute(DEFER)
    yield
    for statement in WRITE_DEFERRED:
        connection.execute(statement)


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Turn errors that the file causes into ours; wrong use of SQLite by our own code stays."""
    import sqlite3

    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.IntegrityError as error:  # our writers keep the rules, so the file breaks them
        raise _translate(sqlite3.SQLITE_CORRUPT, name) from error
    except sqlite3.DatabaseError as error:
        raise _translate(_code(error), name) from error
    except (
        UnicodeDecodeError,
        msgspec.MsgspecError,
    ) as error:  # a column holds what none of ours does
        raise _translate(sqlite3.SQLITE_CORRUPT, name) from error


def _code(error: "sqlite3.Error") -> int:
    """The primary code of an error. Text that is not UTF-8 is reported without one, and is damage."""
    import sqlite3

    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)) & 0xFF


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
        f"{name} was made by another version of cleanbreak; index again to bring it up to date.",
        name=name,
    )
