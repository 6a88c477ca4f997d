"""Breaks in white space: where paragraphs, lines and words end, found backwards from a limit.

Every finder takes a window and gives the offset right after the last break of its level that lies
wholly inside the window, or -1. The patterns start with a greedy ``.*``, so that the engine tries
the last place first and stops there: a finder costs as much as the window is long, at C speed.
Sentence ends are found by `cleanbreak.core.sentences.backwards`.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from cleanbreak.core.text.characters import (
    NEWLINES,
    NO_BREAK_SPACES,
    SPACES,
    ZERO_WIDTH_SPACE,
)

Finder = Callable[[str, int, int], int]


class Level(NamedTuple):
    """A kind of break and how to find the last one in a window."""

    name: str
    find_last: Finder


def _last(pattern: str) -> Finder:
    match = re.compile(f"(?s:.*){pattern}").match

    def find_last(text: str, low: int, high: int) -> int:
        found = match(text, low, high)
        return found.end() if found else -1

    return find_last


_NEWLINE = f"(?>\r\n|[{NEWLINES}])"  # atomic: CR LF is never taken for two
_BLANKS = f"[{re.escape(SPACES + NO_BREAK_SPACES)}]*"

# Cleanest first. A blank line may hold spaces; newlines are of any style.
PARAGRAPH = Level("paragraph", _last(_NEWLINE + _BLANKS + _NEWLINE))
LINE = Level("line", _last(_NEWLINE))
WORD = Level("word", _last(f"[{re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)}]"))

# --- the same breaks, found faster in a text whose only newline is LF ----------------------------


def newlines_in(text: str) -> str:
    """The characters for newlines that a text holds; in most it is LF alone."""
    return "".join(newline for newline in NEWLINES if newline in text)


_last_lf_paragraph = _last(f"\n{_BLANKS}\n")


def _last_lf_break(text: str, low: int, high: int) -> int:
    """The last paragraph break, or else the last line break: one look for both."""
    line = text.rfind("\n", low, high) + 1
    if not line:
        return -1
    paragraph = _last_lf_paragraph(text, low, line)
    return line if paragraph == -1 else paragraph


LF_PARAGRAPH = Level("paragraph", _last_lf_paragraph)
LF_PARAGRAPH_OR_LINE = Level("paragraph or line", _last_lf_break)
