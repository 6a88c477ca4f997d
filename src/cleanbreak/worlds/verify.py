"""Verify: what every stage says of every book, from the disk alone; nothing is written or locked."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from cleanbreak.errors import CleanbreakError, RunInterruptedError
from cleanbreak.storage.lock import is_held
from cleanbreak.worlds.layout import Book, Layout
from cleanbreak.worlds.opening import load_world
from cleanbreak.worlds.session import VERIFY, RunProgress, Session
from cleanbreak.worlds.stages.stage import CHUNKS, Problem, Progress, Stage, guarded

# How often a book that is replaced meanwhile is looked at again.
_LOOKS = 5

# Problems of one stage of one book that are listed; a lost chunk folder has as many as chunks.
_NAMED_AT_MOST = 10


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was checked and what was found; ``repaired`` is what a repair removed before.

    ``chunks`` counts the chunks that the manifests count, which are those that were checked.
    """

    books: int
    chunks: int
    problems: tuple[Problem, ...] = ()
    repaired: tuple[Problem, ...] = ()
    being_written: bool = False
    """A writer was at work, so that unfinished work is not a problem."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong now."""
        return not self.problems

    def after(self, before: "VerifyReport") -> "VerifyReport":
        """This report, with what `before` found and this one does not as repaired."""
        gone = (problem for problem in before.problems if problem not in self.problems)
        return replace(self, repaired=tuple(gone))

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "ok": self.ok,
            "books": self.books,
            "chunks": self.chunks,
            "being_written": self.being_written,
            "problems": [problem.as_dict() for problem in self.problems],
            "repaired": [problem.as_dict() for problem in self.repaired],
        }


def verify(session: Session) -> VerifyReport:
    """Check everything that the records promise. Unfinished books are no problem, false ones are.

    Raises:
        WorldMalformedError: if ``world.json`` cannot be read.
    """
    session.thorough = True
    session.being_written = is_held(session.layout.lock)
    # Some problems are the whole world's, and every book meets them: a dict keeps each once.
    problems: dict[Problem, None] = {}
    books = chunks = 0
    numbers = session.all_numbers()
    for done, number in enumerate(numbers):
        name = session.record.path_of(number, session.record.books.get(number, ""))
        session.options.report(RunProgress(number, name, 0, 0, done, len(numbers), VERIFY))
        found = _verify_at_rest(session, number)
        if found is None:
            continue
        books += 1
        chunks += found.chunks
        problems |= dict.fromkeys(found.problems)
    return VerifyReport(books, chunks, tuple(problems), being_written=session.being_written)


@dataclass(frozen=True, slots=True)
class _Found:
    chunks: int
    problems: list[Problem]


def _verify_at_rest(session: Session, number: int) -> _Found | None:
    """Check a book; again if it was replaced meanwhile, which is no problem of the disk."""
    for look in range(_LOOKS):
        if look:
            session.look_again()
        session.forget(session.layout.book(number))
        before = _sight(session.layout, number)
        session.record = load_world(session.layout)
        if number in session.record.hidden_books:
            return None
        found = _verify_book(session, session.layout.book(number))
        if not found.problems or before == _sight(session.layout, number):
            break
    return found


def _sight(layout: Layout, number: int) -> tuple[object, ...]:
    """What changes when a book is replaced, moved or removed."""
    book = layout.book(number)
    record, manifest = (
        path.read_bytes() if path.is_file() else None
        for path in (layout.current_record, book.manifest)
    )
    return book.folder, record, manifest


def _verify_book(session: Session, book: Book) -> _Found:
    chunks = 0
    problems: list[Problem] = []
    if session.is_lost(book.number):
        message = "Nothing of the book is left; put its folders back from a copy, or remove it."
        return _Found(0, [Problem("BOOK_LOST", message, book.number)])
    for stage in session.stages:
        found = _problems(stage, book, session)
        problems += islice(found, _NAMED_AT_MOST)
        more = sum(1 for _ in found)
        if more:
            problems.append(Problem("MORE", f"{more} more problems of this book.", book.number))
        progress = _progress(stage, book, session)
        if stage.name == CHUNKS:
            chunks = progress.done
        if not (problems or progress.complete) and _was_complete(stage, session):
            message = f"The stage {stage.name} is not complete, though the last run was; resume."
            problems.append(Problem("STAGE_INCOMPLETE", message, book.number))
    return _Found(chunks, problems)


def _was_complete(stage: Stage, session: Session) -> bool:
    """Whether what is missing now was lost, and not only not made yet.

    A run is completed when every stage that ``world.json`` names is complete for every book. The
    full text is not named there: it is derived, so that nothing is lost with it.
    """
    run = session.record.run
    completed = run is not None and run.state == "completed" and not session.being_written
    return completed and stage.name in session.record.stages


def _problems(stage: Stage, book: Book, session: Session) -> Iterator[Problem]:
    """What a stage finds; an error that it raises is one more problem."""
    try:
        with guarded(stage, book.number):
            yield from stage.verify(book, session)
    except RunInterruptedError:
        raise
    except CleanbreakError as error:
        yield Problem(error.code, error.message, book.number)


def _progress(stage: Stage, book: Book, session: Session) -> Progress:
    try:
        with guarded(stage, book.number):
            return stage.progress(book, session)
    except CleanbreakError:  # it cannot be read; that it is not complete is then the problem
        return Progress(0, None)
