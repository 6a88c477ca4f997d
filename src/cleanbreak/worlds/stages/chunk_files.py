"""A book's chunk files: written in groups, counted by the manifest, proved by both."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

import msgspec

from cleanbreak.storage.files import Check, is_temporary, no_check, unreadable
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import (
    NO_CHUNKS,
    ChunkHeader,
    EncodedChunk,
    Malformed,
    Manifest,
    StoredChunk,
    chain,
    decode_chunk,
    record_digest,
)
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.cuts import Cuts

Take = Callable[[Sequence[StoredChunk]], None]
"""Takes the next chunks of a book, in order, when their files are durable and counted."""


class Receiver(Protocol):
    """Who is handed the records of a book while they are written, and need not read them again."""

    def receiving(self, book: Book, session: Session) -> AbstractContextManager[Take]:
        """Where the records go. All of them come, from number 1, unless the block is left early."""


class ChunkWriter:
    """Writes the chunk files of one book in groups, and counts each group in the manifest."""

    def __init__(self, book: Book, session: Session, manifest: Manifest) -> None:
        self._book = book
        self._session = session
        self._files = session.files
        self._stored = manifest  # as it is on the disk
        self._manifest = manifest
        self._group: list[tuple[Path, bytes]] = []
        self._records: list[StoredChunk] = []

    def write(self, cuts: Cuts, text: str, receiver: Receiver | None) -> None:
        """Write what is missing or wrong, and hand every record on."""
        self._files.clear_for_folder(self._book.chunks)
        self._files.make_folder(self._book.chunks)
        self._remove_leftovers()
        there = self._book.chunk_numbers()
        trusted = self._trusted(there)
        if trusted or receiver is None:
            # What is not looked at cannot be handed on.
            taking: AbstractContextManager[Take] = nullcontext(take_nothing)
        else:
            taking = receiver.receiving(self._book, self._session)
        with taking as take:
            self._write(cuts, text, there, trusted, take)

    def _write(self, cuts: Cuts, text: str, there: set[int], trusted: int, take: Take) -> None:
        digest = self._manifest.chunks_sha256 if trusted else NO_CHUNKS
        size = self._manifest.chunk_bytes if trusted else 0
        header = ChunkHeader(self._manifest)
        number = last_commit = trusted
        for chunk in cuts.chunks(text):
            if chunk.number <= trusted:
                continue
            number = chunk.number
            encoded = header.encode(chunk)
            self._add(encoded, there)
            size = None if size is None else size + len(encoded.data)
            digest = chain(digest, encoded.record.record_sha256)
            if number - last_commit >= self._files.group_size:
                self._commit(number, digest, size, take)
                last_commit = number
        self._commit(number, digest, size, take)

    def _add(self, encoded: EncodedChunk, there: set[int]) -> None:
        number = encoded.record.chunk_number
        path = self._book.chunk(number)
        if number not in there or _read(path) != encoded.data:
            self._files.clear_for_file(path)
            self._group.append((path, encoded.data))
        self._records.append(encoded.record)

    def _commit(self, number: int, digest: str, size: int | None, take: Take) -> None:
        """Make the group durable, then count it, then hand it on."""
        counted = self._stored.completed_chunks
        self._session.work.chunks_written += len(self._group)
        if self._group:
            # When this returns the files and their names are on the disk.
            self._files.write_group(self._group)
            self._group = []
        elif number > counted:
            # Found good, but a rename that was seen need not have been durable.
            self._files.sync_folder(self._book.chunks)
        self._manifest = msgspec.structs.replace(
            self._manifest, completed_chunks=number, chunks_sha256=digest, chunk_bytes=size
        )
        # A repair below what is counted already changes nothing that the manifest says. (If an
        # earlier version wrote the book, the chain differs until the last group; `verify` says so,
        # and a crash before it leaves a book that the next resume writes again.) Above it the
        # manifest may be written only now: it must never count a file that a crash could lose.
        if number >= counted and self._manifest != self._stored:
            self._session.write_manifest(self._book, self._manifest)
            self._stored = self._manifest
        take(self._records)
        self._records = []
        self._session.report(number, self._manifest.total_chunks)
        if number < self._manifest.total_chunks:
            # After the last group the run asks, when who takes the records has finished as well.
            self._session.check_stop()

    def _trusted(self, there: set[int]) -> int:
        """How many chunks count without being read: all that are counted, if all are there."""
        completed = self._manifest.completed_chunks
        if not self._session.options.trust_files:
            return 0
        return completed if there.issuperset(range(1, completed + 1)) else 0

    def _remove_leftovers(self) -> None:
        """Remove temporary files, and chunk files that no manifest will ever count."""
        for path in sorted(self._book.chunks.iterdir()):
            if is_temporary(path.name):
                self._files.remove(path)
        for path in self._book.stray_chunks(self._manifest.total_chunks):
            self._files.clear_for_file(path)
            self._files.remove(path)


def take_nothing(_: Sequence[StoredChunk]) -> None:
    """Nobody takes the records."""


def load_chunk(book: Book, number: int) -> StoredChunk:
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


def stream_chunks(
    book: Book, manifest: Manifest, first: int = 1, last: int | None = None
) -> Iterator[StoredChunk]:
    """The chunks that the manifest counts and the files prove, up to the first that fails."""
    most = manifest.completed_chunks
    for number in range(first, (most if last is None else min(last, most)) + 1):
        try:
            yield load_chunk(book, number)
        except Malformed:
            return


def proved_chain(book: Book, total: int, check_stop: Check = no_check) -> str | None:
    """The chain over the first `total` chunk files; ``None`` if one is missing or altered."""
    digest = NO_CHUNKS
    for number in range(1, total + 1):
        check_stop()
        data = _read(book.chunk(number))
        own = record_digest(data) if data else None
        if own is None:
            return None
        digest = chain(digest, own)
    return digest


def _read(path: Path) -> bytes | None:
    """The bytes of a chunk file; ``None`` if there is none.

    Raises:
        WriteFailedError: if the disk fails, which says nothing about the file.
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(error, path) from None
