"""Removing a book: its number enters ``world.json``, which is the commit, and then its files go."""

from typing import Any

from cleanbreak.core.checks import whole_number
from cleanbreak.errors import StateConflictError
from cleanbreak.worlds.reading import Reading, with_readings
from cleanbreak.worlds.recovery import recover, staged
from cleanbreak.worlds.session import Session


def check_book(session: Session, number: int) -> None:
    """Refuse what is no number, as a bool is for ``world.json``, and a number that no book has."""
    whole_number("book_number", number, minimum=1)
    numbers = session.all_numbers()
    if number not in numbers:
        books = "1 book" if len(numbers) == 1 else f"{len(numbers)} books"
        raise StateConflictError(
            f"There is no book {number}; the world has {books}.", book_number=number
        )


def remove(session: Session, number: int, *, sources: bool) -> None:
    """Remove what was made from a book, and with `sources` its stored source too.

    Raises:
        StateConflictError: if there is no such book, or a re-ingest waits to be resumed.
    """
    check_book(session, number)
    if staged(session.layout):
        raise StateConflictError(
            "A re-ingest was begun and would bring the book back; resume it first."
        )
    record = session.record
    if sources:
        changes: dict[str, Any] = {
            "purged_books": tuple(sorted({*record.purged_books, number})),
            "removed_books": tuple(other for other in record.removed_books if other != number),
            "books": {n: name for n, name in record.books.items() if n != number},
            "paths": {n: path for n, path in record.paths.items() if n != number},
            **with_readings(record, {number: Reading()}),
        }
    else:
        changes = {"removed_books": tuple(sorted({*record.removed_books, number}))}
    # The commit: from here on nobody reads the book. What follows is what every later writer does
    # first, so a crash before it is finished is made good by whoever writes next.
    session.save(**changes)
    recover(session)
