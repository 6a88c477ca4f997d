"""An excerpt: a place of a book with the chunks around it, for reading on."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cleanbreak.core.citation import chapter_paths, cite, page_labels
from cleanbreak.errors import StateConflictError
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import Malformed, Manifest, StoredChunk
from cleanbreak.worlds.stages.chunk_files import load_chunk


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The passage from ``start`` to ``end``, and the whole chunks that hold it and lie around it.

    Offsets are code points of the book's text, the end exclusive, as those of a hit.
    """

    book_number: int
    source_path: str
    start: int
    end: int
    chunks: tuple[StoredChunk, ...]

    @property
    def first(self) -> int:
        """Where the chunks start."""
        return self.chunks[0].character_start_offset

    @property
    def text(self) -> str:
        """The text of the chunks together."""
        return "".join(chunk.chunk_text for chunk in self.chunks)

    @property
    def passage(self) -> str:
        """The text from ``start`` to ``end`` alone."""
        return self.text[self.start - self.first : self.end - self.first]

    @property
    def pages(self) -> tuple[str, ...]:
        """The labels of the pages that the passage touches."""
        return tuple(dict.fromkeys(page_labels(self._sections())))

    @property
    def citation(self) -> str:
        """Where to look the passage up."""
        held = [chunk for chunk in self.chunks if self._touches(chunk)]
        return cite(
            self.source_path,
            chapters=tuple(dict.fromkeys(chapter_paths(self._sections()))),
            heading_path=held[0].heading_path if held else None,
            pages=self.pages,
            start=self.start,
            end=self.end,
        )

    def as_dict(self) -> dict[str, Any]:
        """The excerpt as plain data."""
        return {
            "book_number": self.book_number,
            "source_path": self.source_path,
            "character_start_offset": self.start,
            "character_end_offset": self.end,
            "citation": self.citation,
            "passage": self.passage,
            "chunks": [chunk.as_dict() for chunk in self.chunks],
        }

    def _touches(self, chunk: StoredChunk) -> bool:
        return chunk.character_start_offset < self.end and chunk.character_end_offset > self.start

    def _sections(self) -> list[Any]:
        """The sections that the passage touches, each once."""
        found = (
            section
            for chunk in self.chunks
            for section in chunk.sections
            if section.character_start_offset < self.end
            and section.character_end_offset > self.start
        )
        return list(dict.fromkeys(found))


def chunks_between(
    book: Book, manifest: Manifest, start: int, end: int, around: int = 0
) -> tuple[StoredChunk, ...]:
    """The chunks that hold the text from `start` to `end`, and `around` chunks before and after them.

    Chunks follow each other without a gap, so the first one is found by halving.

    Raises:
        StateConflictError: if the chunks do not reach so far, or are damaged there.
    """
    number = _number_at(book, manifest, start)
    found = list(_from(book, manifest, number, end))
    if not found or found[-1].character_end_offset < end or not 0 <= start < end:
        raise _not_there(book, start, end)
    before = range(max(1, number - around), number)
    last = found[-1].chunk_number
    after = range(last + 1, min(last + around, manifest.completed_chunks) + 1)
    try:
        return (
            *(load_chunk(book, one) for one in before),
            *found,
            *(load_chunk(book, one) for one in after),
        )
    except Malformed:
        raise _not_there(book, start, end) from None


def _number_at(book: Book, manifest: Manifest, offset: int) -> int:
    low, high = 1, manifest.completed_chunks
    while low < high:
        middle = (low + high) // 2
        try:
            chunk = load_chunk(book, middle)
        except Malformed:
            raise _not_there(book, offset, offset) from None
        if chunk.character_end_offset <= offset:
            low = middle + 1
        else:
            high = middle
    return low


def _from(book: Book, manifest: Manifest, number: int, end: int) -> Iterator[StoredChunk]:
    """The proved chunks from `number` on, up to the one that reaches `end`."""
    for one in range(number, manifest.completed_chunks + 1):
        try:
            chunk = load_chunk(book, one)
        except Malformed:
            return
        yield chunk
        if chunk.character_end_offset >= end:
            return


def _not_there(book: Book, start: int, end: int) -> StateConflictError:
    return StateConflictError(
        f"Book {book.number} has no text from {start:,} to {end:,}, or not yet, or it is damaged "
        "there; check the offsets, or run verify.",
        book_number=book.number,
        start=start,
        end=end,
    )
