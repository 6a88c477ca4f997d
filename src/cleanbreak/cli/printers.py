"""The formats in which ``cleanbreak split`` prints chunks."""

import sys
from collections.abc import Callable, Iterator

import msgspec

from cleanbreak.cli import console
from cleanbreak.core.chunk import Chunk
from cleanbreak.errors import CleanbreakError
from cleanbreak.export.row import RowSource, export_row

Sourced = Iterator[tuple[RowSource, Chunk]]


def _print_json(chunks: Sourced) -> None:
    stream = console.in_utf8(sys.stdout)
    count = 0
    try:
        for count, (source, chunk) in enumerate(chunks, 1):
            stream.write(("[\n" if count == 1 else ",\n") + _record(source, chunk))
    except CleanbreakError:
        # Nothing is printed for a source that cannot be read; what came before it stays JSON.
        if count:
            stream.write("\n]\n")
        raise
    stream.write("\n]\n" if count else "[]\n")


def _print_jsonl(chunks: Sourced) -> None:
    stream = console.in_utf8(sys.stdout)
    for source, chunk in chunks:
        stream.write(_record(source, chunk) + "\n")


def _print_text(chunks: Sourced) -> None:
    for source, chunk in chunks:
        place = f"{source.filename} {chunk.number} [{chunk.start}:{chunk.end}]"
        sys.stdout.write(f"--- {place}\n{chunk.text}\n")


def _print_table(chunks: Sourced) -> None:
    rows = (
        (
            source.filename,
            chunk.number,
            f"{chunk.start}-{chunk.end}",
            chunk.heading_path,
            console.one_line(chunk.text),
        )
        for source, chunk in chunks
    )
    console.print_table("", ("source", "chunk", "characters", "heading", "text"), rows)


def _record(source: RowSource, chunk: Chunk) -> str:
    return msgspec.json.encode(export_row(chunk, source)).decode()


PRINTERS: dict[str, Callable[[Sourced], None]] = {
    "json": _print_json,
    "jsonl": _print_jsonl,
    "text": _print_text,
    "table": _print_table,
}
