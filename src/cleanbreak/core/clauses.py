"""Clauses: where a sentence may be parted when it is too long. A partition of the text."""

import re
from collections.abc import Iterator

from cleanbreak.core.document import Span
from cleanbreak.core.graphemes import is_boundary
from cleanbreak.core.marks import CLOSERS

_CLOSERS = re.escape(CLOSERS)
_BREAK = re.compile(
    rf"(?:[,;:](?![,;:])[{_CLOSERS}]*+(?:\s++|\Z)"
    rf"|[、，；：،؛][{_CLOSERS}]*+\s*+"
    rf"|(?<=\s)–\s++|—++\s*+)"
)


def clauses(text: str) -> list[Span]:
    """The clauses of a text: spans that follow one another and together are the text.

    A clause ends after ``, ; :`` with the quotes and brackets that close there and white space;
    after a comma, semicolon or colon of the scripts that put no space there; after a dash.
    White space after a clause belongs to it.

    >>> text = "It cost 12,000, or so; fine."
    >>> [text[start:end] for start, end in clauses(text)]
    ['It cost 12,000, ', 'or so; ', 'fine.']
    """
    return list(iter_clauses(text))


def iter_clauses(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Yield the clauses of ``text[start:end]`` while finding them."""
    end = len(text) if end is None else end
    for found in _BREAK.finditer(text, start, end):
        cut = found.end()
        if start < cut < end and is_boundary(text, cut, start):
            yield Span(start, cut)
            start = cut
    if start < end:
        yield Span(start, end)
