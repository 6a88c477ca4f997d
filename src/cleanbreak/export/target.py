"""What an export may replace: a file that cleanbreak wrote, and nothing else unless it is asked to."""

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from cleanbreak.errors import WriteFailedError
from cleanbreak.export.html import GENERATOR
from cleanbreak.export.row import ExportRow

# The header of a database, from https://www.sqlite.org/fileformat.html#the_database_header
_SQLITE = b"SQLite format 3\0"
_PARQUET = b"PAR1"
# Bytes from the start of a page in which its generator stands.
_HEAD_OF_HTML = 200

# Fields that every export had so far; no other program is likely to have all of them.
_OURS = {"chunk_id", "chunk_text", "character_start_offset", "byte_offset"}

# A line of JSON that is longer than this is no chunk of ours.
_LONGEST_LINE = 64 << 20


def check_target(path: Path, file_format: str, *, overwrite: bool) -> None:
    """Refuse to replace what is not an export of cleanbreak.

    An SQLite database keeps all it holds beside the table ``chunks``; so it is refused only if it
    has a table of that name that is another one. An empty file is nothing.

    Raises:
        WriteFailedError: if the folder is not there, or the file is of somebody else and
            `overwrite` is not set, or a database is in use.
    """
    if len(path.parts) > 2 and path.parts[0].endswith(":") and len(path.parts[0]) > 2:
        raise WriteFailedError(
            f"{path.name!r} is at an address of the network, and exports go to files; name a local file.",
            name=path.name,
        )
    if not path.parent.is_dir():
        raise WriteFailedError(
            f"{path.name!r} cannot be written, as its folder does not exist; make the folder "
            "first.",
            name=path.name,
        )
    if not path.is_file() or not path.stat().st_size:
        return  # nothing there, or nothing that can be replaced: writing says what is wrong
    if file_format == "sqlite" and is_database(path):
        _check_table(path, overwrite=overwrite)
    elif not overwrite and not _is_export(path):
        raise WriteFailedError(
            f"{path.name!r} exists and is no export of cleanbreak, so it is left unchanged; choose "
            "another output file, or overwrite it (--overwrite).",
            name=path.name,
            foreign=True,
        )


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database."""
    return _head(path, len(_SQLITE)) == _SQLITE


def _check_table(path: Path, *, overwrite: bool) -> None:
    columns = _table_columns(path)
    if columns and not (columns >= _OURS and "line" not in columns) and not overwrite:
        raise WriteFailedError(
            f"{path.name!r} has a table 'chunks' that is no export of cleanbreak, so it is left "
            "unchanged; choose another output file, or overwrite the table (--overwrite).",
            name=path.name,
            foreign=True,
        )


def _table_columns(path: Path) -> set[str]:
    """The columns of the table ``chunks`` of a database; none if there is no such table."""
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        return {
            name for (name,) in connection.execute("SELECT name FROM pragma_table_info('chunks')")
        }
    return set()


def _is_export(path: Path) -> bool:
    head = _head(path, len(_SQLITE))
    if head == _SQLITE:
        return _table_columns(path) == set(ExportRow.__struct_fields__)
    if head.startswith(_PARQUET):
        return _parquet_columns(path) >= _OURS
    if GENERATOR.encode() in _head(path, _HEAD_OF_HTML):
        return True
    with suppress(OSError, ValueError), path.open("rb") as stream:
        row = json.loads(stream.readline(_LONGEST_LINE))
        return isinstance(row, dict) and row.keys() >= _OURS
    return False


def _parquet_columns(path: Path) -> set[str]:
    from cleanbreak.export.parquet import column_names

    return set(column_names(path))


def _head(path: Path, count: int) -> bytes:
    with suppress(OSError), path.open("rb") as stream:
        return stream.read(count)
    return b""
