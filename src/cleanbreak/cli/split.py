"""``cleanbreak split``: cut files and print or save the chunks, streaming."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from cleanbreak.cli import console
from cleanbreak.cli.options import (
    Json,
    Overwrite,
    number_option,
    reading_options,
    splitter_options,
    use_password,
)
from cleanbreak.cli.printers import PRINTERS, Sourced
from cleanbreak.cli.settings import new_splitter, options_error
from cleanbreak.cli.shards import ENGINES, is_folder, save_shards
from cleanbreak.cli.standard_input import with_standard_input
from cleanbreak.core.checks import one_of, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import SourceWarning
from cleanbreak.core.splitters import Splitter
from cleanbreak.engines.shards import ROWS_PER_FILE
from cleanbreak.engines.worker import Outcome
from cleanbreak.errors import CleanbreakError
from cleanbreak.export.row import RowSource
from cleanbreak.readers import read
from cleanbreak.readers.controls import clean
from cleanbreak.readers.listing import list_files, say_skipped

# To print, and to save.
_FORMATS = ("table", "text", "json", "jsonl", "sqlite", "parquet", "html")


@splitter_options()
@reading_options()
def split(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Files that can be read (docs/readers.md), or folders of them; - is standard input."
        ),
    ],
    *,
    splitter: dict[str, Any],
    reading: dict[str, Any],
    output_format: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="Format of the chunks: to print, or of the --output file.",
            metavar=f"<{'|'.join(_FORMATS)}>",
            autocompletion=lambda: list(_FORMATS),
            show_default="table; for a file, by its name",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="Save the chunks to a .jsonl, .sqlite, .parquet or .html file, written whole or not at all; a "
            "database gets a table. A folder (OUT/) or an address (s3://bucket/out) gets several "
            "files, and a run that was stopped continues.",
            metavar="<path>",
        ),
    ] = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
    workers: Annotated[
        int, number_option("--workers", help="Processes that read and cut; 0 uses this one only.")
    ] = 0,
    keep_going: Annotated[
        bool,
        typer.Option("--keep-going", "-k", help="Report a file that cannot be used and continue."),
    ] = False,
    rows_per_file: Annotated[
        int,
        number_option(
            "--rows-per-file", help="In a folder: chunks after which a file is finished."
        ),
    ] = ROWS_PER_FILE,
    skip_duplicates: Annotated[
        bool,
        typer.Option(
            "--skip-duplicates", help="In a folder: leave out texts that are there already."
        ),
    ] = False,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            help="In a folder: where the work is done, local or ray (a cluster).",
            metavar=f"<{'|'.join(ENGINES)}>",
            autocompletion=lambda: list(ENGINES),
        ),
    ] = "local",
    log_json: Annotated[
        bool,
        typer.Option(
            "--log-json", help="In a folder: a line of JSON for each file on standard error."
        ),
    ] = False,
) -> None:
    """Cut files into chunks and print them, or save them as they are cut.

    Example: `cleanbreak split book.txt --by sentences --max-tokens 200 --overlap 20`

    Example: `cleanbreak split src/ --by code`

    Example: `pandoc report.rst -t plain | cleanbreak split -`

    Example: `cleanbreak split library/ --workers 4 --keep-going -o chunks.parquet`

    Example: `cleanbreak split library/ --workers 4 -o chunks/`
    """
    whole_number("workers", workers, minimum=0)
    whole_number("rows_per_file", rows_per_file, minimum=1)
    if output_format is not None:
        one_of("format", output_format, _FORMATS)
    chosen = new_splitter(splitter)
    use_password(reading)
    if output is not None and is_folder(output):
        with with_standard_input(files) as inputs:
            save_shards(
                inputs,
                chosen,
                output,
                file_format=output_format or "parquet",
                rows_per_file=rows_per_file,
                workers=workers,
                engine=engine,
                reading=reading,
                skip_duplicates=skip_duplicates,
                overwrite=overwrite,
                log_json=log_json,
                as_json=as_json,
            )
        return
    if skip_duplicates or log_json:
        name = "skip_duplicates" if skip_duplicates else "log_json"
        raise options_error(
            name, f"--{name.replace('_', '-')} needs a folder as --output, such as OUT/."
        )
    unused: list[CleanbreakError] = []
    # Closed at once in every case, so that Ctrl-C leaves no worker behind.
    with (
        with_standard_input(files) as inputs,
        closing(
            _chunks(inputs, chosen, workers, reading, unused if keep_going else None)
        ) as chunks,
    ):
        if output is not None:
            count = _save(chunks, Path(output), output_format, overwrite=overwrite)
            if as_json:
                console.print_json({"output": Path(output).name, "chunks": count})
        else:
            _printer("json" if as_json else output_format or "table")(chunks)
    if unused:
        console.err.print(f"{console.counted(len(unused), 'file')} could not be used")
        raise typer.Exit(1)


def _printer(name: str) -> Callable[[Sourced], None]:
    if name not in PRINTERS:
        raise options_error("format", f"--format {name} needs --output.")
    return PRINTERS[name]


def _save(chunks: Sourced, output: Path, output_format: str | None, *, overwrite: bool) -> int:
    from cleanbreak.export.sink import format_of, open_sink

    if output_format is None and format_of(output) is None:
        name = output.absolute().name
        raise options_error(
            "output",
            f"--output {name!r} does not end in .jsonl, .sqlite, .parquet or .html; --format can name "
            "the format.",
        )
    count = 0
    with open_sink(output, output_format, overwrite=overwrite) as write:
        for source, chunk in chunks:
            write(chunk, source)
            count += 1
    console.err.print(f"{console.counted(count, 'chunk')} in {output.name}")
    return count


def _chunks(
    arguments: list[Path],
    splitter: Splitter,
    workers: int,
    reading: dict[str, Any],
    unused: list[CleanbreakError] | None,
) -> Generator[tuple[RowSource, Chunk], None, None]:
    """The chunks of all files in order. Errors go to `unused` if there is one, else they are raised."""
    listing = list_files(arguments, splitter.recipe.splitter)
    if listing.skipped:
        console.err.print(f"{say_skipped(listing.skipped)}.")
    for error in listing.unreadable:
        if unused is None:
            raise error
        unused.append(error)
        console.err.print(f"{error.message} ({error.code})")
    files = [file.path for file in listing.files]
    # Workers read without options, so files that need them are read in this process.
    pool = workers > 1 and not reading
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
