"""Re-ingest: build anew beside the old, then swap, so that a crash leaves one of the two whole."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from cleanbreak.core.checks import whole_number
from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import RunInterruptedError, StateConflictError, StoreError
from cleanbreak.worlds import manifest as manifests
from cleanbreak.worlds import sources
from cleanbreak.worlds.records import decode_world, encode
from cleanbreak.worlds.recovery import finish_swap, staged
from cleanbreak.worlds.reports import BookReport, RunReport
from cleanbreak.worlds.run import begin, end, pause, run_books
from cleanbreak.worlds.workspace import Conditions, Workspace


def check_book(place: Workspace, number: int) -> None:
    """Refuse what is no number, as a bool is for ``world.json``, and a number that no book has."""
    whole_number("book_number", number, minimum=1)
    numbers = place.layout.book_numbers()
    if number not in numbers:
        books = "1 book" if len(numbers) == 1 else f"{len(numbers)} books"
        raise StateConflictError(
            f"There is no book {number}; the world has {books}.", book_number=number
        )


def chosen(
    place: Workspace, books: Iterable[int] | None, replaced: Mapping[int, Path], recipe: Recipe
) -> list[int]:
    """The numbers of the books to rebuild: those asked for, those replaced, or else all.

    Raises:
        SettingsError: for what is no number.
        StateConflictError: for a book that is not there, or new settings for some books only.
    """
    present = {n for n in place.layout.book_numbers() if n not in place.record.hidden_books}
    same = recipe == place.record.recipe
    if books is None:
        return sorted(replaced if replaced and same else {*present, *replaced})
    books = tuple(books)
    for number in books:
        check_book(place, number)
    wanted = sorted({*books, *replaced})
    if not same and not present <= set(wanted):
        raise StateConflictError("New settings are for all books; leave the choice of books out.")
    return wanted


def replacements(place: Workspace, paths: list[Path]) -> dict[int, Path]:
    """The files that are to take the place of stored sources, by the number of their book.

    Raises:
        StateConflictError: for a file whose name no stored source has.
    """
    numbers = {
        sources.name_key(name): number
        for number in place.layout.book_numbers()
        if (name := sources.look(place.layout, number).filename)
    }
    for path in paths:
        if sources.name_key(path.name) not in numbers:
            raise StateConflictError(
                f"No stored source is called {path.name!r}; ingest it as a new book.",
                name=path.name,
            )
    return {numbers[sources.name_key(path.name)]: path for path in paths}


def start(
    place: Workspace,
    numbers: Sequence[int],
    recipe: Recipe,
    replaced: Mapping[int, Path],
    conditions: Conditions,
) -> RunReport:
    """Rebuild books; whatever re-ingest was begun before is given up for this one.

    Raises:
        SourceMissingError: if a book to rebuild has no good copy; nothing was written.
        SourceError: if a replacement holds no usable text; nothing was written.
    """
    from cleanbreak.readers import read

    for path in replaced.values():
        read(path)
    _check_sources(place, [number for number in numbers if number not in replaced])
    _give_up(place)
    staging = place.layout.staging
    place.files.make_folder(staging.root)
    for number, path in replaced.items():
        sources.store(place.files, staging, number, path, sources.identify(path))
    record = msgspec.structs.replace(
        place.record,
        settings=recipe.as_dict(),
        settings_locked=True,
        removed_books=tuple(n for n in place.record.removed_books if n not in numbers),
        run=begin(None, "reingest", numbers),
    )
    # Written last: from here on all that the re-ingest needs lies in the world, and it can resume.
    place.files.write(staging.record, encode(record))
    return resume(place, conditions)


def resume(place: Workspace, conditions: Conditions) -> RunReport:
    """Go on with the re-ingest in staging, then swap.

    Raises:
        CleanbreakError: if a book cannot be rebuilt; the re-ingest is given up, the old is whole.
        RunInterruptedError, StoreError: if stopped or refused by the disk; it can be resumed.
    """
    record = staged(place.layout)
    if record is None or record.run is None:
        raise StateConflictError("There is no re-ingest to resume; begin one.")
    build = Workspace(place.layout.staging, place.files, record)
    if record.run.state != "completed":  # else it only was not swapped in yet
        build.save(run=begin(record.run, "reingest"))
    try:
        reports, failures = run_books(build, place.layout, record.run.books, conditions)
        if failures:
            # Going on would fail again; the old outputs are as they were.
            _give_up(place)
            raise failures[0].error
    except (RunInterruptedError, StoreError):
        pause(build)
        raise
    return _swap(place, build, reports)


def _swap(place: Workspace, build: Workspace, reports: list[BookReport]) -> RunReport:
    run = build.record.run
    if run is None:
        raise StateConflictError("The re-ingest has no run; begin it again.")
    build.save(run=end(run, "completed"))
    place.files.rename_folder(place.layout.staging.root, place.layout.swap.root)
    finish_swap(place.files, place.layout)
    place.record = decode_world(place.layout.record.read_bytes())
    return RunReport(run.run_id, "completed", tuple(reports))


def _check_sources(place: Workspace, numbers: Sequence[int]) -> None:
    for number in numbers:
        manifest = manifests.load_or_none(place.layout.book(number))
        sources.trusted_copy(
            place.files, place.layout, number, manifest.source if manifest else None
        )


def _give_up(place: Workspace) -> None:
    """Remove a staging; its record first, so that a half removed one is never resumed."""
    staging = place.layout.staging
    if staging.record.exists():
        place.files.remove(staging.record)
        place.files.sync_folder(staging.root)
    place.files.remove_tree(staging.root)
