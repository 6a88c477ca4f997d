"""A session: a world opened for one piece of work, and all that its stages need for their part."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from cleanbreak.core.document import Document
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import Splitter, splitter_for
from cleanbreak.errors import CleanbreakError, RunInterruptedError, SettingsError
from cleanbreak.storage.files import Files
from cleanbreak.worlds.layout import KINDS, Book, Layout
from cleanbreak.worlds.records import (
    Malformed,
    Manifest,
    WarningRecord,
    WorldRecord,
    encode,
    load_manifest,
)
from cleanbreak.worlds.stages.stage import FULLTEXT, Stage, in_order

# Bytes of text that documents may take between plan and build: dozens of books.
_MOST_KEPT = 64 << 20

# How often a caller is asked whether to stop while sources are checked and copied: a person who
# presses Ctrl-C should be heard within two seconds.
ASKS_EVERY_SECONDS = 1.0

# What stands for a stage in the progress of work before and beside the stages.
PLAN, VERIFY = "plan", "verify"

Stop = Callable[[], bool]
"""Asked after each group of writes; true ends the run there, paused."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Where a run is: the book, the stage, how far the stage is, and how many books are done.

    While an ingest is planned the stage is ``plan``, and while a world is verified ``verify``; the
    books are then the files or books looked at, and chunks are not counted.
    """

    book_number: int
    filename: str
    completed_chunks: int
    total_chunks: int
    books_done: int
    books: int
    stage: str = "chunks"


OnProgress = Callable[[RunProgress], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller of a run asked for."""

    trust_files: bool = False
    stop: Stop | None = None
    on_progress: OnProgress | None = None
    on_plan: OnProgress | None = None
    """Called for each source, before it is looked at."""

    def wants_stop(self) -> bool:
        """Whether the caller wants the run to end here.

        Raises:
            SettingsError: if ``stop`` raised what is not an error of ours.
        """
        return bool(self.stop and _call("stop", self.stop))

    def report(self, event: RunProgress) -> None:
        """Hand a piece of news to the caller.

        Raises:
            SettingsError: if the function raised what is not an error of ours.
        """
        name, function = "on_progress", self.on_progress
        if event.stage == PLAN:
            name, function = "on_plan", self.on_plan
        if function:
            _call(name, lambda: function(event))

    def check_before_run(self) -> None:
        """End here if the caller wants that; for work before the first write.

        Raises:
            RunInterruptedError, SettingsError: as `Session.check_stop` does.
        """
        if self.wants_stop():
            raise RunInterruptedError(
                "Stopped before anything was written; run the same again to go through with it."
            )


@dataclass(slots=True)
class Work:
    """The book and the stage at work."""

    book_number: int
    filename: str = ""
    books_done: int = 0
    books: int = 1
    stage: str = ""
    done: int = 0
    total: int = 0
    chunks_written: int = 0

    def begin(self, stage: str, total: int | None) -> None:
        """Start a stage of the book; `total` is how many chunks it has, where that is known."""
        self.stage, self.done, self.total = stage, 0, total or 0


class Documents:
    """Documents that were read to plan or check, kept so that the chunks stage need not read again.

    The first is kept even if it is larger, as it is in memory already; others while all together
    take no more than 64 MB. Whoever needs one that was not kept reads the stored copy.
    """

    def __init__(self) -> None:
        self._documents: dict[int, Document] = {}
        self._size = 0

    def keep(self, book_number: int, document: Document) -> None:
        """Keep the document of a new book, if there is room."""
        size = sys.getsizeof(document.text)
        if not self._documents or self._size + size <= _MOST_KEPT:
            self._documents[book_number] = document
            self._size += size

    def take(self, book_number: int) -> Document | None:
        """The document of a book, if it was kept; its memory is then the caller's."""
        document = self._documents.pop(book_number, None)
        if document:
            self._size -= sys.getsizeof(document.text)
        return document


@dataclass
class Session:
    """A world opened for one piece of work.

    ``files`` is the only way to change the disk. ``record`` is ``world.json`` as it is on the disk;
    `save` changes both. ``origin`` is set for a re-ingest only: it builds in staging, and the stored
    sources lie in ``origin``. ``thorough`` asks `Stage.verify` for every check, and not only
    whether the files are those that were written. ``being_written`` says that another process
    writes meanwhile. ``cache`` is for what a stage reads once a session, and ``warnings`` for what
    it has to say beside its books.
    """

    layout: Layout
    files: Files
    record: WorldRecord
    given_stages: tuple[Stage, ...]
    options: Options = Options()
    build_splitter: Callable[[Recipe], Splitter] = splitter_for
    origin: Layout | None = None
    thorough: bool = False
    being_written: bool = False
    documents: Documents = field(default_factory=Documents)
    cache: dict[str, Any] = field(default_factory=dict)
    warnings: list[WarningRecord] = field(default_factory=list)
    work: Work = field(default_factory=lambda: Work(0))
    _splitter: Splitter | None = None
    _manifests: dict[Path, Manifest | Malformed | None] = field(default_factory=dict)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages in the order in which they run; those that were not handed in are left out."""
        return in_order(self.given_stages, self.record.stages)

    @property
    def unavailable_stages(self) -> tuple[str, ...]:
        """The stages that the world asks for and that were not handed in."""
        given = {stage.name for stage in self.given_stages}
        return tuple(name for name in self.record.stages if name not in given)

    @property
    def splitter(self) -> Splitter:
        """The splitter of the world's settings, built once.

        Raises:
            SettingsError: if it cannot be built, as its tokenizer was not given.
        """
        if self._splitter is None or self._splitter.recipe != self.record.recipe:
            self._splitter = self.build_splitter(self.record.recipe)
        return self._splitter

    def book_numbers(self) -> list[int]:
        """The books of the world, without those that were removed on request."""
        hidden = self.record.hidden_books
        return [number for number in self.all_numbers() if number not in hidden]

    def all_numbers(self) -> list[int]:
        """Every number in use: what lies in the folders, and what was stored and is lost."""
        return sorted({*self.layout.book_numbers(), *self.record.books})

    def is_lost(self, number: int) -> bool:
        """Whether a book was stored, and nothing of it is left."""
        if number not in self.record.books:
            return False
        return not any(self.layout.current_slot(kind, number).exists() for kind in KINDS)

    def load_manifest(self, book: Book) -> Manifest | None:
        """The manifest of a book; ``None`` where there is none yet. It is read once a session.

        Raises:
            Malformed: if it is not what it should be, or it is gone while chunks are there.
            FormatTooNewError: if a later version of cleanbreak wrote it.
            WriteFailedError: if the disk fails, which says nothing about the file.
        """
        if book.folder not in self._manifests:
            try:
                self._manifests[book.folder] = load_manifest(book)
            except Malformed as error:
                self._manifests[book.folder] = error
        found = self._manifests[book.folder]
        if isinstance(found, Malformed):
            raise found
        return found

    def manifest(self, book: Book) -> Manifest | None:
        """The manifest of a book; ``None`` where there is none that can be read."""
        try:
            return self.load_manifest(book)
        except Malformed:
            return None

    def write_manifest(self, book: Book, manifest: Manifest) -> None:
        """Replace the manifest of a book, durably."""
        self._manifests.pop(book.folder, None)
        self.files.write(book.manifest, encode(manifest))
        self._manifests[book.folder] = manifest

    def forget(self, book: Book) -> None:
        """Read the manifest of a book again when it is asked for."""
        self._manifests.pop(book.folder, None)

    def look_again(self) -> None:
        """Forget what was read of the disk, as another process, or a swap, changed it."""
        self._manifests.clear()
        self.cache.clear()

    def save(self, **changes: Any) -> None:
        """Change ``world.json``, durably; nothing is written if it says so already."""
        changed = msgspec.structs.replace(self.record, **changes)
        if changed != self.record or not self.layout.record.exists():
            self.files.write(self.layout.record, encode(changed))
            self.record = changed

    def record_stages(self) -> None:
        """Write down that the stages which were handed in belong to the world from now on."""
        # The full text is derived: every world has it, and none asks for it.
        given = (stage.name for stage in self.stages if stage.name != FULLTEXT)
        self.save(stages=tuple(dict.fromkeys((*self.record.stages, *given))))

    def report(self, done: int, total: int | None = None) -> None:
        """Say how many chunks of the book the stage has done; call it when they are durable.

        Raises:
            SettingsError: if ``on_progress`` raised what is not an error of ours.
        """
        work = self.work
        work.done = done
        if total is not None:
            work.total = total
        self.options.report(
            RunProgress(
                work.book_number,
                work.filename,
                work.done,
                work.total,
                work.books_done,
                work.books,
                work.stage,
            )
        )

    def warn(self, code: str, message: str) -> None:
        """Add a warning to the report of the run; the same one once."""
        warning = WarningRecord(code, message)
        if warning not in self.warnings:
            self.warnings.append(warning)

    def check_stop(self) -> None:
        """End the run here if the caller wants that; what was written is durable and counted.

        Raises:
            RunInterruptedError: if ``stop`` says so.
            SettingsError: if ``stop`` raised what is not an error of ours.
        """
        if self.options.wants_stop():
            raise RunInterruptedError(
                "The run was stopped and what it wrote is safe; resume to continue it.",
                book_number=self.work.book_number,
                stage=self.work.stage,
                completed_chunks=self.work.done,
                total_chunks=self.work.total,
            )


def while_reading(options: Options, check: Callable[[], None]) -> Callable[[], None] | None:
    """What to ask while a file is read; ``None`` if nobody can stop it."""
    return check if options.stop else None


def now_and_then(check: Callable[[], None]) -> Callable[[], None]:
    """`check`, called only when a second has passed since the last time or the start.

    For steps that are short or long: a batch of notes is planned in an instant, and one of PDFs in
    minutes.
    """
    last = monotonic()

    def ask() -> None:
        nonlocal last
        if monotonic() - last >= ASKS_EVERY_SECONDS:
            last = monotonic()
            check()

    return ask


def _call(name: str, function: Callable[[], Any]) -> Any:
    """Call what the caller handed in; none of its exceptions leaves raw."""
    try:
        return function()
    except CleanbreakError:
        raise
    except Exception as error:  # noqa: BLE001 (anybody's code)
        raise SettingsError(
            name, f"a function that raised {type(error).__name__}", "one that raises nothing"
        ) from None
