"""Re-ingest: build anew beside the old, then swap, so that a crash leaves one of the two whole."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import CleanbreakError, StateConflictError
from cleanbreak.worlds import manifest as manifests
from cleanbreak.worlds import sources
from cleanbreak.worlds.records import decode_world, encode
from cleanbreak.worlds.recovery import finish_swap, staged
from cleanbreak.worlds.run import (
    BookReport,
    Conditions,
    RunReport,
    Workspace,
    begin,
    end,
    pause,
    run_books,
)


def start(
    place: Workspace,
    numbers: Sequence[int],
    recipe: Recipe,
    replacements: Mapping[int, Path],
    conditions: Conditions,
) -> RunReport:
    """Rebuild books; whatever re-ingest was begun before is given up for this one.

    Raises:
        SourceMissingError: if a book to rebuild has no good copy; nothing was written.
    """
    _check_sources(place, [number for number in numbers if number not in replacements])
    _give_up(place)
    staging = place.layout.staging
    place.files.make_folder(staging.root)
    for number, path in replacements.items():
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
    """Go on with the re-ingest in staging, then swap."""
    record = staged(place.layout)
    if record is None or record.run is None:
        raise StateConflictError("There is no re-ingest to resume; begin one.")
    build = Workspace(place.layout.staging, place.files, record)
    if record.run.state != "completed":  # else it only was not swapped in yet
        build.save(run=begin(record.run, "reingest"))
    try:
        reports, failures = run_books(build, place.layout, record.run.books, conditions)
        if failures:
            raise failures[0].error
    except CleanbreakError:
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
