"""``cleanbreak split``: cut files and print or save the chunks, streaming."""

import json
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Literal

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
from cleanbreak.core.record import named_record
from cleanbreak.core.splitters import Splitter
from cleanbreak.engines.worker import Outcome
from cleanbreak.errors import CleanbreakError
from cleanbreak.readers import read
from cleanbreak.readers.controls import clean
from cleanbreak.worlds.plan import expand

Format = Literal["table", "text", "json", "jsonl", "sqlite", "parquet"]
Named = Iterator[tuple[str, Chunk]]


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
        _chunks(expand(files), splitter, workers, reading, unused if keep_going else None)
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


def _save(chunks: Named, output: Path, output_format: str | None) -> int:
    from cleanbreak.export.sinks import open_sink

    count = 0
    with open_sink(output, output_format) as write:
        for name, chunk in chunks:
            write(name, chunk)
            count += 1
    console.err.print(f"{count:,} chunks in {output.name}")
    return count


def _chunks(
    files: list[Path],
    splitter: Splitter,
    workers: int,
    reading: dict[str, Any],
    unused: list[CleanbreakError] | None,
) -> Generator[tuple[str, Chunk], None, None]:
    """The chunks of all files in order. Errors go to `unused` if there is one, else they are raised."""
    # Workers read as `read` does by default, so what asks for more is read here.
    pool = workers > 1 and not any(reading.values())
    cut = _cut_in_pool(files, splitter, workers) if pool else _cut_here(files, splitter, reading)
    with closing(cut):
        for file, chunks in zip(files, cut, strict=True):
            try:
                name = clean(file.name)[0]
                for chunk in chunks:
                    yield name, chunk
            except CleanbreakError as error:
                if unused is None:
                    raise
                unused.append(error)
                console.err.print(f"{file.name}: {error.message} ({error.code})")


def _cut_here(
    files: list[Path], splitter: Splitter, reading: dict[str, Any]
) -> Generator[Iterable[Chunk], None, None]:
    """One file after the other, each cut while its chunks are used."""

    def cut(file: Path) -> Iterator[Chunk]:
        document = read(file, **reading)
        _warn(file, document.warnings)
        yield from splitter.stream(document)

    for file in files:
        yield cut(file)


def _cut_in_pool(
    files: list[Path], splitter: Splitter, workers: int
) -> Generator[Iterable[Chunk], None, None]:
    """Several files at a time, each cut before its chunks are used."""
    from cleanbreak.engines.pool import cut_many

    def chunks(file: Path, outcome: Outcome) -> Iterator[Chunk]:
        if isinstance(outcome, CleanbreakError):
            raise outcome
        _warn(file, outcome.warnings)
        yield from outcome.chunks

    with closing(cut_many(files, splitter, workers, progress=True)) as outcomes:
        for file, outcome in zip(files, outcomes, strict=True):
            yield chunks(file, outcome)


def _warn(file: Path, warnings: tuple[SourceWarning, ...]) -> None:
    for warning in warnings:
        console.print_warning(file.name, warning)


def _record(name: str, chunk: Chunk) -> str:
    return json.dumps(named_record(name, chunk), ensure_ascii=False)


def _print_json(chunks: Named) -> None:
    count = 0
    try:
        for count, (name, chunk) in enumerate(chunks, 1):
            sys.stdout.write(("[\n" if count == 1 else ",\n") + _record(name, chunk))
    except CleanbreakError:
        # Nothing is printed for a source that cannot be read; what came before it stays JSON.
        if count:
            sys.stdout.write("\n]\n")
        raise
    sys.stdout.write("\n]\n" if count else "[]\n")


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
