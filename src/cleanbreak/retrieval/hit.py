"""A hit: a chunk that was found, where it stands, and how to cite it."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cleanbreak.retrieval.snippet import Snippet


class Neighbour(NamedTuple):
    """A chunk shortly before or after a hit, for reading on."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found.

    ``start``, ``end`` are code points of the source's text and ``byte_start``, ``byte_end`` bytes
    of its UTF-8 form, ends exclusive. ``line`` is the line, from 1, of the first marked word.
    ``pages`` are the labels of the pages that the chunk touches, ``chapters`` the titles of the
    innermost chapters, each after those it lies in (``Part I > Storm``). ``score`` is higher for a
    better match and has no meaning across queries.
    """

    source_key: str
    source_kind: str
    source_name: str
    source_title: str
    number: int
    chunk_id: str
    text: str = field(repr=False)
    start: int
    end: int
    byte_start: int
    byte_end: int
    line: int
    heading_path: str | None
    pages: tuple[str, ...]
    chapters: tuple[str, ...]
    token_count: int | None
    score: float
    snippet: Snippet = field(repr=False)
    context: tuple[Neighbour, ...] = field(default=(), repr=False)

    @property
    def citation(self) -> str:
        """Where to look it up: source, chapter or headings, pages, lines, characters.

        ``book.pdf, "Storm", pp. 12-13, characters 1200-2100`` for a book;
        ``ideas/boats.md, # Boats > ## Hulls, line 12, characters 40-300`` for a note.
        """
        parts = [self.source_key if self.source_kind == "note" else self.source_name]
        if self.chapters:
            parts.append(_range([f'"{title}"' for title in self.chapters], " to "))
        elif self.heading_path:
            parts.append(self.heading_path)
        if self.pages:
            parts.append(("p. " if len(self.pages) == 1 else "pp. ") + _range(self.pages, "-"))
        if self.source_kind == "note":
            parts.append(f"line {self.line}")
        parts.append(f"characters {self.start}-{self.end}")
        return ", ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """The hit as plain data, as ``--json`` prints it."""
        return {
            "source_key": self.source_key,
            "source_filename": self.source_name,
            "title": self.source_title,
            "chunk_number": self.number,
            "chunk_id": self.chunk_id,
            "chunk_text": self.text,
            "character_start_offset": self.start,
            "character_end_offset": self.end,
            "byte_offset": self.byte_start,
            "byte_length": self.byte_end - self.byte_start,
            "line": self.line,
            "heading_path": self.heading_path,
            "pages": list(self.pages),
            "chapters": list(self.chapters),
            "token_count": self.token_count,
            "score": self.score,
            "citation": self.citation,
            "snippet": self.snippet.text,
            "snippet_start": self.snippet.start,
            "marks": [list(mark) for mark in self.snippet.marks],
            "context": [
                {"chunk_number": neighbour.number, "chunk_text": neighbour.text}
                for neighbour in self.context
            ],
        }


def _range(names: "list[str] | tuple[str, ...]", to: str) -> str:
    return names[0] if names[0] == names[-1] else f"{names[0]}{to}{names[-1]}"
