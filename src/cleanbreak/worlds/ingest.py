"""An ingest: the run that stores new sources and brings every book to completion."""

from collections.abc import Iterable
from typing import Any

from cleanbreak.errors import CleanbreakError
from cleanbreak.worlds import sources
from cleanbreak.worlds.plan import Plan, expected_identity
from cleanbreak.worlds.reports import Failure, RunReport
from cleanbreak.worlds.run import (
    begin,
    book_is_complete,
    end,
    is_complete,
    is_proved,
    pause,
    run_books,
)
from cleanbreak.worlds.workspace import Conditions, Workspace


def waiting(place: Workspace, numbers: Iterable[int], conditions: Conditions) -> list[int]:
    """The books to work on: those of `numbers` that are not proved, and any that is unfinished.

    To prove a book is to read it, so only those asked for are proved: an ingest into a large world
    costs what its own books cost.
    """
    layout, record = place.layout, place.record
    asked = set(numbers)
    return [
        number
        for number in layout.book_numbers()
        if number not in record.hidden_books
        and not (
            book_is_complete(layout.book(number), record, conditions.stages)
            and (
                number not in asked
                or is_proved(layout, record, number, trust_files=conditions.trust_files)
            )
        )
    ]


def run(
    place: Workspace,
    numbers: list[int],
    plan: Plan | None,
    conditions: Conditions,
    failures: tuple[Failure, ...] = (),
) -> RunReport:
    """Work on the books of those numbers and on the new ones of the plan.

    All new sources are stored before the first is cut, so that from then on the run needs nothing
    but the world. Nothing is written if there is nothing to do.
    """
    new = plan.of("new") if plan else ()
    last = place.record.run
    if not numbers and not new and (last is None or last.state == "completed"):
        index(place)
        return RunReport(None, "completed", (), failures)
    active = begin(last, "ingest")
    changes: dict[str, Any] = {"run": active}
    if plan and new:
        changes |= {"settings": plan.settings.as_dict(), "settings_locked": True}
        changes["encodings"] = _encodings(place.record.encodings, plan)
    place.save(**changes)
    try:
        for source in new:
            number = source.book_number or 0
            sources.store(place.files, place.layout, number, source.path, expected_identity(source))
            numbers = [*numbers, number]
        books, failed = run_books(place, place.layout, numbers, conditions)
    except CleanbreakError:
        pause(place)
        raise
    index(place)
    done = not failed and is_complete(place.layout, place.record, conditions.stages)
    ended = end(active, "completed" if done else "paused")
    place.save(run=ended)
    return RunReport(ended.run_id, ended.state, tuple(books), (*failures, *failed))


def _encodings(known: dict[int, str], plan: Plan) -> dict[int, str]:
    """What is known of the encodings, once the new books of the plan have their numbers.

    A number may have been meant for another book before, whose source never came to be stored.
    """
    new = {source.book_number for source in plan.of("new")}
    kept = {number: name for number, name in known.items() if number not in new}
    named = {number: plan.encoding for number in new if number and plan.encoding}
    return kept | named


def index(place: Workspace) -> None:
    """Bring the index to what the files say."""
    from cleanbreak.worlds import catalogue

    catalogue.catch_up(place.layout, place.record)
