"""A hit: a chunk that was found, where it stands, and how to cite it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.core.citation import chapter_paths, cite, page_labels
from cleanbreak.core.document import Span
from cleanbreak.readers.detect import has_lines
from cleanbreak.retrieval.snippet import Snippet


class Neighbour(NamedTuple):
    """A chunk shortly before or after a hit, for reading on."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found.

    ``chunk`` is the chunk as it is stored: its text, offsets, sections, ``break_level`` and so on.
    ``source_key`` names the book or note inside its world or vault; ``line`` is the line of the
    source, from 1, of the first marked word. ``score`` is higher for a better match and has no
    meaning across queries.
    """

    source_key: str
    source_kind: str
    source_name: str
    source_title: str
    chunk: ChunkRecord
    line: int
    score: float
    snippet: Snippet = field(repr=False)
    context: tuple[Neighbour, ...] = field(default=(), repr=False)
    scores: Mapping[str, float] = field(default_factory=dict, repr=False)
    """By ``words``, ``vectors`` (the cosine) and ``fused``, where the search was by meaning too."""
    passage: Span | None = None
    """The sentences that were nearest to the query, where it was found by its meaning."""
    source_path: str | None = None
    """The path that distinguishes the source from others of its name, where it has one."""
    marks: tuple[Span, ...] = field(default=(), repr=False)
    """Where the words of the query stand in the chunk's text; ``snippet.marks`` in the snippet."""

    @property
    def number(self) -> int:
        """The chunk's number in its source, from 1."""
        return self.chunk.chunk_number

    @property
    def chunk_id(self) -> str:
        """The chunk's id, unique in its world or vault."""
        return self.chunk.chunk_id

    @property
    def text(self) -> str:
        """The chunk's text."""
        return self.chunk.chunk_text

    @property
    def start(self) -> int:
        """Where the chunk starts in the source's text, in code points."""
        return self.chunk.character_start_offset

    @property
    def end(self) -> int:
        """Where the chunk ends in the source's text, in code points, exclusive."""
        return self.chunk.character_end_offset

    @property
    def heading_path(self) -> str | None:
        """The headings above the chunk, ``# Main > ## Sub``."""
        return self.chunk.heading_path

    @property
    def pages(self) -> tuple[str, ...]:
        """The labels of the pages that the chunk touches, in order."""
        return page_labels(self.chunk.sections)

    @property
    def chapters(self) -> tuple[str, ...]:
        """The innermost chapters that the chunk touches, each after those it lies in."""
        return chapter_paths(self.chunk.sections)

    @property
    def citation(self) -> str:
        """Where to look it up: source, chapters or headings, pages, line, characters.

        ``book.pdf, "Storm", pp. 12-13, characters 1200-2100`` for a book, with a line if it is
        plain text;
        ``ideas/boats.md, # Boats > ## Hulls, line 12, characters 40-300`` for a note.
        """
        is_book = self.source_kind == "book"
        return cite(
            (self.source_path or self.source_name) if is_book else self.source_key,
            chapters=self.chapters,
            heading_path=self.heading_path,
            pages=self.pages,
            start=self.start,
            end=self.end,
            line=self.line if self._has_lines else None,
        )

    @property
    def _has_lines(self) -> bool:
        """Whether a line of the source's text is one of its file; the text of a canvas has its own."""
        if self.source_kind == "book":
            return has_lines(self.source_name)
        return self.source_kind == "note"

    def as_dict(self) -> dict[str, Any]:
        """The hit as plain data, as ``--json`` prints it: the chunk's fields and those of the hit."""
        return {
            "source_key": self.source_key,
            "source_path": self.source_path or self.source_name,
            "title": self.source_title,
            **self.chunk.as_dict(),
            "line": self.line,
            "score": self.score,
            "scores": dict(self.scores),
            "passage": list(self.passage) if self.passage else None,
            "citation": self.citation,
            "snippet": self.snippet.text,
            "snippet_start": self.snippet.start,
            "marks": [list(mark) for mark in self.snippet.marks],
            "context": [
                {"chunk_number": neighbour.number, "chunk_text": neighbour.text}
                for neighbour in self.context
            ],
        }
