"""Verify: every law on the disk, checked from the files alone; it writes nothing and needs no lock."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import CleanbreakError, StateConflictError
from cleanbreak.storage.lock import is_held
from cleanbreak.worlds import chunks, sources
from cleanbreak.worlds import manifest as manifests
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.opening import load_world
from cleanbreak.worlds.records import (
    NO_CHUNKS,
    Malformed,
    Manifest,
    StoredChunk,
    WorldRecord,
    chain,
)

_LOOKS = 5
"""How often a book that is exchanged meanwhile is looked at anew."""

_TAIL = 10_000
"""Characters of the text before a chunk that its overlap is held against."""

_NAMED_AT_MOST = 10
"""Problems of one book that are listed; a book without its chunk folder has as many as chunks."""


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


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was checked and what was found; ``repaired`` is what a repair mended before."""

    books: int
    chunks: int
    problems: tuple[Problem, ...] = ()
    repaired: tuple[Problem, ...] = ()
    being_written: bool = False
    """A writer was at work, so that unfinished work is not a problem."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong now."""
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "ok": self.ok,
            "books": self.books,
            "chunks": self.chunks,
            "being_written": self.being_written,
            "problems": [problem.as_dict() for problem in self.problems],
            "repaired": [problem.as_dict() for problem in self.repaired],
        }


def verify(layout: Layout) -> VerifyReport:
    """Check everything that the records promise. Unfinished books are no problem, false ones are.

    Raises:
        WorldMalformedError: if ``world.json`` cannot be read.
    """
    being_written = is_held(layout.lock)
    problems: list[Problem] = []
    books = counted = 0
    for number in layout.book_numbers():
        found, good = _verify_at_rest(layout, number)
        if good is None:
            continue
        books += 1
        counted += good
        problems += found[:_NAMED_AT_MOST]
        if len(found) > _NAMED_AT_MOST:
            more = len(found) - _NAMED_AT_MOST
            problems.append(Problem("MORE", f"{more} more problems of this book.", number))
    if not being_written:
        problems += _verify_index(layout, load_world(layout))
    return VerifyReport(books, counted, tuple(problems), being_written=being_written)


def _verify_at_rest(layout: Layout, number: int) -> tuple[list[Problem], int | None]:
    """Check a book, again if it was exchanged under our eyes: that is no problem of the disk."""
    for _ in range(_LOOKS):
        before = _sight(layout, number)
        record = load_world(layout)
        if number in record.hidden_books:
            return [], None
        problems, good = _verify_book(layout, record, number)
        if not problems or before == _sight(layout, number):
            break
    return problems, good


def _sight(layout: Layout, number: int) -> tuple[object, ...]:
    """What changes when a book is exchanged, moved or removed."""
    book = layout.book(number)
    record, manifest = (
        path.read_bytes() if path.exists() else None
        for path in (layout.current_record, book.manifest)
    )
    return book.folder, record, manifest


def _verify_book(layout: Layout, record: WorldRecord, number: int) -> tuple[list[Problem], int]:
    try:
        manifest = manifests.load(layout.book(number))
    except Malformed:
        message = "The manifest is lost or cannot be read."
        return [Problem("MANIFEST_MALFORMED", message, number)], 0
    except CleanbreakError as error:
        return [Problem(error.code, error.message, number)], 0
    problems = list(_verify_sources(layout, number, manifest))
    if manifest is None:
        return problems, 0
    problems += _verify_manifest(record, number, manifest)
    checker = _ChunkChecker(manifest)
    for chunk_number in range(1, manifest.completed_chunks + 1):
        try:
            # Asked for anew each time, since a swap may happen meanwhile.
            chunk = chunks.load(layout.book(number), chunk_number)
        except Malformed:
            checker.lose(chunk_number)
        else:
            checker.check(chunk)
    problems += checker.finish()
    return problems, checker.good


def _verify_sources(layout: Layout, number: int, manifest: Manifest | None) -> Iterator[Problem]:
    try:
        slot = sources.look(layout, number)
    except StateConflictError as error:
        yield Problem("SLOT_AMBIGUOUS", error.message, number)
        return
    if manifest is None:  # its copies are being made
        return
    for what, path in (("working", slot.working), ("backup", slot.backup)):
        code = f"{what.upper()}_COPY"
        if path is None:
            yield Problem(f"{code}_MISSING", f"The {what} copy is missing.", number)
        elif path.name != manifest.source.filename:
            yield Problem(f"{code}_NAME", f"The {what} copy has another name.", number)
        elif sources.digest_of(path) != manifest.source.sha256:
            yield Problem(f"{code}_ALTERED", f"The {what} copy was altered.", number)


def _verify_manifest(record: WorldRecord, number: int, manifest: Manifest) -> Iterator[Problem]:
    if (manifest.world_uuid, manifest.book_number) != (record.world_uuid, number):
        yield Problem("MANIFEST_FOREIGN", "The manifest is that of another book.", number)
    if Recipe.from_dict(manifest.settings) != record.recipe:
        yield Problem("SETTINGS_DIFFER", "The book was cut with other settings.", number)


class _ChunkChecker:
    """Walks the chunks of a book in order and holds them against its manifest and each other."""

    def __init__(self, manifest: Manifest) -> None:
        self.good = 0
        self._manifest = manifest
        self._settings = Recipe.from_dict(manifest.settings).digest
        self._problems: list[Problem] = []
        self._chain = NO_CHUNKS
        self._text = hashlib.sha256()
        self._end = self._byte_end = 0
        self._gap = False
        self._tail = ""

    def lose(self, number: int) -> None:
        """A chunk that is counted and not there, or not as it was written."""
        self._skip("CHUNK_LOST", "The chunk file is missing or altered.", number)

    def check(self, chunk: StoredChunk) -> None:
        """A chunk whose own digest is right."""
        number = chunk.chunk_number
        self._chain = chain(self._chain, chunk.record_sha256)
        self._text.update(chunk.chunk_text.encode())
        if self._is_foreign(chunk):
            self._skip("CHUNK_FOREIGN", "The chunk was made from something else.", number)
            return
        length, size = len(chunk.chunk_text), len(chunk.chunk_text.encode())
        if (
            chunk.character_end_offset - chunk.character_start_offset != length
            or chunk.byte_length != size
            or not length
        ):
            self._add("OFFSETS_WRONG", "The offsets do not fit the text.", number)
        if not self._gap and not _ends_alike(self._tail, chunk.overlap_text):
            self._add("OVERLAP_DIFFERS", "The overlap is not the text before.", number)
        start = (chunk.character_start_offset, chunk.byte_offset)
        if not self._gap and start != (self._end, self._byte_end):
            self._add("NOT_CONTIGUOUS", "The chunk does not start where the last ended.", number)
        self._gap = False
        self._tail = (self._tail + chunk.chunk_text)[-_TAIL:]
        self._end, self._byte_end = chunk.character_end_offset, chunk.byte_offset + size
        self.good += 1

    def finish(self) -> list[Problem]:
        """All problems, with those that only the whole book shows."""
        manifest = self._manifest
        if not self._problems and self._chain != manifest.chunks_sha256:
            self._add("CHAIN_DIFFERS", "The chunk files are not those that were counted.")
        if not self._problems and manifest.complete:
            whole = (self._end, self._byte_end, self._text.hexdigest())
            if whole != (manifest.text_length, manifest.text_bytes, manifest.text_sha256):
                self._add("TEXT_DIFFERS", "The chunks together are not the text of the source.")
        return self._problems

    def _is_foreign(self, chunk: StoredChunk) -> bool:
        manifest = self._manifest
        return (
            chunk.world_uuid,
            chunk.book_number,
            chunk.source_sha256,
            chunk.text_sha256,
            chunk.settings_sha256,
            chunk.total_chunks,
        ) != (
            manifest.world_uuid,
            manifest.book_number,
            manifest.source.sha256,
            manifest.text_sha256,
            self._settings,
            manifest.total_chunks,
        )

    def _skip(self, code: str, message: str, number: int) -> None:
        """Leave a chunk out; the next one has no neighbour to be held against."""
        self._gap, self._tail = True, ""
        self._add(code, message, number)

    def _add(self, code: str, message: str, number: int | None = None) -> None:
        self._problems.append(Problem(code, message, self._manifest.book_number, number))


def _ends_alike(before: str, overlap: str) -> bool:
    """Whether `overlap` is the end of the text before, as far as that was kept."""
    return overlap.endswith(before) if len(overlap) > len(before) > 0 else before.endswith(overlap)


def _verify_index(layout: Layout, record: WorldRecord) -> Iterator[Problem]:
    from cleanbreak.stores.fulltext import Index
    from cleanbreak.worlds import catalogue

    if not layout.index.exists():
        return  # it is derived: nothing is lost
    try:
        with Index.open(layout.index, readonly=True) as index:
            if not catalogue.is_current(layout, record, index):
                yield Problem("INDEX_BEHIND", "The index is not what the files say; reindex.")
    except CleanbreakError as error:
        yield Problem(error.code, error.message)
