"""Where chunks go as they are cut: one file of JSON lines, SQLite or Parquet, all or nothing.

A sink writes a temporary file beside the target and takes its name at the end, so that the target
is the old file or the whole new one, never a part. It holds a few hundred chunks at most.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from cleanbreak.core.checks import one_of
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.record import named_record
from cleanbreak.errors import DependencyMissingError, DiskFullError, SettingsError, WriteFailedError
from cleanbreak.storage.files import Files, discard, temporary_name, translated

Write = Callable[[str, Chunk], None]
"""(name of the source, its next chunk)."""

FORMATS = ("jsonl", "sqlite", "parquet")
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".parquet": "parquet",
}
_BATCH = 512
"""Rows written at once; a Parquet row group of this size is a megabyte or so."""


def format_of(path: Path) -> str | None:
    """The format that a file's name asks for, if any.

    >>> format_of(Path("chunks.parquet"))
    'parquet'
    """
    return _SUFFIXES.get(path.suffix.lower())


@contextmanager
def open_sink(path: Path, file_format: str | None = None) -> Iterator[Write]:
    """Write chunks to `path`; it is there, whole and durable, once the block has ended well.

    >>> from tempfile import TemporaryDirectory
    >>> from cleanbreak import split
    >>> with TemporaryDirectory() as folder:
    ...     target = Path(folder, "chunks.jsonl")
    ...     with open_sink(target) as write:
    ...         for chunk in split("One. Two.", chunk_size=5):
    ...             write("two.txt", chunk)
    ...     len(target.read_text().splitlines())
    2

    Raises:
        SettingsError: for a format that is not there.
        DependencyMissingError: for Parquet without the extra.
        DiskFullError, WriteFailedError: if the file cannot be written; the old one is as it was.
    """
    chosen = file_format or format_of(path)
    if chosen is None:
        raise SettingsError("output", path.suffix, "a name that ends in " + ", ".join(_SUFFIXES))
    one_of("format", chosen, FORMATS)
    temporary = temporary_name(path)
    discard([temporary])
    try:
        try:
            with _OPEN[chosen](temporary) as write:
                yield write
            Files().put_in_place(temporary, path)
        except OSError as error:
            raise translated(error, path) from None
        except sqlite3.Error as error:
            raise _from_sqlite(error, path) from None
    finally:
        discard([temporary])


# --- JSON lines ----------------------------------------------------------------------------------


@contextmanager
def _jsonl(path: Path) -> Iterator[Write]:
    with path.open("wb") as stream:
        encode = msgspec.json.Encoder().encode

        def write(name: str, chunk: Chunk) -> None:
            stream.write(encode(named_record(name, chunk)) + b"\n")

        yield write


# --- SQLite --------------------------------------------------------------------------------------

_TABLE = """
CREATE TABLE chunks (
  source_filename TEXT NOT NULL,
  chunk_number INTEGER NOT NULL,
  chunk_id TEXT NOT NULL,
  chunk_text TEXT NOT NULL,
  overlap_text TEXT NOT NULL,
  character_start_offset INTEGER NOT NULL,
  character_end_offset INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  byte_length INTEGER NOT NULL,
  token_count INTEGER,
  heading_path TEXT,
  sections TEXT NOT NULL,
  oversize INTEGER NOT NULL
)
"""
_INSERT = """
INSERT INTO chunks VALUES (
  :source_filename, :chunk_number, :chunk_id, :chunk_text, :overlap_text, :character_start_offset,
  :character_end_offset, :byte_offset, :byte_length, :token_count, :heading_path, :sections,
  :oversize
)
"""


@contextmanager
def _sqlite(path: Path) -> Iterator[Write]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # The file is thrown away unless it is whole, so SQLite need not guard it meanwhile.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        connection.execute(_TABLE)

        def write(name: str, chunk: Chunk) -> None:
            record = named_record(name, chunk)
            record["sections"] = msgspec.json.encode(record["sections"]).decode()
            connection.execute(_INSERT, record)

        yield write
        connection.execute("COMMIT")
    finally:
        connection.close()


def _from_sqlite(error: sqlite3.Error, path: Path) -> DiskFullError | WriteFailedError:
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return DiskFullError(
            f"There is no room to write {path.name!r}; make room and run again.", name=path.name
        )
    return WriteFailedError(
        f"{path.name!r} could not be written ({type(error).__name__}).", name=path.name
    )


# --- Parquet -------------------------------------------------------------------------------------


@contextmanager
def _parquet(path: Path) -> Iterator[Write]:
    pyarrow, parquet = _pyarrow()
    schema = _schema(pyarrow)
    rows: list[dict[str, Any]] = []
    with path.open("wb") as stream, parquet.ParquetWriter(stream, schema) as writer:

        def flush() -> None:
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))
            rows.clear()

        def write(name: str, chunk: Chunk) -> None:
            rows.append(named_record(name, chunk))
            if len(rows) >= _BATCH:
                flush()

        yield write
        flush()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise DependencyMissingError(
            "Parquet needs pyarrow; install cleanbreak[parquet].",
            package="pyarrow",
            extra="parquet",
        ) from None
    return pa, parquet


def _schema(pyarrow: Any) -> Any:
    text, whole = pyarrow.string(), pyarrow.int64()
    section = pyarrow.struct(
        [
            ("kind", text),
            ("title", text),
            ("level", whole),
            ("character_start_offset", whole),
            ("character_end_offset", whole),
        ]
    )
    return pyarrow.schema(
        [
            ("source_filename", text),
            ("chunk_number", whole),
            ("chunk_id", text),
            ("chunk_text", text),
            ("overlap_text", text),
            ("character_start_offset", whole),
            ("character_end_offset", whole),
            ("byte_offset", whole),
            ("byte_length", whole),
            ("token_count", whole),
            ("heading_path", text),
            ("sections", pyarrow.list_(section)),
            ("oversize", pyarrow.bool_()),
        ]
    )


_OPEN = {"jsonl": _jsonl, "sqlite": _sqlite, "parquet": _parquet}
