"""Rows as a Parquet file; needs pyarrow, from the extra ``parquet``."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from cleanbreak.errors import DependencyMissingError
from cleanbreak.export.row import ExportRow
from cleanbreak.storage.columns import field_kinds, without_none

# Rows written at once; a row group of this size is a megabyte or so.
_BATCH = 512


@contextmanager
def write_parquet(path: Path) -> Iterator[Callable[[ExportRow], None]]:
    """Write rows to a new file at `path`, a group at a time.

    Raises:
        DependencyMissingError: without pyarrow.
    """
    pyarrow, parquet = arrow()
    columns = schema(pyarrow)
    rows: list[dict[str, Any]] = []
    with path.open("wb") as stream, parquet.ParquetWriter(stream, columns) as writer:

        def flush() -> None:
            writer.write_table(pyarrow.Table.from_pylist(rows, columns))
            rows.clear()

        def write(row: ExportRow) -> None:
            rows.append(msgspec.to_builtins(row))
            if len(rows) >= _BATCH:
                flush()

        yield write
        flush()


def column_names(path: Path) -> list[str]:
    """The columns of a Parquet file; none if it cannot be read.

    Raises:
        DependencyMissingError: without pyarrow.
    """
    pyarrow, parquet = arrow()
    try:
        names: list[str] = parquet.read_schema(path).names
    except (OSError, pyarrow.ArrowException):
        return []
    return names


def arrow() -> tuple[Any, Any]:
    """The modules ``pyarrow`` and ``pyarrow.parquet``.

    Raises:
        DependencyMissingError: without pyarrow.
    """
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


def schema(pyarrow: Any) -> Any:
    """The Arrow schema of rows."""
    kinds = field_kinds(ExportRow)
    return pyarrow.schema([(name, _arrow_type(pyarrow, kind)) for name, kind in kinds.items()])


def _arrow_type(pyarrow: Any, kind: inspect.Type) -> Any:
    match without_none(kind):
        case inspect.IntType():
            return pyarrow.int64()
        case inspect.BoolType():
            return pyarrow.bool_()
        case inspect.VarTupleType(item_type=item):
            return pyarrow.list_(_arrow_type(pyarrow, item))
        case inspect.StructType(fields=fields):
            return pyarrow.struct(
                [(field.name, _arrow_type(pyarrow, field.type)) for field in fields]
            )
        case _:
            return pyarrow.string()
