"""A run: every stage of every book brought to completion, one book after another."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as replaced
from typing import Any
from uuid import uuid4

import msgspec

from cleanbreak.errors import (
    AmbiguousSlotError,
    CleanbreakError,
    EmbedderNeededError,
    ProviderError,
    RunInterruptedError,
    SettingsError,
    StageError,
    StoreError,
)
from cleanbreak.storage.files import as_text
from cleanbreak.worlds import sources
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.plan import Plan, PlannedSource, expected_identity
from cleanbreak.worlds.reading import with_readings
from cleanbreak.worlds.records import (
    RefusedRecord,
    RunKind,
    RunRecord,
    RunState,
    now,
)
from cleanbreak.worlds.reports import BookReport, Failure, RunReport
from cleanbreak.worlds.session import Session, Work, now_and_then
from cleanbreak.worlds.stages.stage import Stage, guarded

_log = logging.getLogger("cleanbreak")

# What holds for every book ends the run: a disk that is full. Any other error fails only the book at
# work, and so does a slot that is ambiguous.
_ENDS_RUN = (StoreError, RunInterruptedError, SettingsError)

# What holds for every book, but for one stage only: the stage is not run again, so that nobody waits
# for a provider that is away, and the other stages still do their work on every book.
ENDS_STAGE = (ProviderError, EmbedderNeededError)

Due = dict[int, Collection[str]]
"""By book number the stages that have work, even if they say that they are complete."""


def ingest(session: Session, plan: Plan) -> RunReport:
    """Do what a plan says, which was checked: add its new books, prove and complete the others.

    Raises: as `run` does.
    """
    refused = plan.of("refused")
    failures = tuple(
        Failure(source.source_path, source.error) for source in refused if source.error
    )
    named = {s.book_number or 0 for s in (*plan.of("resume"), *plan.of("complete"))}
    session.save(refused=_still_refused(session, plan))
    removed = session.record.removed_books
    still_removed = tuple(number for number in removed if number not in named)
    if still_removed != removed:
        # In one write with the state of the run: a completed run has no unfinished book.
        session.save(removed_books=still_removed, run=begin(session.record.run))
    session.documents = plan.documents
    same = {source.source_path: source.same_content_as or "" for source in plan.of("same")}
    return replaced(run(session, named, plan, failures), skipped=plan.skipped, same=same)


def run(
    session: Session,
    asked: Iterable[int],
    plan: Plan | None = None,
    failures: tuple[Failure, ...] = (),
) -> RunReport:
    """Store the new sources of `plan`, then bring every book to completion.

    The books `asked` for are proved first. All new sources are stored before the first is cut, so
    that from then on the run needs nothing but the world. Nothing is written if there is nothing to
    do. The run is completed only if every stage is complete for every book.

    Raises:
        RunInterruptedError: if asked to stop; what was reported is durable.
        StoreError: if the disk fails, or what is stored conflicts.
        SettingsError: if something that the caller handed in is wrong.
    """
    new = plan.of("new") if plan else ()
    work = due(session, asked)
    unavailable = session.unavailable_stages
    session.record_stages()
    last = session.record.run
    if not work and not new:
        if unavailable and (last is None or last.state == "paused"):
            return RunReport(None, "paused", (), failures, unavailable)
        if not unavailable and (last is None or last.state == "completed"):
            return RunReport(None, "completed", (), failures)
    active = begin(last)
    session.save(run=active, **(_locked(session, plan) if plan and new else {}))
    try:
        work |= dict.fromkeys(_store(session, new, failures), ())
        try:
            books, failed = run_books(session, work)
        except RunInterruptedError as error:
            _say_how_far(error, session, failures)
            raise
        # Books that had no work were looked at already: a small ingest into a large world looks once.
        is_done = not failed and is_complete(session, work)
        ended = end(active, "completed" if is_done else "paused")
        session.save(run=ended, books=registered(session))
    finally:
        pause(session)
    return RunReport(
        ended.run_id,
        ended.state,
        tuple(books),
        (*failures, *failed),
        unavailable,
        warnings=tuple(session.warnings),
    )


def _still_refused(session: Session, plan: Plan) -> tuple[RefusedRecord, ...]:
    """What was refused before and is not of this plan, then what this plan refuses.

    A name that is not Unicode is kept as Python shows it, as JSON cannot hold it.
    """
    named = {as_text(source.source_path) for source in plan.sources}
    before = (refused for refused in session.record.refused if refused.filename not in named)
    now_refused = {
        as_text(source.source_path): RefusedRecord(
            as_text(source.source_path), source.error.code, as_text(source.error.message)
        )
        for source in plan.of("refused")
        if source.error
    }
    return (*before, *now_refused.values())


def _store(
    session: Session, new: Sequence[PlannedSource], failures: Sequence[Failure]
) -> Iterator[int]:
    """Put the copies of new sources in place; their numbers."""
    check_stop = now_and_then(session.check_stop)
    for done, source in enumerate(new):
        number = source.book_number or 0
        try:
            check_stop()
            sources.store(
                session.files,
                session.layout,
                number,
                source.path,
                expected_identity(source),
                check_stop,
            )
        except RunInterruptedError as error:
            _say_how_far(error, session, failures, [waiting.source_path for waiting in new[done:]])
            raise
        yield number


def _locked(session: Session, plan: Plan) -> dict[str, Any]:
    """What the first new source of a plan locks into ``world.json``."""
    new = {source.book_number or 0: source for source in plan.of("new")}
    # A number may have been meant for another book before, whose source was never stored.
    paths = {n: path for n, path in session.record.paths.items() if n not in new}
    return {
        "settings": plan.settings.as_dict(),
        "settings_locked": True,
        **with_readings(session.record, dict.fromkeys(new, plan.reading)),
        "paths": paths | {n: s.source_path for n, s in new.items() if s.source_path != s.name},
    }


def _say_how_far(
    error: RunInterruptedError,
    session: Session,
    refused: Sequence[Failure],
    not_stored: Sequence[str] = (),
) -> None:
    """Let the error of a run that was stopped carry what a report would.

    Sources in `not_stored` are not in the world yet: only an ingest that names them adds them.
    """
    numbers = session.book_numbers()
    manifests = [session.manifest(session.layout.book(number)) for number in numbers]
    safe = sum(1 for manifest in manifests if manifest and manifest.complete)
    total = len(numbers) + len(not_stored)
    failed = [failure.as_dict() for failure in refused]
    error.details |= {
        "failures": [*failed, *error.details.get("failures", ())],
        "safe_books": safe,
        "total_books": total,
        "not_stored": list(not_stored),
    }
    how = "run the same again" if not_stored else "resume"
    error.message = (
        f"The run was stopped: {safe:,} of {counted(total)} are safe; {how} to continue it."
    )


def counted(books: int) -> str:
    """A number of books in words."""
    return "1 book" if books == 1 else f"{books:,} books"


# --- what is to be done --------------------------------------------------------------------------


def due(session: Session, asked: Iterable[int]) -> Due:
    """The books to work on: those whose stages are not all complete, and those that fail a proof.

    To prove a book is to read it, so only those `asked` for are proved: an ingest into a large world
    costs what its own books cost.
    """
    return _due_of(session, session.book_numbers(), set(asked))


def _due_of(session: Session, numbers: Iterable[int], proved: Collection[int]) -> Due:
    found: Due = {}
    check_stop = now_and_then(session.check_stop)
    stages = session.stages
    for number in numbers:
        check_stop()
        book = session.layout.book(number)
        if names := [s.name for s in stages if _has_work(s, book, session, number in proved)]:
            found[number] = names
    return found


def _has_work(stage: Stage, book: Book, session: Session, prove: bool) -> bool:
    try:
        with guarded(stage, book.number):
            if not stage.progress(book, session).complete:
                return True
            return prove and next(iter(stage.verify(book, session)), None) is not None
    except StageError:
        return True  # to run it shows what is wrong, and fails this book only


def is_complete(session: Session, books: Iterable[int] | None = None) -> bool:
    """Whether every stage that the world asks for is complete for every book, or for some."""
    numbers = session.book_numbers() if books is None else books
    return not session.unavailable_stages and not _due_of(session, numbers, ())


# --- doing it ------------------------------------------------------------------------------------


def run_books(
    session: Session, work: Mapping[int, Collection[str]]
) -> tuple[list[BookReport], list[Failure]]:
    """Run the stages of books, in order; a book that fails does not stop the others.

    Raises:
        RunInterruptedError, StoreError, SettingsError: as `run` does.
    """
    reports: list[BookReport] = []
    failures: list[Failure] = []
    away: dict[str, CleanbreakError] = {}
    for done, (number, stages) in enumerate(work.items()):
        book = session.layout.book(number)
        session.work = Work(number, _path(session, book), books_done=done, books=len(work))
        try:
            _run_stages(session, book, stages, away)
        except RunInterruptedError as error:
            error.details |= {
                "books": [report.as_dict() for report in reports],
                "failures": [failure.as_dict() for failure in failures],
            }
            raise
        except CleanbreakError as error:
            if isinstance(error, _ENDS_RUN) and not isinstance(error, AmbiguousSlotError):
                raise
            _log.info("book %d failed: %s", number, error.code)
            name = _path(session, book) or error.details.get("name") or f"book {number}"
            failures.append(Failure(name, error, number))
        else:
            reports += _report(session, book)
    return reports, failures


def _run_stages(
    session: Session, book: Book, due_stages: Collection[str], away: dict[str, CleanbreakError]
) -> None:
    """Run the stages that have work, each one only when those that it needs are complete.

    `away` are the stages that cannot work for any book now, with the error that says why.
    """
    complete: set[str] = set()
    for stage in session.stages:
        if not complete.issuperset(stage.needs):
            continue
        with guarded(stage, book.number):
            progress = stage.progress(book, session)
            if stage.name in due_stages or not progress.complete:
                if stage.name in away:
                    raise away[stage.name]
                session.work.begin(stage.name, progress.total)
                try:
                    stage.run(book, session)
                except ENDS_STAGE as error:
                    away[stage.name] = error
                    raise
                session.check_stop()
                progress = stage.progress(book, session)
            if progress.complete:
                complete.add(stage.name)


def _filename(session: Session, book: Book) -> str:
    """The name of the book's source; empty before there is a manifest."""
    manifest = session.manifest(book)
    return manifest.source.filename if manifest else ""


def _path(session: Session, book: Book) -> str:
    """The path of the book's source; empty before there is a manifest, if it has none."""
    return session.record.path_of(book.number, _filename(session, book))


def _report(session: Session, book: Book) -> list[BookReport]:
    manifest = session.manifest(book)
    if manifest is None:
        return []
    return [
        BookReport(
            book.number,
            manifest.source.filename,
            session.record.path_of(book.number, manifest.source.filename),
            manifest.total_chunks,
            session.work.chunks_written,
            manifest.warnings,
        )
    ]


# --- the record of a run -------------------------------------------------------------------------


def new_run(kind: RunKind, books: Sequence[int] = ()) -> RunRecord:
    """The record of a run that starts now."""
    return RunRecord(str(uuid4()), kind, "active", now(), books=tuple(books))


def begin(previous: RunRecord | None) -> RunRecord:
    """The record of a run at its start; one that was not completed continues under its own id."""
    if previous is None or previous.state == "completed":
        return new_run("ingest")
    return msgspec.structs.replace(previous, state="active", ended_at=None)


def end(run_record: RunRecord, state: RunState) -> RunRecord:
    """The record of a run at its end."""
    return msgspec.structs.replace(run_record, state=state, ended_at=now())


def registered(session: Session) -> dict[int, str]:
    """The register of books, with those that are in the folders and not in it yet.

    It is written with the end of a run, so that it costs no write of its own; what a crash keeps
    out of it is found in the folders by the next run.
    """
    books = dict(session.record.books)
    for number in session.layout.book_numbers():
        if number not in books:
            name = _filename(session, session.layout.book(number))
            names = [name] if name else sources.names(session.layout, number)
            if names:
                books[number] = as_text(names[0])
    return dict(sorted(books.items()))


def pause(session: Session) -> None:
    """Record that an active run is paused.

    Called when a run ends by an exception of any kind, so that nothing but a kill leaves it active.
    If the disk refuses this too, a reader still sees it as paused, as nobody holds the lock.
    """
    active = session.record.run
    if active and active.state == "active":
        try:
            books = session.record.books if session.origin else registered(session)
            session.save(run=end(active, "paused"), books=books)
        except CleanbreakError as error:
            _log.info("the pause was not recorded: %s", error.code)
