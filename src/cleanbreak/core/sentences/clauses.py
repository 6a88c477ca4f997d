"""Clauses: where a sentence that is too long may be cut. A partition of the text."""

import re
from collections.abc import Iterator

from cleanbreak.core.checks import string
from cleanbreak.core.document import Span
from cleanbreak.core.text.characters import (
    CLOSERS,
    NEWLINES,
    SPACED_CLAUSE_MARKS,
    SPACES,
    UNSPACED_CLAUSE_MARKS,
    ZERO_WIDTH_SPACE,
)
from cleanbreak.core.text.graphemes import clings

_CLOSERS = re.escape(CLOSERS)
_WIDE_CLOSERS = re.escape(CLOSERS.replace('"', "").replace("'", ""))
_BREAKABLE = re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_WHITE = rf"(?:[^\S{_BREAKABLE}]*+[{_BREAKABLE}]\s*+|\Z)"

# All quantifiers are possessive: no backtracking, so the time is linear.
_clause_ends = re.compile(
    rf"[{SPACED_CLAUSE_MARKS}{UNSPACED_CLAUSE_MARKS}–—](?:"
    # , ; : with closers and white space. Not in 12,000 or 10:30 or a URL, where none follows.
    rf"(?<=[{SPACED_CLAUSE_MARKS}])[{_CLOSERS}]*+{_WHITE}"
    rf"|(?<=[{UNSPACED_CLAUSE_MARKS}])(?!(?<=\d.)\d)[{_CLOSERS}]*+\s*+"
    # An em dash, or a run of them; a straight quote behind it closes only at the end of a word.
    rf"|(?<=—)—*+(?>(?:[{_WIDE_CLOSERS}]|[\"'](?!\w))*)\s*+"
    rf"|(?<=\s–){_WHITE})"
).finditer


def clauses(text: str) -> list[Span]:
    """The clauses of a text: spans that follow one another and together are the text.

    A clause ends after ``, ; :`` where white space follows; after a comma, semicolon or colon of
    the scripts that write no space there; after an em dash; after an en dash between spaces. The
    quotes and brackets that close there, and white space, stay with the clause before. Marks that
    end sentences are no clause marks. No span cuts a grapheme cluster or CR LF.

    Raises:
        SettingsError: if `text` is no string.

    >>> text = "It cost 12,000, or so; fine."
    >>> [text[start:end] for start, end in clauses(text)]
    ['It cost 12,000, ', 'or so; ', 'fine.']
    """
    return list(iter_clauses(text))


def iter_clauses(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Yield the clauses of ``text[start:end]`` while finding them, as if it were the whole text."""
    length = len(string("text", text))
    for cut in clause_ends(text, start, length if end is None else end):
        yield Span(start, cut)
        start = cut


def clause_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield where the clauses of ``text[start:end]`` end."""
    window = text[start:end]
    for found in _clause_ends(window):
        cut = found.end()
        if cut < len(window) and not clings(window, cut):
            yield start + cut
    if window:
        yield end
