"""The formats in which ``cleanbreak split`` prints chunks."""

import json
import sys
from collections.abc import Callable, Iterator

from cleanbreak.cli import console
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.record import named_record
from cleanbreak.errors import CleanbreakError

Named = Iterator[tuple[str, Chunk]]


def _print_json(chunks: Named) -> None:
    stream = console.in_utf8(sys.stdout)
    count = 0
    try:
        for count, (name, chunk) in enumerate(chunks, 1):
            stream.write(("[\n" if count == 1 else ",\n") + _record(name, chunk))
    except CleanbreakError:
        # Nothing is printed for a source that cannot be read; what came before it stays JSON.
        if count:
            stream.write("\n]\n")
        raise
    stream.write("\n]\n" if count else "[]\n")


def _print_jsonl(chunks: Named) -> None:
    stream = console.in_utf8(sys.stdout)
    for name, chunk in chunks:
        stream.write(_record(name, chunk) + "\n")


def _print_text(chunks: Named) -> None:
    for name, chunk in chunks:
        sys.stdout.write(f"--- {name} {chunk.number} [{chunk.start}:{chunk.end}]\n{chunk.text}\n")


def _print_table(chunks: Named) -> None:
    rows = (
        (
            name,
            chunk.number,
            f"{chunk.start}-{chunk.end}",
            chunk.heading_path,
            console.one_line(chunk.text),
        )
        for name, chunk in chunks
    )
    console.print_table("", ("source", "chunk", "characters", "heading", "text"), rows)


def _record(name: str, chunk: Chunk) -> str:
    return json.dumps(named_record(name, chunk), ensure_ascii=False)


PRINTERS: dict[str, Callable[[Named], None]] = {
    "json": _print_json,
    "jsonl": _print_jsonl,
    "text": _print_text,
    "table": _print_table,
}
