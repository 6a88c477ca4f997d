"""Where things lie in a world. Paths only; nothing here reads content or writes."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from cleanbreak.storage.files import is_temporary
from cleanbreak.storage.lock import holder_of

# Numbers as this module writes them: ``book-00004`` is not the slot of book 4.
_SLOT = re.compile(r"book-([0-9]{4}|[1-9][0-9]{4,})")
_CHUNK = re.compile(r"([0-9]{6}|[1-9][0-9]{6,})\.json")
LOCK_NAME = "world.lock"
KINDS = ("sources", "backups", "books")


def slot_name(book_number: int) -> str:
    """The folder name of a book, in each of ``sources``, ``backups`` and ``books``.

    >>> slot_name(1)
    'book-0001'
    """
    return f"book-{book_number:04d}"


def number_of(slot: str) -> int:
    """The number of the book whose folders have that name.

    >>> number_of("book-0012")
    12
    """
    return int(slot.rpartition("-")[2])


@dataclass(frozen=True, slots=True)
class Book:
    """One book: its number, and the folder of what was made from its source."""

    number: int
    folder: Path

    @property
    def key(self) -> str:
        """The name of the book's folder, ``book-0001``; also the key of its rows in a database."""
        return slot_name(self.number)

    @property
    def manifest(self) -> Path:
        """The progress of the book."""
        return self.folder / "manifest.json"

    @property
    def chunks(self) -> Path:
        """The folder of chunk files."""
        return self.folder / "chunks"

    def chunk(self, number: int) -> Path:
        """One chunk file."""
        return self.chunks / f"{number:06d}.json"

    def chunk_numbers(self) -> set[int]:
        """The numbers of the chunk files that are there and not empty.

        An empty file is what a power cut leaves of a rename whose data was not synced; it counts
        as missing.
        """
        try:
            with os.scandir(self.chunks) as entries:
                return {
                    int(match[1])
                    for entry in entries
                    if (match := _CHUNK.fullmatch(entry.name)) and entry.stat().st_size
                }
        except (FileNotFoundError, NotADirectoryError):
            return set()

    def stray_chunks(self, total: int) -> list[Path]:
        """What has the name of a chunk file and none of the numbers from 1 to `total`."""
        found = ((name, _CHUNK.fullmatch(name)) for name in names_in(self.chunks))
        return sorted(
            self.chunks / name for name, match in found if match and not 1 <= int(match[1]) <= total
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of a world, or of a re-ingest in staging, which looks the same."""

    root: Path

    @property
    def record(self) -> Path:
        """``world.json`` as written to."""
        return self.root / "world.json"

    @property
    def current_record(self) -> Path:
        """``world.json`` as read: that of a committed swap comes first."""
        swapped = self.swap.record
        # Path.exists raises for a folder that may not be searched.
        return swapped if os.path.exists(swapped) else self.record  # noqa: PTH110

    @property
    def staging(self) -> "Layout":
        """A re-ingest being built."""
        return Layout(self.root / "staging")

    @property
    def swap(self) -> "Layout":
        """A re-ingest committed and being put in place."""
        return Layout(self.root / "swap")

    @property
    def index(self) -> Path:
        """The derived index."""
        return self.root / "index.sqlite"

    @property
    def vectors(self) -> Path:
        """The derived store of vectors."""
        return self.root / "vectors.sqlite"

    @property
    def lock(self) -> Path:
        """The file that a writer locks."""
        return self.root / LOCK_NAME

    @property
    def holder(self) -> Path:
        """Who holds the lock."""
        return holder_of(self.lock)

    def slot(self, kind: str, book_number: int) -> Path:
        """The folder of a slot as written to."""
        return Path(self.root, kind, slot_name(book_number))

    def current_slot(self, kind: str, book_number: int) -> Path:
        """The folder of a slot as read: that of a committed swap comes first."""
        # Strings and not paths: this is asked for all books.
        swapped = os.path.join(self.root, "swap", kind, slot_name(book_number))  # noqa: PTH118
        is_there = os.path.exists(swapped)  # noqa: PTH110
        return Path(swapped) if is_there else self.slot(kind, book_number)

    def book(self, book_number: int) -> Book:
        """The book as readers see it: in a committed swap, or else in its own place."""
        return Book(book_number, self.current_slot("books", book_number))

    def live_book(self, book_number: int) -> Book:
        """The book in its own place, which a committed swap is about to replace."""
        return Book(book_number, self.slot("books", book_number))

    def book_numbers(self) -> list[int]:
        """Every number in use by a source, a backup or outputs, ascending."""
        numbers = set()
        for kind in KINDS:
            for base in (self.root, self.root / "swap"):
                for name in names_in(base / kind):
                    if match := _SLOT.fullmatch(name):
                        numbers.add(int(match[1]))
        return sorted(numbers)

    def copies(self, kind: str, book_number: int) -> list[Path]:
        """The files of a source or backup slot, without unfinished ones."""
        folder = self.current_slot(kind, book_number)
        return sorted(folder / name for name in names_in(folder) if not is_temporary(name))


def names_in(folder: str | os.PathLike[str]) -> list[str]:
    """The names in a folder; none where there is no folder."""
    try:
        return os.listdir(folder)  # noqa: PTH208 (names alone)
    except (FileNotFoundError, NotADirectoryError):
        return []
