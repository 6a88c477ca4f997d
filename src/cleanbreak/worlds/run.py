"""A run: books brought to completion one after another, stoppable between two groups."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from uuid import uuid4

import msgspec

from cleanbreak.errors import (
    CleanbreakError,
    RunInterruptedError,
    StoreError,
)
from cleanbreak.worlds import chunks, sources
from cleanbreak.worlds import manifest as manifests
from cleanbreak.worlds.build import build_book
from cleanbreak.worlds.layout import Book, Layout
from cleanbreak.worlds.records import (
    Manifest,
    RunKind,
    RunRecord,
    RunState,
    WorldRecord,
)
from cleanbreak.worlds.reports import BookReport, Failure, Progress
from cleanbreak.worlds.stages import Stage
from cleanbreak.worlds.workspace import Conditions, Workspace

_log = logging.getLogger("cleanbreak")


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


def is_proved(layout: Layout, record: WorldRecord, number: int, *, trust_files: bool) -> bool:
    """Whether a book's sources, manifest and chunk files prove that it is complete.

    One cut with other settings than the world's is not: to build it says what the conflict is.
    """
    book = layout.book(number)
    manifest = manifests.load_or_none(book)
    if manifest is None or not manifest.complete or manifest.settings != record.settings:
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
            reports.append(build_book(place, origin, number, splitter, conditions, tell))
        except StoreError:
            raise
        except RunInterruptedError:
            raise
        except CleanbreakError as error:
            _log.info("book %d cannot be used: %s", number, error.code)
            failures.append(Failure(error.details.get("name") or f"book {number}", error, number))
    return reports, failures


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
