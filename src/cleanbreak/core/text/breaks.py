"""Breaks in white space and at clause marks, found backwards from a limit.

Every finder takes a window and gives the offset right after the last break of its level that lies
wholly inside the window, or -1. The patterns start with a greedy ``.*``, so that the engine tries
the last place first and stops there: a finder costs as much as the window is long, at C speed.
Sentence ends are found by `cleanbreak.core.sentences.backwards`.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from cleanbreak.core.text.characters import (
    CLOSERS,
    NEWLINES,
    NO_BREAK_SPACES,
    SPACES,
    ZERO_WIDTH_SPACE,
)

Finder = Callable[[str, int, int], int]


def _last(pattern: str) -> Finder:
    match = re.compile(f"(?s:.*){pattern}").match

    def find_last(text: str, low: int, high: int) -> int:
        found = match(text, low, high)
        return found.end() if found else -1

    return find_last


_NEWLINE = f"(?>\r\n|[{NEWLINES}])"  # atomic: CR LF is never taken for two
_BLANKS = f"[{re.escape(SPACES + NO_BREAK_SPACES)}]*"

_last_paragraph = _last(_NEWLINE + _BLANKS + _NEWLINE)
_last_line = _last(_NEWLINE)
_last_word = _last(f"[{re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)}]")
_last_before_space = re.compile(rf"(?s:.*)\S(?=[{re.escape(SPACES + ZERO_WIDTH_SPACE)}])").match
_last_lf_paragraph = _last(f"\n{_BLANKS}\n")
_ONLY_LF = ("", "\n")
_spaced_blank_line = re.compile(r"\n[^\S\n]+\n").search


# --- clauses -------------------------------------------------------------------------------------

# Those of scripts that write no spaces; Arabic writes some.
_CLAUSE_MARKS = "、，；：､﹐﹑﹔﹕\u1363\u1364\u1365\u1366\u104a"
# With the closers that follow, but not between digits.
last_clause = _last(rf"[{_CLAUSE_MARKS}](?!(?<=\d.)\d)[{re.escape(CLOSERS)}]*+")


_clause_mark = re.compile(f"[{_CLAUSE_MARKS}]").search


def no_break(_text: str, _low: int, _high: int) -> int:
    """The finder of a level that a text does not have."""
    return -1


# --- the finders by level ------------------------------------------------------------------------

# A blank line may hold spaces; newlines are of any style.
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {
        "paragraph": _last_paragraph,
        "line": _last_line,
        "clause": last_clause,
        "word": _last_word,
    }
)


def finders_for(text: str, newlines: str) -> dict[str, Finder]:
    """The finders for one text: the same breaks, found faster where the whole text allows it.

    `newlines` are those that the text holds, as `newlines_in` says.
    """
    finders = dict(FINDERS)
    if newlines in _ONLY_LF:
        finders["paragraph"] = _last_lf_paragraph
    if text.isascii():
        finders["clause"] = no_break
    return finders


def has_clause_marks(text: str) -> bool:
    """Whether a text has clause marks of a script that writes no spaces."""
    return not text.isascii() and _clause_mark(text) is not None


def newlines_in(text: str) -> str:
    """The characters for newlines that a text holds; in most it is LF alone."""
    return "".join(newline for newline in NEWLINES if newline in text)


def has_spaced_blank_line(text: str) -> bool:
    """Whether a blank line of a text that has only LF holds spaces."""
    return _spaced_blank_line(text) is not None


def last_word_end(text: str, low: int, high: int) -> int:
    """The last place in a window that a word stands before and a space behind.

    The character after the window decides whether a word ends with it.
    """
    found = _last_before_space(text, low, high + 1)
    return found.end() if found else -1


def last_double_lf(text: str, low: int, high: int) -> int:
    """The last paragraph break, in a text that has only LF and no spaces in blank lines."""
    found = text.rfind("\n\n", low, high)
    return found + 2 if found != -1 else -1
