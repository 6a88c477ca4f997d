"""Where a chunk stands, in words that a person can look up: pages, chapters, citation."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Protocol


class NamedSection(Protocol):
    """What a citation needs of a section."""

    @property
    def kind(self) -> str:
        """``page``, ``chapter``, ``heading``, ``figure`` or ``licence``."""

    @property
    def title(self) -> str:
        """The page's label, or the chapter's title."""

    @property
    def level(self) -> int:
        """From 1; a chapter of level 2 lies in the chapter of level 1 before it."""


def page_labels(sections: Sequence[NamedSection]) -> tuple[str, ...]:
    """The labels of the pages among `sections`, in order."""
    return tuple(section.title for section in sections if section.kind == "page")


def chapter_paths(sections: Sequence[NamedSection]) -> tuple[str, ...]:
    """The innermost chapters among `sections`, each after those it lies in: ``Part I > Storm``.

    >>> from cleanbreak.core.document import Section, Span
    >>> part = Section("chapter", "Part I", 1, Span(0, 900))
    >>> chapter_paths([part, Section("chapter", "Storm", 2, Span(0, 400))])
    ('Part I > Storm',)
    """
    chapters = [section for section in sections if section.kind == "chapter"]
    paths: list[str] = []
    path: list[NamedSection] = []
    for chapter, after in zip_longest(chapters, chapters[1:]):
        path = [*(outer for outer in path if outer.level < chapter.level), chapter]
        if after is None or after.level <= chapter.level:
            paths.append(" > ".join(outer.title for outer in path))
    return tuple(paths)


def cite(
    source: str | None,
    *,
    chapters: Sequence[str],
    heading_path: str | None,
    pages: Sequence[str],
    start: int,
    end: int,
    line: int | None = None,
) -> str:
    """Where to look a passage up: source, chapters or headings, pages, line, characters.

    What is not known is left out. Characters are code points of the source's text, `end`
    exclusive.

    >>> cite("book.pdf", chapters=["Storm"], heading_path=None, pages=["12", "13"],
    ...      start=1200, end=2100)
    'book.pdf, "Storm", pp. 12-13, characters 1200-2100'
    >>> cite("ideas/boats.md", chapters=[], heading_path="# Boats > ## Hulls", pages=[],
    ...      start=40, end=300, line=12)
    'ideas/boats.md, # Boats > ## Hulls, line 12, characters 40-300'
    """
    parts = [source] if source else []
    if chapters:
        parts.append(_range([f'"{title}"' for title in chapters], " to "))
    elif heading_path:
        parts.append(heading_path)
    if pages:
        parts.append(("p. " if len(pages) == 1 else "pp. ") + _range(pages, "-"))
    if line is not None:
        parts.append(f"line {line}")
    parts.append(f"characters {start}-{end}")
    return ", ".join(parts)


def _range(names: Sequence[str], to: str) -> str:
    return names[0] if names[0] == names[-1] else f"{names[0]}{to}{names[-1]}"
