"""A run: books brought to completion one after another, stoppable between two groups."""

import logging
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import msgspec

from cleanbreak.core.document import Document
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import Splitter, splitter_for
from cleanbreak.errors import (
    CleanbreakError,
    RunInterruptedError,
    StateConflictError,
    StoreError,
)
from cleanbreak.worlds import chunks, sources
from cleanbreak.worlds import manifest as manifests
from cleanbreak.worlds.files import Files
from cleanbreak.worlds.layout import Book, Layout
from cleanbreak.worlds.records import (
    Malformed,
    Manifest,
    RunKind,
    RunRecord,
    RunState,
    SourceRecord,
    WarningRecord,
    WorldRecord,
    encode,
)
from cleanbreak.worlds.stages import Stage

_log = logging.getLogger("cleanbreak")

Stop = Callable[[], bool]
"""Asked after each group; true ends the run there, paused."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is: in which book, how far in it, and how many books are behind it."""

    book_number: int
    filename: str
    completed_chunks: int
    total_chunks: int
    books_done: int
    books: int


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class BookReport:
    """What a run did for one book."""

    book_number: int
    source_filename: str
    total_chunks: int
    chunks_written: int
    warnings: tuple[WarningRecord, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


@dataclass(frozen=True, slots=True)
class Failure:
    """A source or book that could not be used; the others went on without it."""

    name: str
    error: CleanbreakError
    book_number: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The failure as plain data."""
        return {
            "source_filename": self.name,
            "book_number": self.book_number,
            "error": self.error.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did. ``run_id`` is ``None`` where there was nothing to do, hence nothing written."""

    run_id: str | None
    state: str
    books: tuple[BookReport, ...] = ()
    failures: tuple[Failure, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "run_id": self.run_id,
            "state": self.state,
            "books": [book.as_dict() for book in self.books],
            "failures": [failure.as_dict() for failure in self.failures],
        }


@dataclass(slots=True)
class Workspace:
    """A world held for writing: where it is, what it is, and how its disk is changed."""

    layout: Layout
    files: Files
    record: WorldRecord

    def save(self, **changes: Any) -> None:
        """Change ``world.json``; nothing is written if it says so already."""
        changed = msgspec.structs.replace(self.record, **changes)
        if changed != self.record or not self.layout.record.exists():
            self.files.write(self.layout.record, encode(changed))
            self.record = changed


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a run is to be made."""

    trust_files: bool = False
    stop: Stop | None = None
    on_progress: OnProgress | None = None
    stages: Mapping[str, Stage] = field(default_factory=dict)
    build_splitter: Callable[[Recipe], Splitter] = splitter_for


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Turn the first Ctrl-C or SIGTERM into a stop at the next group; a second one kills.

    For programs, in their main thread; elsewhere nothing is changed. As a library call a run
    leaves signals alone.
    """
    asked = threading.Event()
    before: dict[int, Any] = {}

    def ask(number: int, _frame: FrameType | None) -> None:
        asked.set()
        signal.signal(number, before[number])

    if threading.current_thread() is threading.main_thread():
        for which in (signal.SIGINT, signal.SIGTERM):
            before[which] = signal.signal(which, ask)
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def now() -> str:
    """The time as records hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def begin(previous: RunRecord | None, kind: RunKind, books: Sequence[int] = ()) -> RunRecord:
    """The record of a run at its start; one that was not completed goes on under its own id."""
    if previous and previous.state != "completed" and previous.kind == kind:
        return msgspec.structs.replace(previous, state="active", ended_at=None)
    return RunRecord(str(uuid4()), kind, "active", now(), books=tuple(books))


def end(run: RunRecord, state: RunState) -> RunRecord:
    """The record of a run at its end."""
    return msgspec.structs.replace(run, state=state, ended_at=now())


def pause(place: Workspace) -> None:
    """Record that the run rests. That it could not be recorded is no further harm."""
    run = place.record.run
    if run and run.state == "active":
        try:
            place.save(run=end(run, "paused"))
        except CleanbreakError:
            return


def is_complete(layout: Layout, record: WorldRecord, stages: Mapping[str, Stage]) -> bool:
    """Whether every stage asked for is complete for every book."""
    return all(
        book_is_complete(layout.book(number), record, stages)
        for number in layout.book_numbers()
        if number not in record.hidden_books
    )


def book_is_complete(book: Book, record: WorldRecord, stages: Mapping[str, Stage]) -> bool:
    """Whether every stage asked for is complete for one book, as its manifests say."""
    manifest = manifests.load_or_none(book)
    if manifest is None or not manifest.complete:
        return False
    later = record.stages[1:]
    return all(name in stages and stages[name].is_complete(book, manifest) for name in later)


def unproved(
    layout: Layout, record: WorldRecord, numbers: Sequence[int], *, trust_files: bool
) -> list[int]:
    """Those books whose sources, manifest and chunk files do not prove that they are complete."""
    return [
        number
        for number in numbers
        if number not in record.hidden_books
        and not _is_proved(layout, number, trust_files=trust_files)
    ]


def _is_proved(layout: Layout, number: int, *, trust_files: bool) -> bool:
    book = layout.book(number)
    manifest = manifests.load_or_none(book)
    if manifest is None or not manifest.complete:
        return False
    check = sources.copies_are_there if trust_files else sources.copies_are_good
    return check(layout, number, manifest.source) and chunks.is_proved(
        book, manifest, trust_files=trust_files
    )


def run_books(
    place: Workspace, origin: Layout, numbers: Sequence[int], conditions: Conditions
) -> tuple[list[BookReport], list[Failure]]:
    """Bring books to completion, in order; a book that cannot be used does not stop the others.

    Sources are those in `place`, else those in `origin`: a re-ingest builds in staging what the
    world has the sources of.

    Raises:
        RunInterruptedError: if asked to stop; all groups written so far are counted.
        StoreError: if the disk fails, or what is stored conflicts.
    """
    splitter = conditions.build_splitter(place.record.recipe)
    reports: list[BookReport] = []
    failures: list[Failure] = []
    for done, number in enumerate(numbers):
        tell = _teller(conditions, done, len(numbers))
        try:
            reports.append(build(place, origin, number, splitter, conditions, tell))
        except StoreError:
            raise
        except RunInterruptedError:
            raise
        except CleanbreakError as error:
            _log.info("book %d cannot be used: %s", number, error.code)
            failures.append(Failure(error.details.get("name") or f"book {number}", error, number))
    return reports, failures


def build(
    place: Workspace,
    origin: Layout,
    number: int,
    splitter: Splitter,
    conditions: Conditions,
    tell: chunks.OnGroup,
) -> BookReport:
    """Bring one book in `place` to completion."""
    book = place.layout.book(number)
    stored, found = _stored_manifest(book)
    replaced = place.layout != origin and place.layout.copies("sources", number)
    source_layout = place.layout if replaced else origin
    # A replacement has no manifest yet: its two copies vouch for each other.
    known = stored or (None if replaced else manifests.load_or_none(origin.book(number)))
    trusted = sources.trusted_copy(
        place.files, source_layout, number, known.source if known else None
    )
    document = _read(trusted.path)
    total = sum(1 for _ in splitter.stream(document))
    fresh = manifests.fresh(
        place.record.world_uuid,
        number,
        _source_record(trusted.path, document),
        document,
        splitter.recipe,
        total,
    )
    manifest = _agreed(stored, fresh)
    manifest = _with_warnings(manifest, (*found, *trusted.warnings))
    if manifest != stored:
        place.files.make_folder(book.folder)
        place.files.write(book.manifest, encode(manifest))
    writer = chunks.Writer(place.files, book, manifest, tell)
    writer.write(splitter, document, trust_files=conditions.trust_files)
    for name in place.record.stages[1:]:
        if name in conditions.stages:
            conditions.stages[name].advance(book, writer.manifest)
    return BookReport(
        number,
        manifest.source.filename,
        total,
        writer.written,
        manifest.warnings,
    )


def _teller(conditions: Conditions, done: int, books: int) -> chunks.OnGroup:
    def tell(manifest: Manifest) -> None:
        if conditions.on_progress:
            conditions.on_progress(
                Progress(
                    manifest.book_number,
                    manifest.source.filename,
                    manifest.completed_chunks,
                    manifest.total_chunks,
                    done,
                    books,
                )
            )
        if conditions.stop and conditions.stop():
            raise RunInterruptedError(
                "The run was stopped and what it wrote is safe; resume to go on.",
                book_number=manifest.book_number,
                completed_chunks=manifest.completed_chunks,
                total_chunks=manifest.total_chunks,
            )

    return tell


def _stored_manifest(book: Book) -> tuple[Manifest | None, tuple[WarningRecord, ...]]:
    try:
        return manifests.load(book), ()
    except Malformed:
        message = "The manifest could not be read; it was rebuilt from the source."
        return None, (WarningRecord("MANIFEST_REBUILT", message),)


def _read(path: Path) -> Document:
    from cleanbreak.readers import read

    return read(path)


def _source_record(path: Path, document: Document) -> SourceRecord:
    copied = sources.identify(path)
    source = document.source
    return SourceRecord(
        path.name,
        copied.size,
        copied.sha256,
        source.media_type if source else None,
        source.encoding if source else None,
    )


def _agreed(stored: Manifest | None, fresh: Manifest) -> Manifest:
    """The stored manifest, if the book would still be cut as it says; else a conflict."""
    if stored is None:
        return fresh
    if stored.world_uuid != fresh.world_uuid or stored.book_number != fresh.book_number:
        raise _conflict(stored, "belongs to another world or slot; put its own manifest back")
    if stored.source.filename != fresh.source.filename:
        raise _conflict(stored, "was made from a source of another name")
    if stored.settings != fresh.settings:
        raise _conflict(stored, "was begun with other settings; re-ingest it")
    if stored.text_sha256 != fresh.text_sha256:
        raise _conflict(stored, "is now read as another text than when it was begun; re-ingest it")
    if stored.total_chunks != fresh.total_chunks:
        raise chunks.total_conflict(stored, fresh.total_chunks)
    return stored


def _with_warnings(manifest: Manifest, found: Sequence[WarningRecord]) -> Manifest:
    new = (warning for warning in found if warning not in manifest.warnings)
    return msgspec.structs.replace(manifest, warnings=(*manifest.warnings, *new))


def _conflict(manifest: Manifest, why: str) -> StateConflictError:
    return StateConflictError(
        f"Book {manifest.book_number} {why}.", book_number=manifest.book_number
    )
