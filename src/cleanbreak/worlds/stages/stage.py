"""What a stage is, and how a world puts its stages in order."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from cleanbreak.errors import CleanbreakError, SettingsError, StageError

if TYPE_CHECKING:
    from cleanbreak.worlds.layout import Book
    from cleanbreak.worlds.session import Session

# The stages that every world has. Only the first stands in world.json: the second is derived.
CHUNKS, FULLTEXT = "chunks", "fulltext"
# The stage of our own that a world may have.
EMBEDDINGS = "embeddings"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is with one book, counted in chunks.

    ``total`` is ``None`` while it is not known; ``failed`` are chunks that were tried and are not
    done.
    """

    done: int
    total: int | None
    failed: int = 0

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.done == self.total


@dataclass(frozen=True, slots=True)
class Problem:
    """Something on the disk that is not as it should be. ``code`` is stable."""

    code: str
    message: str
    book_number: int | None = None
    chunk_number: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The problem as plain data."""
        return {
            "code": self.code,
            "message": self.message,
            "book_number": self.book_number,
            "chunk_number": self.chunk_number,
        }


@runtime_checkable
class Stage(Protocol):
    """One kind of work on every book of a world, such as embedding its chunks.

    A world has a list of stages. Status, resume, verify, repair, re-ingest and remove only go
    through that list, so a new stage is one object and nothing else changes.

    Every method gets the book (``book.number``, ``book.folder``) and the session (where files lie,
    how they are written durably, what the caller asked for). A stage keeps what it makes in the
    book's folder, or in a database of its own that can be made again. Such a database outlives the
    chunks it was made from, so its rows must carry the manifest's ``chunks_sha256``.

    A method may raise anything. `SettingsError` and `StoreError` stop the run, as they hold for
    every book: wrong settings, a full disk. Anything else fails this book, and the run goes to the
    next one; an exception that is not ours is reported as `StageError`, without its text.
    """

    @property
    def name(self) -> str:
        """The name in ``world.json``; also that of the stage's own manifest, ``<name>.json``."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The stages that must be complete for a book before this one runs for it."""

    def progress(self, book: "Book", session: "Session") -> Progress:
        """How far the stage is with `book`, from the disk alone; cheap."""

    def run(self, book: "Book", session: "Session") -> None:
        """Do what is left to do for `book`, and repair what the files do not prove.

        Writes through ``session.files``, and after each group of writes calls ``session.report``
        and ``session.check_stop``. It may be killed after any write, and must then continue from
        what is on the disk.
        """

    def verify(self, book: "Book", session: "Session") -> Iterator[Problem]:
        """What is wrong with the stage's output for `book`; unfinished work is no problem."""

    def discard(self, book: "Book", session: "Session") -> None:
        """Remove the stage's output for `book`, if there is any; called again after a crash."""


@contextmanager
def guarded(stage: Stage, book_number: int) -> Iterator[None]:
    """Let our errors pass, and turn any other exception of a stage into a `StageError`."""
    try:
        yield
    except CleanbreakError:
        raise
    except Exception as error:  # noqa: BLE001 (a stage may be anybody's code)
        kind = type(error).__name__
        raise StageError(
            f"The stage {stage.name} failed for book {book_number} ({kind}); what was written "
            "before is safe. Correct the cause, then resume.",
            stage=stage.name,
            kind=kind,
            book_number=book_number,
        ) from None


def in_order(stages: Sequence[Stage], recorded: Sequence[str]) -> tuple[Stage, ...]:
    """The stages in the order in which they run: built in, as recorded, then those that are new."""
    by_name = {stage.name: stage for stage in stages}
    names = dict.fromkeys((CHUNKS, FULLTEXT, *recorded, *by_name))
    return tuple(by_name[name] for name in names if name in by_name)


def check_stages(given: Sequence[object], recorded: Sequence[str]) -> tuple[Stage, ...]:
    """The stages that a caller hands in, checked.

    Raises:
        SettingsError: if one is not a stage, has a name that is taken, or comes before a stage
            that it needs.
    """
    stages: list[Stage] = []
    for stage in given:
        if not isinstance(stage, Stage) or isinstance(stage, type):
            raise SettingsError("stages", type(stage), "objects that have all parts of a stage")
        if stage.name in (CHUNKS, FULLTEXT, EMBEDDINGS, *(other.name for other in stages)):
            raise SettingsError("stages", stage.name, "objects whose names differ from each other")
        stages.append(stage)
    names = [*dict.fromkeys((CHUNKS, FULLTEXT, *recorded, *(stage.name for stage in stages)))]
    for stage in stages:
        before = names[: names.index(stage.name)]
        if not set(stage.needs) <= set(before):
            raise SettingsError("stages", stage.name, "named after the stages that it needs")
    return tuple(stages)
