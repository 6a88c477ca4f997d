"""Where chunks go as they are cut: one file of JSON lines, SQLite, Parquet or HTML.

A sink writes a temporary file beside the target and gives it the target's name at the end, so that
the target is the old file or the whole new one, never a part. It holds a few hundred chunks at
most; for HTML it holds all.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from cleanbreak.core.checks import one_of
from cleanbreak.core.chunk import Chunk, ChunkRecord
from cleanbreak.errors import SettingsError, StoreError
from cleanbreak.export.html import write_html
from cleanbreak.export.jsonl import write_jsonl
from cleanbreak.export.parquet import write_parquet
from cleanbreak.export.row import ExportRow, RowSource, export_row
from cleanbreak.export.sqlite import sqlite_failure, write_sqlite, write_table
from cleanbreak.export.target import check_target, is_database
from cleanbreak.storage.files import Files, discard, temporary_name, translated


class Write(Protocol):
    """Takes the chunks of a sink, one at a time."""

    def __call__(self, chunk: Chunk | ChunkRecord, source: RowSource | None = None) -> None:
        """Write a chunk; `source` is what its row says of the source, beyond the file name."""


_WRITERS: dict[str, Callable[[Path], AbstractContextManager[Callable[[ExportRow], None]]]] = {
    "jsonl": write_jsonl,
    "sqlite": write_sqlite,
    "parquet": write_parquet,
    "html": write_html,
}
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".parquet": "parquet",
    ".html": "html",
}


def format_of(path: str | os.PathLike[str]) -> str | None:
    """The format that a file's name asks for, if any.

    >>> format_of("chunks.parquet")
    'parquet'
    """
    return _SUFFIXES.get(Path(path).suffix.lower())


@contextmanager
def open_sink(
    path: str | os.PathLike[str], file_format: str | None = None, *, overwrite: bool = False
) -> Iterator[Write]:
    """Write chunks to `path`; it is there, whole and durable, once the block has ended well.

    Every chunk is one `ExportRow`. A file that is there is replaced if cleanbreak exported it; a
    database that is there gets, or keeps, a table ``chunks``, and all else in it stays.

    >>> from tempfile import TemporaryDirectory
    >>> from cleanbreak import split
    >>> with TemporaryDirectory() as folder:
    ...     target = Path(folder, "chunks.jsonl")
    ...     with open_sink(target) as write:
    ...         for chunk in split("One. Two.", chunk_size=5):
    ...             write(chunk)
    ...     len(target.read_text().splitlines())
    2

    Args:
        path: the file to write.
        file_format: ``jsonl``, ``sqlite``, ``parquet`` or ``html``; if not given, the name's ending says it.
        overwrite: replace a file, or a table ``chunks``, that is no export of cleanbreak.

    Raises:
        SettingsError: for a format that is not there.
        DependencyMissingError: for Parquet without the extra.
        DiskFullError, WriteFailedError: if the file cannot be written, or must not be replaced; the
            old one is unchanged.
    """
    target = Path(path)
    chosen = file_format or format_of(target)
    if chosen is None:
        raise SettingsError("output", target.suffix, "a name that ends in " + ", ".join(_SUFFIXES))
    one_of("format", chosen, tuple(_WRITERS))
    check_target(target, chosen, overwrite=overwrite)
    temporary = temporary_name(target)
    discard([temporary])
    try:
        if chosen == "sqlite" and is_database(target):
            with write_table(target) as write_row:
                yield lambda chunk, source=None: write_row(export_row(chunk, source))
            return
        with _WRITERS[chosen](temporary) as write_row:
            yield lambda chunk, source=None: write_row(export_row(chunk, source))
        _put_in_place(temporary, target)
    except OSError as error:
        raise _failure(translated(error, target), target) from None
    except sqlite3.Error as error:
        raise sqlite_failure(error, target.name) from None
    finally:
        discard([temporary])


def _put_in_place(temporary: Path, target: Path) -> None:
    try:
        Files().put_in_place(temporary, target)
    except StoreError as error:
        raise _failure(error, target) from None


def _failure(error: StoreError, target: Path) -> StoreError:
    """The same error, with the advice that fits an export: it is written whole, not resumed."""
    number = error.details["errno"]
    reason = os.strerror(number) if number else "unknown reason"
    return type(error)(
        f"{target.name!r} could not be written ({reason}); a file of that name that was there is "
        "unchanged. Correct the cause and run again.",
        name=target.name,
        errno=number,
    )
