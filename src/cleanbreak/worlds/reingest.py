"""Re-ingest: build beside the old chunks, then swap, so that a crash leaves one of the two whole."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import SettingsError, StateConflictError
from cleanbreak.worlds import sources
from cleanbreak.worlds.identity import best_match
from cleanbreak.worlds.reading import Reading, how_read, with_readings
from cleanbreak.worlds.records import RunRecord, encode
from cleanbreak.worlds.recovery import finish_swap, staged
from cleanbreak.worlds.removal import check_book
from cleanbreak.worlds.reports import BookReport, RunReport
from cleanbreak.worlds.run import end, is_complete, new_run, pause, run, run_books
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.chunks import Chunks
from cleanbreak.worlds.stages.stage import CHUNKS

if TYPE_CHECKING:
    from cleanbreak.storage.files import Identity


def asked(session: Session, books: Iterable[int] | None) -> list[int] | None:
    """The numbers that a caller names; ``None`` for no choice.

    Raises:
        SettingsError: for what is no number.
        StateConflictError: for a book that is not there.
    """
    if books is None:
        return None
    if not isinstance(books, Iterable):
        raise SettingsError("books", type(books), "the numbers of books")
    numbers = list(books)
    for number in numbers:
        check_book(session, number)
    return numbers


def chosen(
    session: Session, books: list[int] | None, replaced: Mapping[int, Path], recipe: Recipe
) -> list[int]:
    """The numbers of the books to rebuild: those asked for, those replaced, or else all.

    Raises:
        StateConflictError: for new settings for some books only.
    """
    present = set(session.book_numbers())
    same = recipe == session.record.recipe
    if books is None:
        return sorted(replaced if replaced and same else {*present, *replaced})
    wanted = sorted({*books, *replaced})
    if not same and not present <= set(wanted):
        raise StateConflictError("New settings are for all books; leave the choice of books out.")
    return wanted


def replacements(session: Session, files: list[Path], books: list[int] | None) -> dict[int, Path]:
    """The files that are to take the place of stored sources, by the number of their book.

    Where several sources have the name of a file, its folders decide, or else `books`.

    Raises:
        SourceMissingError: for a file that is not there.
        StateConflictError: for a file whose name no stored source has, or for which it is not clear
            which of several is meant.
    """
    stored: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for number in session.layout.book_numbers():
        for name in _names(session, number):
            path = session.record.path_of(number, name)
            stored[sources.name_key(name)].append((path, number))
    found: dict[int, Path] = {}
    for file in files:
        number = _replaced(file, stored[sources.name_key(file.name)], books)
        if number in found:
            raise StateConflictError(
                f"Two files are to replace book {number}; name one of them.", book_number=number
            )
        found[number] = file
    return found


def _replaced(file: Path, stored: list[tuple[str, int]], books: list[int] | None) -> int:
    """The book whose source a file replaces."""
    if not file.exists():
        sources.identify(file)  # says that it is missing
    if len(stored) > 1:
        among = [one for one in stored if books and one[1] in books]
        number = best_match(file, file.name, stored)
        if len(among) == 1 or number is None:
            stored = among or stored
        else:
            return number
    if len(stored) == 1:
        return stored[0][1]
    if not stored:
        raise StateConflictError(
            f"No stored source is called {file.name!r}; ingest it as a new book.", name=file.name
        )
    listed = ", ".join(f"{path!r} is book {number}" for path, number in stored)
    raise StateConflictError(
        f"Several stored sources are called {file.name!r}: {listed}; choose one by its number.",
        name=file.name,
        books=[number for _, number in stored],
    )


def _names(session: Session, number: int) -> list[str]:
    manifest = session.manifest(session.layout.book(number))
    return [manifest.source.filename] if manifest else sources.names(session.layout, number)


def begin(
    session: Session,
    books: Iterable[int] | None,
    files: list[Path],
    recipe: Recipe,
    how: Reading,
) -> RunReport:
    """Rebuild the books asked for, some of them from new files. Raises as the functions it calls."""
    picked = asked(session, books)
    replaced = replacements(session, files, picked)
    return start(session, chosen(session, picked, replaced, recipe), recipe, replaced, how)


def start(
    session: Session,
    numbers: Sequence[int],
    recipe: Recipe,
    replaced: Mapping[int, Path],
    asked: Reading,
) -> RunReport:
    """Rebuild books, read as `asked`; a re-ingest that was begun before is given up for this one.

    Raises:
        SettingsError: if `asked` names what does not exist.
        SourceMissingError: if a book to rebuild has no good copy; nothing was written.
        SourceError: if a replacement holds no usable text; nothing was written.
    """
    asked.check()
    readings = {number: how_read(session.record, number).changed(asked) for number in numbers}
    identities: dict[int, Identity] = {}
    for number, path in replaced.items():
        document = readings[number].read(path)
        identities[number] = sources.identity_of(path, document)
        session.documents.keep(number, document)
    _check_sources(session, [number for number in numbers if number not in replaced])
    _give_up(session)
    session.record_stages()
    staging = session.layout.staging
    session.files.make_folder(staging.root)
    for number, path in replaced.items():
        sources.store(session.files, staging, number, path, identities[number])
    record = msgspec.structs.replace(
        session.record,
        settings=recipe.as_dict(),
        settings_locked=True,
        removed_books=tuple(n for n in session.record.removed_books if n not in numbers),
        run=new_run("reingest", numbers),
        **with_readings(session.record, readings),
    )
    # Written last: from here on all that the re-ingest needs lies in the world, and it can resume.
    session.files.write(staging.record, encode(record))
    return resume(session)


def resume(session: Session) -> RunReport:
    """Continue the re-ingest in staging, swap, and run the later stages on the new chunks.

    Raises:
        CleanbreakError: if a book cannot be rebuilt; the re-ingest is given up, the old is whole.
        RunInterruptedError, StoreError: if stopped or refused by the disk; it can be resumed.
    """
    record = staged(session.layout)
    if record is None or record.run is None:
        raise StateConflictError("There is no re-ingest to resume; begin one.")
    staging = session.layout.staging
    build = Session(
        staging,
        session.files,
        record,
        (Chunks(),),  # later stages work on the chunks that count, and these do not count yet
        session.options,
        session.build_splitter,
        origin=session.layout,
        documents=session.documents,
    )
    reports = _build(session, build, record.run)
    # This one rename is the commit: before it the old world counts, after it the new one does, as
    # readers look in swap first. All in staging is durable by now: each manifest was written after
    # the chunks it counts.
    session.files.rename_folder(staging.root, session.layout.swap.root)
    finish_swap(session)
    return _finish(session, reports)


def resume_all(session: Session) -> RunReport:
    """Finish a re-ingest, if one was begun, then bring every other book to completion.

    Raises: as `resume` and `run.run` do.
    """
    begun = staged(session.layout) is not None
    first = resume(session) if begun else RunReport(None, "completed")
    done = {book.book_number for book in first.books}
    report = run(session, set(session.book_numbers()) - done)
    books = (*first.books, *report.books)
    return replace(report, run_id=report.run_id or first.run_id, books=books)


def _build(session: Session, build: Session, begun: RunRecord) -> list[BookReport]:
    build.save(run=msgspec.structs.replace(begun, state="active", ended_at=None))
    try:
        # Chunks that are there from an earlier attempt are compared with what the text gives.
        reports, failures = run_books(build, dict.fromkeys(begun.books, (CHUNKS,)))
    except BaseException:
        pause(build)
        raise
    if failures:
        # To try again would fail again; the old outputs are as they were.
        _give_up(session)
        raise failures[0].error
    return reports


def _finish(session: Session, reports: Sequence[BookReport]) -> RunReport:
    """Run the stages after the chunks, and end the run that came with the swap."""
    active = session.record.run
    if active is None:
        raise StateConflictError("The re-ingest has no run; begin it again.")
    try:
        _, failures = run_books(session, dict.fromkeys(active.books, ()))
        ended = end(active, "paused" if failures or not is_complete(session) else "completed")
        session.save(run=ended)
    finally:
        pause(session)
    failed = {failure.book_number for failure in failures}
    books = tuple(report for report in reports if report.book_number not in failed)
    return RunReport(ended.run_id, ended.state, books, tuple(failures), session.unavailable_stages)


def _check_sources(session: Session, numbers: Sequence[int]) -> None:
    for number in numbers:
        # Nothing is restored here: that is done, and recorded, when the book is read.
        manifest = session.manifest(session.layout.book(number))
        known = manifest.source if manifest else None
        sources.good_copy(session.layout, number, known)


def _give_up(session: Session) -> None:
    """Remove a staging; its record first, so that a half removed one is never resumed."""
    staging = session.layout.staging
    if staging.record.exists():
        session.files.remove(staging.record)
        session.files.sync_folder(staging.root)
    session.files.remove_tree(staging.root)
