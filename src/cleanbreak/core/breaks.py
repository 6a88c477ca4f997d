"""Breaks: the places where text may be cut, found backwards from a limit, cleanest level first.

Every finder takes a window and gives the offset right after the last break of its level that lies
wholly inside the window, or -1. The patterns start with a greedy ``.*``, so that the engine tries
the last place first and stops there: a finder costs as much as the window is long, at C speed.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from cleanbreak.core.graphemes import boundary_at_or_before, is_boundary
from cleanbreak.core.marks import (
    CLOSERS,
    NEWLINES,
    NO_BREAK,
    SPACED_MARKS,
    SPACES,
    UNSPACED_MARKS,
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


_NEWLINE = f"(?:\r\n|[{NEWLINES}])"
_BLANKS = f"[{re.escape(SPACES + NO_BREAK)}]*"

_last_paragraph = _last(_NEWLINE + _BLANKS + _NEWLINE)
_last_line = _last(_NEWLINE)
_last_word = _last(f"[{re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)}]")
_last_lf_paragraph = _last(f"\n{_BLANKS}\n")


def _last_lf_line(text: str, low: int, high: int) -> int:
    return text.rfind("\n", low, high) + 1 or -1


# --- sentences -----------------------------------------------------------------------------------

_MARKS = SPACED_MARKS + UNSPACED_MARKS
# A whole run of marks at once, so that a page of dots is one refusal and not a thousand.
_last_mark = re.compile(
    f"(?s:.*)(?<![{re.escape(_MARKS)}])([{re.escape(_MARKS)}]+|;)[{re.escape(CLOSERS)}]*"
).match
_WHITE = frozenset(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_CLOSING = frozenset(CLOSERS)

# The word before a full stop: one letter (an initial), letters with stops between them (e.g, U.S,
# p.m), or a title that a name follows. Not a list of all abbreviations: this level has no language.
_NO_SENTENCE_END = re.compile(
    r"(?:^|[^\w.])(?:[^\W\d_]|(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}"
    r"|Mrs?|Ms|Mx|Dr|Drs|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|St|Mme|Mlle|Sra?|Srta|Hr|Fr|Frl|vs|cf|etc|No|Nr|Vol|pp|Fig)$"
)
_LOOKS_BACK = 16


def _last_sentence(text: str, low: int, high: int) -> int:
    while found := _last_mark(text, low, high):
        if _ends_sentence(text, *found.span(1), found.end()):
            return found.end()
        high = found.start(1)
    return -1


def _ends_sentence(text: str, start: int, end: int, cut: int) -> bool:
    """Whether the marks from `start` to `end`, with their closers up to `cut`, end a sentence.

    In doubt they do not: a word break is a smaller loss than a sentence cut in two.
    """
    after = text[cut] if cut < len(text) else " "
    if after in _CLOSING or after in _MARKS:
        return False  # the limit parts the mark from its closers, or a run of marks
    mark = text[end - 1]
    if mark in UNSPACED_MARKS:
        return mark != "．" or not (text[end - 2 : end - 1].isdigit() and after.isdigit())
    if after not in _WHITE:
        return False  # inside a number, a URL, a name
    if mark == ";":
        return _is_greek(text[start - 1 : start])
    if cut > end and _goes_on_in_lower_case(text, cut):
        return False  # “Stop!” he said
    return mark != "." or end > start + 1 or not _is_abbreviation(text, start)


def _is_abbreviation(text: str, stop: int) -> bool:
    return _NO_SENTENCE_END.search(text[max(0, stop - _LOOKS_BACK) : stop]) is not None


def _is_greek(letter: str) -> bool:
    return "\u0370" <= letter <= "\u03ff" or "\u1f00" <= letter <= "\u1fff"


def _goes_on_in_lower_case(text: str, end: int) -> bool:
    return text[end : end + 8].lstrip()[:1].islower()


# --- choosing ------------------------------------------------------------------------------------

LEVELS = (
    Level("paragraph", _last_paragraph),
    Level("line", _last_line),
    Level("sentence", _last_sentence),
    Level("word", _last_word),
)
"""Cleanest first. A blank line may hold spaces; newlines are of any style."""

_LF_LEVELS = (
    Level("paragraph", _last_lf_paragraph),
    Level("line", _last_lf_line),
    *LEVELS[2:],
)


def levels_for(text: str) -> tuple[Level, ...]:
    """The same breaks, found faster where the text has no newline but LF, as most texts do."""
    return LEVELS if any(newline in text for newline in NEWLINES[1:]) else _LF_LEVELS


def find_split_point(
    text: str,
    chunk_size: int,
    max_lookback: int,
    start: int = 0,
    levels: tuple[Level, ...] = LEVELS,
) -> int:
    """The offset at which the chunk that starts at `start` should end.

    Looks back from ``start + chunk_size``, at most `max_lookback` characters, for the cleanest
    break: paragraph, line, sentence, word; within a level the last one. The separator stays on the
    left. Without a break, or with a look-back of 0, the cut is at the limit itself, or at the last
    whole grapheme before it. Text that fits ends at its own end.

    The arguments are trusted; `BoundarySplitter` checks them.

    >>> find_split_point("One. Two. Three", 12, 8)
    9
    """
    high = start + chunk_size
    if high >= len(text):
        return len(text)
    low = max(start, high - max_lookback)
    if low < high:
        for level in levels:
            cut = level.find_last(text, low, high)
            while cut != -1 and not is_boundary(text, cut, start):
                cut = level.find_last(text, low, cut - 1)
            if cut != -1:
                return cut
    return boundary_at_or_before(text, high, start)
