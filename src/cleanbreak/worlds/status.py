"""Status: what a world holds and how far each stage is, read without a lock."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import CleanbreakError
from cleanbreak.storage.lock import is_held
from cleanbreak.worlds import sources
from cleanbreak.worlds.layout import KINDS, Book, Layout
from cleanbreak.worlds.records import (
    Malformed,
    Manifest,
    RefusedRecord,
    RunRecord,
    WarningRecord,
)
from cleanbreak.worlds.recovery import staged
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.stage import Progress, guarded


@dataclass(frozen=True, slots=True)
class BookStatus:
    """One book.

    ``state`` is that of its chunks: waiting, partial, complete, removed or damaged; or lost, if the
    book was stored and nothing of it is left.

    ``stages`` says how far each stage is; ``None`` for one that cannot say.
    """

    book_number: int
    source_filename: str | None
    state: str
    completed_chunks: int = 0
    total_chunks: int | None = None
    size: int = 0
    """Bytes of both copies and of the chunk files, as the records say."""
    warnings: tuple[WarningRecord, ...] = ()
    stages: dict[str, Progress | None] = field(default_factory=dict)
    source_path: str | None = None
    """Where the source lay below the folder that was named; its file name, if it was named itself."""


@dataclass(frozen=True, slots=True)
class Status:
    """A world at one moment.

    ``stages`` says of each stage whether it is ``complete`` or ``partial`` over all books, or
    ``unavailable``: the world asks for it, and it was not handed in when the world was opened.
    """

    name: str
    world_uuid: str
    settings: Recipe
    settings_locked: bool
    run: RunRecord | None
    stages: dict[str, str]
    books: tuple[BookStatus, ...]
    size: int
    being_written: bool
    on_disk: int | None = None
    """What the whole folder takes on the disk, in blocks, if that was asked for."""
    refused: tuple[RefusedRecord, ...] = ()
    """Sources that no ingest could use so far; `World.dismiss` forgets them."""

    @property
    def chunks(self) -> int:
        """Chunks that count."""
        return sum(book.completed_chunks for book in self.books)

    def as_dict(self) -> dict[str, Any]:
        """The status as plain data."""
        return {
            "name": self.name,
            "world_uuid": self.world_uuid,
            "settings": self.settings.as_dict(),
            "settings_locked": self.settings_locked,
            "being_written": self.being_written,
            "run": msgspec.to_builtins(self.run),
            "stages": self.stages,
            "chunks": self.chunks,
            "size": self.size,
            "on_disk": self.on_disk,
            "refused": msgspec.to_builtins(self.refused),
            "books": [msgspec.to_builtins(book) for book in self.books],
        }


def status(session: Session, *, measured: bool = False) -> Status:
    """Look at a world: its manifests alone, and with `measured` every file."""
    layout, record = session.layout, session.record
    session.being_written = is_held(layout.lock)
    books = tuple(_book_status(session, number) for number in session.all_numbers())
    staging = staged(layout)
    return Status(
        record.name,
        record.world_uuid,
        record.recipe,
        record.settings_locked,
        _run(staging.run if staging else record.run, held=session.being_written),
        _stages(session, books),
        books,
        sum(book.size for book in books) + _index_size(layout),
        session.being_written,
        _on_disk(layout.root) if measured else None,
        record.refused,
    )


def _book_status(session: Session, number: int) -> BookStatus:
    layout, record = session.layout, session.record
    if number in record.hidden_books:
        return _without_manifest(session, number, "removed")
    if session.is_lost(number):
        name = record.books[number]
        return BookStatus(number, name, "lost", source_path=record.path_of(number, name))
    book = layout.book(number)
    stages = _progress(session, book)
    try:
        manifest = session.load_manifest(book)
    except (Malformed, CleanbreakError):
        return _without_manifest(session, number, "damaged", stages=stages)
    if manifest is None:
        return _without_manifest(session, number, "waiting", stages=stages)
    name = manifest.source.filename
    return BookStatus(
        number,
        name,
        "complete" if manifest.complete else "partial",
        manifest.completed_chunks,
        manifest.total_chunks,
        _book_size(session, book, manifest),
        manifest.warnings,
        stages,
        record.path_of(number, name),
    )


def _without_manifest(session: Session, number: int, state: str, **known: Any) -> BookStatus:
    layout = session.layout
    name = _filename(layout, number)
    size = sum(_size(layout.current_slot(kind, number)) for kind in KINDS)
    path = session.record.path_of(number, name or "") or None
    return BookStatus(number, name, state, size=size, source_path=path, **known)


def _progress(session: Session, book: Book) -> dict[str, Progress | None]:
    """How far each stage is with a book; ``None`` where it fails to say, which `verify` explains."""
    found: dict[str, Progress | None] = {}
    for stage in session.stages:
        try:
            with guarded(stage, book.number):
                found[stage.name] = stage.progress(book, session)
        except CleanbreakError:
            found[stage.name] = None
    return found


def _filename(layout: Layout, number: int) -> str | None:
    try:
        return sources.look(layout, number).filename
    except CleanbreakError:
        return None


def _run(run: RunRecord | None, *, held: bool) -> RunRecord | None:
    """A run whose holder died is paused, though it had no time to write that down."""
    if run and run.state == "active" and not held:
        return msgspec.structs.replace(run, state="paused")
    return run


def _stages(session: Session, books: tuple[BookStatus, ...]) -> dict[str, str]:
    """The state of each stage over all books, as the stage itself finds it on the disk."""
    states = {}
    for stage in session.stages:
        progress = [book.stages.get(stage.name) for book in books if book.state != "removed"]
        done = all(found is not None and found.complete for found in progress)
        states[stage.name] = "complete" if done else "partial"
    return states | dict.fromkeys(session.unavailable_stages, "unavailable")


def _book_size(session: Session, book: Book, manifest: Manifest) -> int:
    copies = 2 * manifest.source.size
    if manifest.chunk_bytes is None:  # an earlier version wrote the book
        return copies + _size(session.layout.current_slot("books", book.number))
    return copies + manifest.chunk_bytes


def _index_size(layout: Layout) -> int:
    try:
        return layout.index.stat().st_size
    except OSError:
        return 0


def _on_disk(folder: Path) -> int:
    """What a folder takes on the disk: a file of 1 KB takes a block of mostly 4 KB."""
    total = 0
    for base, folders, names in os.walk(folder):
        for name in (*folders, *names):
            with suppress(OSError):  # a file that is gone meanwhile
                found = Path(base, name).lstat()
                # Windows counts no blocks.
                total += getattr(found, "st_blocks", -(-found.st_size // 512)) * 512
    return total


def _size(folder: Path) -> int:
    total = 0
    # `os.walk` passes over folders that a swap removes meanwhile, where `rglob` raises.
    for base, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # a temporary file that is gone meanwhile
                total += Path(base, name).stat().st_size
    return total
