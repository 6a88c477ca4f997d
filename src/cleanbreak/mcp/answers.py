"""What the tools answer, as plain values; the fields are described in the schema of each tool."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FoundPassage:
    """A chunk that was found. `source` is the book's number or the note's path, for `read_passage`."""

    place: str
    source: str
    title: str
    citation: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class SearchAnswer:
    """Passages, best first. `complete` is false if a part of a place was not searched."""

    passages: list[FoundPassage]
    complete: bool
    warnings: list[str]


@dataclass(frozen=True)
class PassageAnswer:
    """Text of a source from `start` to `end`. `next_start` is where the text continues, if it does."""

    citation: str
    start: int
    end: int
    text: str
    next_start: int | None


@dataclass(frozen=True)
class BookAnswer:
    """A book or a note."""

    place: str
    source: str
    title: str
    authors: list[str]


@dataclass(frozen=True)
class BooksAnswer:
    """Books and notes. `next_offset` is what to ask for to see more, if there are more."""

    books: list[BookAnswer]
    next_offset: int | None


@dataclass(frozen=True)
class ChapterAnswer:
    """A chapter and where it stands in the text of its book."""

    title: str
    level: int
    start: int
    end: int


@dataclass(frozen=True)
class LinkAnswer:
    """A link in a note; `path` is the note or file it leads to, if there is one."""

    note: str
    line: int
    target: str
    path: str | None
