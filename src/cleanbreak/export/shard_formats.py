"""The formats of shards: rows become bytes where a source is cut, and a file where all are gathered.

So worker processes do the work of encoding, and their answers are bytes and not objects.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from cleanbreak.export.parquet import arrow, schema
from cleanbreak.export.row import ExportRow

# Rows of a row group of Parquet; with chunks of a thousand characters it is some 4 MB.
_GROUP_ROWS = 4096


class ShardFile(Protocol):
    """A file of encoded rows that is being written."""

    def add(self, encoded: bytes) -> None:
        """Append the rows of one source."""

    def close(self) -> None:
        """Finish the file."""


class ShardFormat(NamedTuple):
    """How rows are encoded, and how the file of them is written."""

    suffix: str
    encode: Callable[[Iterable[ExportRow]], bytes]
    open: Callable[[Path], ShardFile]


def _encode_jsonl(rows: Iterable[ExportRow]) -> bytes:
    encode = msgspec.json.Encoder().encode
    return b"".join(encode(row) + b"\n" for row in rows)


class _JsonLines:
    def __init__(self, path: Path) -> None:
        self._stream = path.open("wb")

    def add(self, encoded: bytes) -> None:
        self._stream.write(encoded)

    def close(self) -> None:
        self._stream.close()


def _encode_parquet(rows: Iterable[ExportRow]) -> bytes:
    """The rows as an Arrow stream."""
    pyarrow, _ = arrow()
    table = pyarrow.Table.from_pylist([msgspec.to_builtins(row) for row in rows], schema(pyarrow))
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    encoded: bytes = sink.getvalue().to_pybytes()
    return encoded


class _Parquet:
    """Row groups of `_GROUP_ROWS`, so that equal rows in equal order give equal bytes."""

    def __init__(self, path: Path) -> None:
        self._pyarrow, parquet = arrow()
        self._schema = schema(self._pyarrow)
        self._stream = path.open("wb")
        self._writer = parquet.ParquetWriter(self._stream, self._schema, compression="zstd")
        self._waiting: list[Any] = []
        self._rows = 0

    def add(self, encoded: bytes) -> None:
        table = self._pyarrow.ipc.open_stream(encoded).read_all()
        self._waiting.append(table)
        self._rows += table.num_rows
        if self._rows >= _GROUP_ROWS:
            self._flush()

    def _flush(self) -> None:
        table = self._pyarrow.concat_tables(self._waiting)
        self._writer.write_table(table, row_group_size=_GROUP_ROWS)
        self._waiting.clear()
        self._rows = 0

    def close(self) -> None:
        try:
            if self._waiting:
                self._flush()
            self._writer.close()
        finally:
            self._stream.close()


SHARD_FORMATS = {
    "jsonl": ShardFormat(".jsonl", _encode_jsonl, _JsonLines),
    "parquet": ShardFormat(".parquet", _encode_parquet, _Parquet),
}
