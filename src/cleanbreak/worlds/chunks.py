"""A book's chunk files: written in groups, counted by the manifest, proved by both."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from cleanbreak.core.document import Document
from cleanbreak.core.splitters import Splitter
from cleanbreak.errors import StateConflictError
from cleanbreak.storage.files import Files, is_temporary
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import (
    NO_CHUNKS,
    ChunkHeader,
    Malformed,
    Manifest,
    StoredChunk,
    chain,
    decode_chunk,
    encode,
    record_digest,
)

OnGroup = Callable[[Manifest], None]
"""Called after each commit with the manifest as it is on the disk; may raise to stop the run."""


class Writer:
    """Brings one book's chunk files to what its text and settings give.

    Files that are there already are compared byte for byte and only rewritten where they differ,
    so that any state of the folder, however torn, ends as if nothing had happened.
    """

    def __init__(self, files: Files, book: Book, manifest: Manifest, on_group: OnGroup) -> None:
        self._files = files
        self._book = book
        self._on_group = on_group
        self._stored = manifest
        self._group: list[tuple[Path, bytes]] = []
        self.written = 0
        self.manifest = manifest

    def write(self, splitter: Splitter, document: Document, *, trust_files: bool = False) -> None:
        """Write what is missing or wrong, and count it."""
        self._files.make_folder(self._book.chunks)
        _remove_strays(self._files, self._book, self.manifest.total_chunks)
        there = self._book.chunk_numbers()
        trusted = self._trusted(there) if trust_files else 0
        digest = self.manifest.chunks_sha256 if trusted else NO_CHUNKS
        header = ChunkHeader(self.manifest)
        number = last_commit = trusted
        for chunk in splitter.stream(document):
            if chunk.number <= trusted:
                continue
            number = chunk.number
            data = header.encode(chunk)
            path = self._book.chunk(number)
            if number not in there or _read(path) != data:
                self._group.append((path, data))
            digest = chain(digest, record_digest(data) or "")
            if number - last_commit >= self._files.group_size:
                self._commit(number, digest)
                last_commit = number
        if number != self.manifest.total_chunks:
            raise total_conflict(self.manifest, number)
        self._commit(number, digest)

    def _commit(self, number: int, digest: str) -> None:
        """Make the group durable, then count it."""
        counted = self._stored.completed_chunks
        self.written += len(self._group)
        if self._group:
            self._files.write_group(self._group)
            self._group = []
        elif number > counted:
            # Found good, but a rename that was seen need not have been durable.
            self._files.sync_folder(self._book.chunks)
        self.manifest = msgspec.structs.replace(
            self.manifest, completed_chunks=number, chunks_sha256=digest
        )
        # A repair below what is counted already changes nothing that the manifest says.
        if number >= counted and self.manifest != self._stored:
            self._files.write(self._book.manifest, encode(self.manifest))
            self._stored = self.manifest
        self._on_group(self.manifest)

    def _trusted(self, there: set[int]) -> int:
        """How many chunks count without being read: all that are counted, if all are there."""
        completed = self.manifest.completed_chunks
        return completed if there.issuperset(range(1, completed + 1)) else 0


def is_proved(book: Book, manifest: Manifest, *, trust_files: bool = False) -> bool:
    """Whether all chunks are counted, and all are there as they were written.

    Reads every file once; with `trust_files` none, only names and sizes are looked at.
    """
    if not manifest.complete:
        return False
    if trust_files:
        return book.chunk_numbers().issuperset(range(1, manifest.total_chunks + 1))
    return proved_chain(book, manifest.total_chunks) == manifest.chunks_sha256


def proved_chain(book: Book, total: int) -> str | None:
    """The chain over the first `total` chunk files; ``None`` if one is missing or altered."""
    digest = NO_CHUNKS
    for number in range(1, total + 1):
        data = _read(book.chunk(number))
        own = record_digest(data) if data else None
        if own is None:
            return None
        digest = chain(digest, own)
    return digest


def load(book: Book, number: int) -> StoredChunk:
    """One chunk, proved by its digest.

    Raises:
        Malformed: if the file is missing, torn or altered.
    """
    data = _read(book.chunk(number))
    if not data:
        raise Malformed
    record = decode_chunk(data)
    if record.chunk_number != number:
        raise Malformed
    return record


def stream(book: Book, manifest: Manifest) -> Iterator[StoredChunk]:
    """The chunks that the manifest counts and the files prove, up to the first that fails."""
    for number in range(1, manifest.completed_chunks + 1):
        try:
            yield load(book, number)
        except Malformed:
            return


def total_conflict(manifest: Manifest, total: int) -> StateConflictError:
    """The text now gives another number of chunks than the manifest says."""
    return StateConflictError(
        f"Book {manifest.book_number} was begun with {manifest.total_chunks} chunks and its text "
        f"now gives {total}; re-ingest it.",
        book_number=manifest.book_number,
        stored=manifest.total_chunks,
        found=total,
    )


def _remove_strays(files: Files, book: Book, total: int) -> None:
    """Remove what no manifest will ever count."""
    for path in sorted(book.chunks.iterdir()):
        if is_temporary(path.name):
            files.remove(path)
    for number in sorted(book.chunk_numbers()):
        if number > total or number == 0:
            files.remove(book.chunk(number))


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
