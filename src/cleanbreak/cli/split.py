"""``cleanbreak split``: cut files and print or save the chunks, streaming."""

import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import typer

from cleanbreak.cli import console
from cleanbreak.cli.reading import Password, use_password
from cleanbreak.cli.recipe import (
    By,
    ChunkSize,
    Language,
    MaxLookback,
    MaxSentences,
    MaxTokens,
    Measure,
    OverlapSize,
    Oversize,
    SoftWraps,
    build_splitter,
)
from cleanbreak.core.checks import one_of
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import SourceWarning
from cleanbreak.core.splitters import Splitter
from cleanbreak.engines.worker import Outcome
from cleanbreak.errors import CleanbreakError
from cleanbreak.export.row import RowSource, export_row
from cleanbreak.readers import read
from cleanbreak.readers.controls import clean
from cleanbreak.readers.listing import expand

Format = Literal["table", "text", "json", "jsonl", "sqlite", "parquet"]
Sourced = Iterator[tuple[RowSource, Chunk]]


def split(
    files: Annotated[
        list[Path], typer.Argument(help="TXT, Markdown, EPUB or PDF files, or folders.")
    ],
    by: By = "boundary",
    chunk_size: ChunkSize = None,
    max_lookback: MaxLookback = None,
    overlap_size: OverlapSize = None,
    max_sentences: MaxSentences = None,
    max_tokens: MaxTokens = None,
    measure: Measure = None,
    language: Language = None,
    soft_wraps: SoftWraps = None,
    oversize: Oversize = None,
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
    workers: Annotated[
        int,
        typer.Option("--workers", min=0, help="Read and cut in so many processes; 0: in this one."),
    ] = 0,
    encoding: Annotated[
        str | None,
        typer.Option("--encoding", help="Of text files, where the one found is wrong."),
    ] = None,
    password: Password = None,
    drop_furniture: Annotated[
        bool,
        typer.Option("--drop-furniture", help="Leave out the running heads and feet of PDF files."),
    ] = False,
    keep_going: Annotated[
        bool,
        typer.Option("--keep-going", "-k", help="Report a file that cannot be used, and go on."),
    ] = False,
) -> None:
    """Cut files into chunks and print them, or save them as they are cut.

    Example: `cleanbreak split book.txt --by sentences --max-tokens 200 --overlap 20`

    Example: `cleanbreak split library/ --workers 4 --keep-going -o chunks.parquet`
    """
    splitter = build_splitter(
        by,
        overlap=overlap_size,
        chunk_size=chunk_size,
        max_lookback=max_lookback,
        max_sentences=max_sentences,
        max_tokens=max_tokens,
        measure=measure,
        language=language,
        soft_wraps=soft_wraps,
        oversize=oversize,
    )
    use_password(password)
    unused: list[CleanbreakError] = []
    # Closed at once whatever happens, so that Ctrl-C leaves no worker behind.
    reading = {"encoding": encoding, "drop_furniture": drop_furniture}
    with closing(
        _chunks(files, splitter, workers, reading, unused if keep_going else None)
    ) as chunks:
        if output is not None:
            count = _save(chunks, output, output_format)
            if as_json:
                console.print_json({"output": output.name, "chunks": count})
        else:
            printer = one_of("format", output_format or "table", tuple(_PRINTERS))
            _PRINTERS["json" if as_json else printer](chunks)
    if unused:
        console.err.print(f"{len(unused)} of the files could not be used")
        raise typer.Exit(1)


def _save(chunks: Sourced, output: Path, output_format: str | None) -> int:
    from cleanbreak.export.sink import open_sink

    count = 0
    with open_sink(output, output_format) as write:
        for source, chunk in chunks:
            write(chunk, source)
            count += 1
    console.err.print(f"{count:,} chunks in {output.name}")
    return count


def _chunks(
    arguments: list[Path],
    splitter: Splitter,
    workers: int,
    reading: dict[str, Any],
    unused: list[CleanbreakError] | None,
) -> Generator[tuple[RowSource, Chunk], None, None]:
    """The chunks of all files in order. Errors go to `unused` if there is one, else they are raised."""
    files = expand(arguments)
    # Workers read as `read` does by default, so what asks for more is read here.
    pool = workers > 1 and not any(reading.values())
    cut = _cut_in_pool(files, splitter, workers) if pool else _cut_here(files, splitter, reading)
    with closing(cut):
        for file, chunks in zip(files, cut, strict=True):
            name, path = clean(file.name)[0], clean(_relative(file, arguments))[0]
            try:
                for sha256, chunk in chunks:
                    yield RowSource(name, path, sha256), chunk
            except CleanbreakError as error:
                if unused is None:
                    raise
                unused.append(error)
                console.err.print(f"{file.name}: {error.message} ({error.code})")


def _relative(file: Path, arguments: list[Path]) -> str:
    """The file's path inside the folder that was named, so that no full path is exported."""
    folder = next((folder for folder in arguments if folder in file.parents), file.parent)
    return file.relative_to(folder).as_posix()


Digested = Iterator[tuple[str | None, Chunk]]
"""The chunks of a file, each with the digest of the file's bytes."""


def _cut_here(
    files: list[Path], splitter: Splitter, reading: dict[str, Any]
) -> Generator[Digested, None, None]:
    """One file after the other, each cut while its chunks are used."""

    def cut(file: Path) -> Digested:
        document = read(file, **reading)
        _warn(file, document.warnings)
        sha256 = document.source.sha256 if document.source else None
        for chunk in splitter.stream(document):
            yield sha256, chunk

    for file in files:
        yield cut(file)


def _cut_in_pool(
    files: list[Path], splitter: Splitter, workers: int
) -> Generator[Digested, None, None]:
    """Several files at a time, each cut before its chunks are used."""
    from cleanbreak.engines.pool import cut_many

    def chunks(file: Path, outcome: Outcome) -> Digested:
        if isinstance(outcome, CleanbreakError):
            raise outcome
        _warn(file, outcome.warnings)
        for chunk in outcome.chunks:
            yield outcome.source_sha256, chunk

    with closing(cut_many(files, splitter, workers, progress=True)) as outcomes:
        for file, outcome in zip(files, outcomes, strict=True):
            yield chunks(file, outcome)


def _warn(file: Path, warnings: tuple[SourceWarning, ...]) -> None:
    for warning in warnings:
        console.print_warning(file.name, warning)


def _record(source: RowSource, chunk: Chunk) -> str:
    return msgspec.json.encode(export_row(chunk, source)).decode()


def _print_json(chunks: Sourced) -> None:
    count = 0
    try:
        for count, (source, chunk) in enumerate(chunks, 1):
            sys.stdout.write(("[\n" if count == 1 else ",\n") + _record(source, chunk))
    except CleanbreakError:
        # Nothing is printed for a source that cannot be read; what came before it stays JSON.
        if count:
            sys.stdout.write("\n]\n")
        raise
    sys.stdout.write("\n]\n" if count else "[]\n")


def _print_jsonl(chunks: Sourced) -> None:
    for source, chunk in chunks:
        sys.stdout.write(_record(source, chunk) + "\n")


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


_PRINTERS = {
    "json": _print_json,
    "jsonl": _print_jsonl,
    "text": _print_text,
    "table": _print_table,
}
