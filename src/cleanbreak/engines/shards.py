"""Many files into a folder of shards: in parallel, resumable, with every source accounted for."""

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cleanbreak.core.document import SourceWarning
from cleanbreak.core.splitters import Splitter
from cleanbreak.engines.files import File, distinct
from cleanbreak.engines.pool import do_many
from cleanbreak.errors import CleanbreakError, SourceError
from cleanbreak.export.row import RowSource, export_row
from cleanbreak.export.shard_folder import PartRecord, ShardFolder, SourceLine
from cleanbreak.export.shard_formats import SHARD_FORMATS, ShardFile
from cleanbreak.readers.controls import clean
from cleanbreak.storage.files import discard

if TYPE_CHECKING:
    from pathlib import Path

ROWS_PER_FILE = 50_000
"""With chunks of a thousand characters some 50 MB of text, a size that readers of Parquet like."""


class Encoded(NamedTuple):
    """The rows of a source as bytes, and what is known of it."""

    data: bytes
    rows: int
    sha256: str | None
    text_digest: str
    warnings: tuple[SourceWarning, ...]


@dataclass(frozen=True)
class EncodeJob:
    """Reads a file, cuts it and encodes its rows."""

    splitter: Splitter
    file_format: str
    reading: Mapping[str, Any]

    def __call__(self, source: File) -> Encoded | CleanbreakError:
        """The rows of a file, or why there are none."""
        try:
            document = source.read(**self.reading)
            chunks = list(self.splitter.stream(document))
        except CleanbreakError as error:
            return error
        sha256 = document.source.sha256 if document.source else None
        of = RowSource(clean(source.parts[-1])[0], clean(source.relative)[0], sha256)
        rows = [export_row(chunk, of) for chunk in chunks]
        digest = chunks[0].fingerprint.digest if chunks else ""
        data = SHARD_FORMATS[self.file_format].encode(rows)
        return Encoded(data, len(rows), sha256, digest, document.warnings)


Do = Callable[[list[File], EncodeJob], Generator[Any, None, None]]
"""Does a job with files, and gives the outcomes in their order."""


def in_processes(workers: int) -> Do:
    """Do the work in this many processes of this machine; 0 or 1 uses this one."""
    return lambda files, job: do_many(iter(files), job, workers, total=len(files))


class Event(NamedTuple):
    """Something that happened, for a progress bar or a log.

    ``kind`` is ``kept`` (a source that the folder holds already), ``read``, ``duplicate``,
    ``failed``, or ``file`` (a file of the folder is finished).
    """

    kind: str
    path: str
    size: int = 0
    chunks: int = 0
    error: CleanbreakError | None = None
    warnings: tuple[SourceWarning, ...] = ()


OnEvent = Callable[[Event], None]


@dataclass(slots=True)
class ShardReport:
    """What a run did, as ``_summary.json`` says it. Counts are of sources unless named otherwise."""

    state: str = "stopped"
    read: int = 0
    kept: int = 0
    duplicates: dict[str, str] = field(default_factory=dict)
    """By path of a source that of an earlier one with equal text."""
    failed: dict[str, dict[str, str]] = field(default_factory=dict)
    """By path of a source the code and message of its error."""
    skipped: dict[str, int] = field(default_factory=dict)
    """By extension how many files are of a kind that is not read."""
    chunks: int = 0
    """Rows of the whole folder."""
    files: int = 0
    """Files of the whole folder."""
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "state": self.state,
            "sources": {
                "read": self.read,
                "kept": self.kept,
                "duplicates": len(self.duplicates),
                "failed": len(self.failed),
                "skipped": sum(self.skipped.values()),
            },
            "chunks": self.chunks,
            "files": self.files,
            "seconds": round(self.seconds, 3),
            "duplicates": self.duplicates,
            "failed": self.failed,
            "skipped": self.skipped,
        }


def split_to_shards(
    files: Iterable[File],
    splitter: Splitter,
    folder: ShardFolder,
    *,
    file_format: str,
    rows_per_file: int = ROWS_PER_FILE,
    do: Do,
    reading: Mapping[str, Any] | None = None,
    skip_duplicates: bool = False,
    skipped: Mapping[str, int] | None = None,
    on_event: OnEvent | None = None,
) -> ShardReport:
    """Cut files into a folder of shards; what it holds already is kept, by the digest of its bytes.

    A file of the folder holds whole sources in the order of `files`, and is finished with the source
    that brings it to `rows_per_file`. So the folder is the same for any number of workers, and after
    a kill and a second run. The sources of a file of which one has changed are cut again.

    `do` says where the work is done: `in_processes`, or `cleanbreak.engines.ray.do_on_cluster`.

    An error of a source is in the report, and the others go on. The summary is written in any case.

    Raises:
        SettingsError: for more workers than one with a splitter that another process cannot build.
        WriteFailedError, DiskFullError: if the folder cannot be written.
    """
    started = time.monotonic()
    report = ShardReport(skipped=dict(skipped or {}))
    run = _Run(folder, file_format, rows_per_file, report, on_event or (lambda _: None))
    todo = run.left_to_do(distinct(files))
    job = EncodeJob(splitter, file_format, reading or {})
    try:
        with closing(do(todo, job)) as outcomes:
            for source, outcome in zip(todo, outcomes, strict=True):
                run.take(source, outcome, skip_duplicates=skip_duplicates)
        run.finish_file()
        report.state = "complete"
    except KeyboardInterrupt:
        run.finish_file()
        raise
    finally:
        run.stop()
        report.files = len(folder.parts)
        report.chunks = sum(part.rows for part in folder.parts.values())
        report.seconds = time.monotonic() - started
        folder.write_summary(report.as_dict())
    return report


class _Run:
    """The file that is being written, and what went into it."""

    def __init__(
        self,
        folder: ShardFolder,
        file_format: str,
        rows_per_file: int,
        report: ShardReport,
        on_event: OnEvent,
    ) -> None:
        self._folder = folder
        self._format = SHARD_FORMATS[file_format]
        self._most_rows = rows_per_file
        self._report = report
        self._on_event = on_event
        self._path: Path | None = None
        self._file: ShardFile | None = None
        self._rows = 0
        self._lines: list[SourceLine] = []
        self._by_text: dict[str, str] = {}

    def left_to_do(self, files: Iterable[File]) -> list[File]:
        """The files that the folder does not hold as they are now."""
        files = list(files)
        held = self._folder.sources()
        changed = {held[f.relative][0] for f in files if _has_changed(f, held)}
        self._folder.forget(changed)
        held = self._folder.sources()
        self._by_text = {
            line.text_digest: path
            for path, (_, line) in held.items()
            if line.duplicate_of is None and line.text_digest
        }
        kept = [file for file in files if file.relative in held]
        for file in kept:
            self._report.kept += 1
            self._on_event(Event("kept", file.relative, file.size))
        return [file for file in files if file.relative not in held]

    def take(self, source: File, outcome: Encoded | Exception, *, skip_duplicates: bool) -> None:
        """Add the rows of a source, or note why there are none."""
        path, size = source.relative, source.size
        if isinstance(outcome, CleanbreakError):
            self._report.failed[path] = {"code": outcome.code, "message": outcome.message}
            self._on_event(Event("failed", path, size, error=outcome))
            return
        if isinstance(outcome, Exception):
            raise outcome
        earlier = (
            self._by_text.setdefault(outcome.text_digest, path) if outcome.text_digest else path
        )
        if skip_duplicates and earlier != path:
            self._report.duplicates[path] = earlier
            self._add(b"", 0, _line(path, outcome, duplicate_of=earlier))
            self._on_event(Event("duplicate", path, size))
            return
        self._report.read += 1
        self._add(outcome.data, outcome.rows, _line(path, outcome))
        self._on_event(Event("read", path, size, outcome.rows, warnings=outcome.warnings))
        if self._rows >= self._most_rows:
            self.finish_file()

    def _add(self, data: bytes, rows: int, line: SourceLine) -> None:
        if self._file is None:
            self._path = self._folder.new_file()
            self._file = self._format.open(self._path)
        if rows:
            self._file.add(data)
        self._rows += rows
        self._lines.append(line)

    def finish_file(self) -> None:
        """Close the file and make it part of the folder."""
        if self._file is None or self._path is None:
            return
        file, self._file = self._file, None
        file.close()
        part: PartRecord = self._folder.commit(self._path, self._rows, self._lines)
        self._rows, self._lines = 0, []
        self._on_event(Event("file", part.file, chunks=part.rows))

    def stop(self) -> None:
        """Leave nothing half written: a file that is not finished is removed."""
        if self._file is not None and self._path is not None:
            self._file.close()
            discard([self._path])


def _has_changed(file: File, held: Mapping[str, tuple[int, SourceLine]]) -> bool:
    """Whether the folder holds other bytes of a file; one that cannot be read is cut again, and fails."""
    if file.relative not in held:
        return False
    try:
        return file.sha256() != held[file.relative][1].sha256
    except SourceError:
        return True


def _line(path: str, outcome: Encoded, duplicate_of: str | None = None) -> SourceLine:
    return SourceLine(
        path,
        outcome.sha256,
        outcome.text_digest,
        0 if duplicate_of else outcome.rows,
        duplicate_of,
        tuple(warning.code for warning in outcome.warnings),
    )
