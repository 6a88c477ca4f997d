"""``cleanbreak split``: cut files and print or save the chunks, streaming."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from cleanbreak.cli import console
from cleanbreak.cli.recipe import (
    By,
    ChunkSize,
    MaxLookback,
    MaxTokens,
    Measure,
    OverlapSize,
    build_splitter,
)
from cleanbreak.core.checks import one_of
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.record import chunk_record
from cleanbreak.core.splitters import Splitter
from cleanbreak.readers import read

Format = Literal["table", "text", "json", "jsonl", "sqlite", "parquet"]
Named = Iterator[tuple[str, Chunk]]


def split(
    files: Annotated[list[Path], typer.Argument(help="TXT, Markdown, EPUB or PDF files.")],
    by: By = "boundary",
    chunk_size: ChunkSize = None,
    max_lookback: MaxLookback = None,
    overlap_size: OverlapSize = None,
    max_tokens: MaxTokens = None,
    measure: Measure = None,
    output_format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="How to print the chunks (table), or to save them (by the file's name).",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Save to a .jsonl, .sqlite or .parquet file, whole."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
) -> None:
    """Cut files into chunks and print them, or save them as they are cut.

    Example: `cleanbreak split book.txt --chunk-size 800 -o chunks.parquet`
    """
    splitter = build_splitter(
        by,
        overlap=overlap_size,
        chunk_size=chunk_size,
        max_lookback=max_lookback,
        max_tokens=max_tokens,
        measure=measure,
    )
    chunks = _chunks(files, splitter)
    if output is not None:
        _save(chunks, output, output_format)
    else:
        printer = one_of("format", output_format or "table", tuple(_PRINTERS))
        _PRINTERS["json" if as_json else printer](chunks)


def _save(chunks: Named, output: Path, output_format: str | None) -> None:
    from cleanbreak.engines.sinks import open_sink

    count = 0
    with open_sink(output, output_format) as write:
        for name, chunk in chunks:
            write(name, chunk)
            count += 1
    console.err.print(f"{count:,} chunks in {output.name}", markup=False)


def _chunks(files: list[Path], splitter: Splitter) -> Named:
    for file in files:
        document = read(file)
        for warning in document.warnings:
            console.err.print(f"{file.name}: {warning.message} ({warning.code})", markup=False)
        for chunk in splitter.stream(document):
            yield file.name, chunk


def _record(name: str, chunk: Chunk) -> str:
    return json.dumps({"source_filename": name, **chunk_record(chunk)}, ensure_ascii=False)


def _print_json(chunks: Named) -> None:
    sys.stdout.write("[")
    for count, (name, chunk) in enumerate(chunks):
        sys.stdout.write(",\n" if count else "\n")
        sys.stdout.write(_record(name, chunk))
    sys.stdout.write("\n]\n")


def _print_jsonl(chunks: Named) -> None:
    for name, chunk in chunks:
        sys.stdout.write(_record(name, chunk) + "\n")


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


_PRINTERS = {
    "json": _print_json,
    "jsonl": _print_jsonl,
    "text": _print_text,
    "table": _print_table,
}
