"""What a run tells while it goes and when it ends."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from cleanbreak.errors import CleanbreakError
from cleanbreak.worlds.records import WarningRecord


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
