"""``cleanbreak split -o FOLDER/``: many files into a folder of shards, with progress and a summary."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from cleanbreak.cli import console
from cleanbreak.core.checks import one_of
from cleanbreak.core.splitters import Splitter
from cleanbreak.engines.files import File, LocalFile, address_of, list_remote
from cleanbreak.engines.ray import do_on_cluster
from cleanbreak.engines.shards import Event, OnEvent, ShardReport, in_processes, split_to_shards
from cleanbreak.export.places import is_remote
from cleanbreak.export.shard_folder import SUMMARY, ShardFolder
from cleanbreak.export.shard_formats import SHARD_FORMATS
from cleanbreak.export.sink import format_of
from cleanbreak.readers.listing import Listing, list_files, say_skipped

ENGINES = ("local", "ray")


def is_folder(output: str) -> bool:
    """Whether a person names a folder: it is one, ends in a slash, or is an address of no file."""
    if is_remote(output):
        return format_of(output) is None
    return output.endswith(("/", os.sep)) or os.path.isdir(output)  # noqa: PTH112


def save_shards(
    arguments: list[Path],
    splitter: Splitter,
    output: str,
    *,
    file_format: str,
    rows_per_file: int,
    workers: int,
    engine: str,
    reading: dict[str, Any],
    skip_duplicates: bool,
    overwrite: bool,
    log_json: bool,
    as_json: bool,
) -> None:
    """Cut files, folders and addresses into a folder; the exit code is 1 if one could not be used.

    Raises:
        SettingsError: for a format that folders do not have.
        StateConflictError: if the folder was made with other settings.
        WriteFailedError, DiskFullError: if it cannot be written.
    """
    one_of("format", file_format, SHARD_FORMATS)
    one_of("engine", engine, ENGINES)
    folder = ShardFolder(
        output,
        splitter.recipe,
        file_format,
        SHARD_FORMATS[file_format].suffix,
        reading=reading,
        overwrite=overwrite,
    )
    by = splitter.recipe.splitter
    addresses = [address for path in arguments if (address := address_of(path))]
    listing = list_files([path for path in arguments if not address_of(path)], by)
    files: list[File] = [LocalFile(file.path, file.relative) for file in listing.files]
    for address in addresses:
        files += list_remote(address, by)
    with _shown(sum(file.size for file in files), log_json=log_json) as on_event:
        report = split_to_shards(
            files,
            splitter,
            folder,
            file_format=file_format,
            rows_per_file=rows_per_file,
            do=do_on_cluster if engine == "ray" else in_processes(workers),
            reading=reading,
            skip_duplicates=skip_duplicates,
            skipped=listing.skipped,
            on_event=on_event,
        )
    if as_json:
        console.print_json({"output": folder.name, **report.as_dict()})
    else:
        _say(report, folder.name, listing)
    if report.failed or listing.unreadable:
        raise typer.Exit(1)


@contextmanager
def _shown(size: int, *, log_json: bool) -> Iterator[OnEvent]:
    """What is said of each source: lines of JSON, or errors and warnings beside a bar."""
    if log_json:
        yield _log
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console.err, transient=True, disable=not console.err.is_terminal
    ) as bar:
        task = bar.add_task("cutting", total=size)

        def show(event: Event) -> None:
            bar.advance(task, event.size)
            for warning in event.warnings:
                console.print_warning(event.path, warning)
            if event.error:
                console.err.print(f"{event.path}: {event.error.message} ({event.error.code})")

        yield show


def _log(event: Event) -> None:
    """One line of JSON on standard error."""
    said: dict[str, Any] = {"event": event.kind, "path": event.path}
    if event.kind in ("read", "file"):
        said["chunks"] = event.chunks
    if event.warnings:
        said["warnings"] = [warning.code for warning in event.warnings]
    if event.error:
        said |= {"code": event.error.code, "message": event.error.message}
    console.err.file.write(json.dumps(said) + "\n")


def _say(report: ShardReport, name: str, listing: Listing) -> None:
    if listing.skipped:
        console.err.print(f"{say_skipped(listing.skipped)}.")
    done = [f"{console.counted(report.read, 'source')} cut"]
    if report.kept:
        done.append(f"{report.kept:,} held already")
    if report.duplicates:
        done.append(f"{console.counted(len(report.duplicates), 'duplicate')} left out")
    if report.failed:
        done.append(f"{len(report.failed):,} failed")
    console.err.print(
        f"{', '.join(done)}; {console.counted(report.chunks, 'chunk')} in "
        f"{console.counted(report.files, 'file')} of {name} (see {SUMMARY})"
    )
