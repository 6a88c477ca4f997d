"""What a run has done, when it ends, and what a search has found."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from cleanbreak.errors import CleanbreakError
from cleanbreak.worlds.records import WarningRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cleanbreak.retrieval import Hit
    from cleanbreak.stores.fulltext.ways import AnsweredBy


@dataclass(frozen=True, slots=True)
class BookReport:
    """What a run did for one book, every stage of which succeeded."""

    book_number: int
    source_filename: str
    source_path: str
    total_chunks: int
    chunks_written: int
    warnings: tuple[WarningRecord, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


@dataclass(frozen=True, slots=True)
class Failure:
    """A source or book that could not be used, or a stage that failed for it; the others continued."""

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
    """What a run did. ``run_id`` is ``None`` where there was nothing to do, hence nothing written.

    ``unavailable_stages`` are those that the world asks for and that were not handed in when it was
    opened: until they are, the run stays paused.
    """

    run_id: str | None
    state: str
    books: tuple[BookReport, ...] = ()
    failures: tuple[Failure, ...] = ()
    unavailable_stages: tuple[str, ...] = ()
    skipped: dict[str, int] = field(default_factory=dict)
    """How many files in folders were left out, as their kind is not read, by extension."""
    same: dict[str, str] = field(default_factory=dict)
    """Sources that were not taken, as their bytes are those of another source: path to path."""
    warnings: tuple[WarningRecord, ...] = ()
    """What a stage has to say of the whole run, such as that a provider limited its requests."""

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "run_id": self.run_id,
            "state": self.state,
            "books": [book.as_dict() for book in self.books],
            "failures": [failure.as_dict() for failure in self.failures],
            "unavailable_stages": list(self.unavailable_stages),
            "skipped": self.skipped,
            "same_content": self.same,
            "warnings": msgspec.to_builtins(self.warnings),
        }


class Hits(list["Hit"]):
    """The hits of a search, best first, and whether every book was searched.

    ``behind`` are the numbers of complete books that the index does not hold now, and
    ``unfinished`` those of books whose chunks are not all made yet. ``warnings`` say where meaning
    was left out, or covers only part of the world (``VECTOR_SEARCH_SKIPPED``, ``SEARCH_COVERS_PART``), and
    that chunks were left out whose files are missing or altered (``CHUNKS_NOT_PROVED``).
    ``answered_by`` and ``suggestion`` say whether they were found as typed; see
    `cleanbreak.retrieval.Answer`.
    """

    def __init__(
        self,
        hits: "Iterable[Hit]" = (),
        behind: "Iterable[int]" = (),
        unfinished: "Iterable[int]" = (),
        warnings: "Iterable[WarningRecord]" = (),
        answered_by: "AnsweredBy" = "words",
        suggestion: str | None = None,
    ) -> None:
        super().__init__(hits)
        self.answered_by = answered_by
        self.suggestion = suggestion
        self.warnings = tuple(warnings)
        self.behind = tuple(behind)
        self.unfinished = tuple(unfinished)

    @property
    def complete(self) -> bool:
        """Whether every book of the world was searched."""
        return not (self.behind or self.unfinished)
