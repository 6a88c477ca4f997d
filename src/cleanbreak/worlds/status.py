"""Status: what a world holds and how far it is, read without a lock."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import CleanbreakError
from cleanbreak.storage.lock import is_held
from cleanbreak.worlds import manifest as manifests
from cleanbreak.worlds import sources
from cleanbreak.worlds.layout import KINDS, Layout
from cleanbreak.worlds.records import Malformed, RunRecord, WarningRecord, WorldRecord
from cleanbreak.worlds.recovery import staged
from cleanbreak.worlds.stages import CHUNKS


@dataclass(frozen=True, slots=True)
class BookStatus:
    """One book. ``state`` is waiting, partial, complete, removed or damaged."""

    book_number: int
    source_filename: str | None
    state: str
    completed_chunks: int = 0
    total_chunks: int | None = None
    size: int = 0
    """Bytes on the disk: both copies and all outputs."""
    warnings: tuple[WarningRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """A world at one moment."""

    name: str
    world_uuid: str
    settings: Recipe
    settings_locked: bool
    run: RunRecord | None
    stages: dict[str, str]
    books: tuple[BookStatus, ...]
    size: int
    being_written: bool

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
            "books": [msgspec.to_builtins(book) for book in self.books],
        }


def status(layout: Layout, record: WorldRecord) -> Status:
    """Look at a world."""
    held = is_held(layout.lock)
    books = tuple(_book_status(layout, record, number) for number in layout.book_numbers())
    staging = staged(layout)
    return Status(
        record.name,
        record.world_uuid,
        record.recipe,
        record.settings_locked,
        _run(staging.run if staging else record.run, held=held),
        _stages(record, books),
        books,
        _size(layout.root),
        held,
    )


def _book_status(layout: Layout, record: WorldRecord, number: int) -> BookStatus:
    size = sum(_size(layout.current_slot(kind, number)) for kind in KINDS)
    if number in record.hidden_books:
        return BookStatus(number, _filename(layout, number), "removed", size=size)
    try:
        manifest = manifests.load(layout.book(number))
    except (Malformed, CleanbreakError):
        return BookStatus(number, _filename(layout, number), "damaged", size=size)
    if manifest is None:
        return BookStatus(number, _filename(layout, number), "waiting", size=size)
    return BookStatus(
        number,
        manifest.source.filename,
        "complete" if manifest.complete else "partial",
        manifest.completed_chunks,
        manifest.total_chunks,
        size,
        manifest.warnings,
    )


def _filename(layout: Layout, number: int) -> str | None:
    try:
        return sources.look(layout, number).filename
    except CleanbreakError:
        return None


def _run(run: RunRecord | None, *, held: bool) -> RunRecord | None:
    """A run whose holder died is paused, whatever it had time to write."""
    if run and run.state == "active" and not held:
        return msgspec.structs.replace(run, state="paused")
    return run


def _stages(record: WorldRecord, books: tuple[BookStatus, ...]) -> dict[str, str]:
    counted = [book for book in books if book.state != "removed"]
    done = all(book.state == "complete" for book in counted)
    states = {CHUNKS: "complete" if done else "partial"}
    finished = record.run is not None and record.run.state == "completed"
    for name in record.stages[1:]:
        states[name] = "complete" if finished else "partial"
    return states


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # a temporary file that is gone meanwhile
            continue
    return total
