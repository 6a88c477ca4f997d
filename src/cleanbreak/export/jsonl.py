"""Rows as JSON lines: one object a line, UTF-8, ended by LF."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from cleanbreak.export.row import ExportRow


@contextmanager
def write_jsonl(path: Path) -> Iterator[Callable[[ExportRow], None]]:
    """Write rows to a new file at `path`, as they come."""
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as stream:

        def write(row: ExportRow) -> None:
            stream.write(encode(row) + b"\n")

        yield write
