"""Breaks: the places where text may be cut, found backwards from a limit, cleanest level first.

Every finder takes a window and gives the offset right after the last break of its level that lies
wholly inside the window, or -1. The patterns start with a greedy ``.*``, so that the engine tries
the last place first and stops there: a finder costs as much as the window is long, at C speed.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from cleanbreak.core.checks import whole_number
from cleanbreak.core.sentences.languages import MAYBE, NUMBERED, TITLE, UNKNOWN
from cleanbreak.core.text.characters import (
    CLOSERS,
    NEWLINES,
    NO_BREAK_SPACES,
    SPACED_MARKS,
    SPACES,
    UNSPACED_MARKS,
    ZERO_WIDTH_SPACE,
)
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary

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

_last_paragraph = _last(_NEWLINE + _BLANKS + _NEWLINE)
_last_line = _last(_NEWLINE)
_last_word = _last(f"[{re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)}]")
_last_lf_paragraph = _last(f"\n{_BLANKS}\n")


def _last_lf_break(text: str, low: int, high: int) -> int:
    """The last paragraph break, or else the last line break: one look for both."""
    line = text.rfind("\n", low, high) + 1
    if not line:
        return -1
    paragraph = _last_lf_paragraph(text, low, line)
    return line if paragraph == -1 else paragraph


# --- sentences -----------------------------------------------------------------------------------

_MARKS = SPACED_MARKS + UNSPACED_MARKS
_last_mark = _last(f"[{re.escape(_MARKS)};]")
_WHITE = frozenset(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_CLOSING = frozenset(CLOSERS)

_word_before = re.compile(r"(?<![\w.])(?:[^\W\d_]+\.)*[^\W\d_]+$").search
_LOOKS_BACK = 16
"""Characters; longer words are no abbreviations."""


def _last_ascii_mark(text: str, low: int, high: int) -> int:
    """The same for a text that can hold no other marks; three looks cost less than a pattern."""
    find = text.rfind
    return max(find(".", low, high), find("!", low, high), find("?", low, high)) + 1 or -1


def _sentence_finder(last_mark: Finder) -> Finder:
    def find_last(text: str, low: int, high: int) -> int:
        while (end := last_mark(text, low, high)) != -1:
            cut = end
            while cut < high and text[cut] in _CLOSING:
                cut += 1
            if _ends_sentence(text, end, cut):
                return cut
            # Pass over the whole run of marks: a page of dots is one refusal, not a thousand.
            high = low + len(text[low : end - 1].rstrip(_MARKS))
        return -1

    return find_last


def _ends_sentence(text: str, end: int, cut: int) -> bool:
    """Whether the mark that ends at `end`, with its closers up to `cut`, ends a sentence.

    In doubt it does not: a word break is a smaller loss than a sentence cut in two.
    """
    mark = text[end - 1]
    after = text[cut] if cut < len(text) else " "
    if after not in _WHITE:
        return _ends_without_space(text, end, after)
    if cut > end and _goes_on_in_lower_case(text, cut):
        return False  # “Stop!” he said
    if mark == ".":
        return not _is_abbreviation(text, end - 1)
    return mark != ";" or _is_greek(text[end - 2 : end - 1])


def _ends_without_space(text: str, end: int, after: str) -> bool:
    """The same where something follows at once: only in scripts that put no space there."""
    mark = text[end - 1]
    if mark not in UNSPACED_MARKS or after in _CLOSING or after in _MARKS:
        return False  # a number, a URL; or the limit parts the mark from its closers
    return mark != "．" or not (text[end - 2 : end - 1].isdigit() and after.isdigit())


def _is_abbreviation(text: str, stop: int) -> bool:
    """Whether the full stop at `stop` belongs to the word before it, in any language."""
    word = text[max(0, stop - _LOOKS_BACK) : stop].rpartition(" ")[2]
    if not word.isalpha():  # brackets, newlines, stops inside the word
        found = _word_before(word)
        if not found:
            return False
        word = found[0]
    if "." in word:
        return all(len(part) <= 2 for part in word.split("."))  # e.g, U.S, p.m
    kind = UNKNOWN.kind_of(word)
    if kind == NUMBERED:
        return text[stop + 1 : stop + 4].lstrip()[:1].isdigit()  # no. 7, but: he said no.
    return kind in (TITLE, MAYBE) or len(word) == 1


def _is_greek(letter: str) -> bool:
    return "\u0370" <= letter <= "\u03ff" or "\u1f00" <= letter <= "\u1fff"


def _goes_on_in_lower_case(text: str, end: int) -> bool:
    return text[end : end + 8].lstrip()[:1].islower()


# --- choosing ------------------------------------------------------------------------------------

_PARAGRAPH = Level("paragraph", _last_paragraph)
_LINE = Level("line", _last_line)
_SENTENCE = Level("sentence", _sentence_finder(_last_mark))
_WORD = Level("word", _last_word)

LEVELS = (_PARAGRAPH, _LINE, _SENTENCE, _WORD)
"""Cleanest first. A blank line may hold spaces; newlines are of any style."""

# The same breaks, found faster in texts that have no newline but LF, or no character but ASCII.
_LF_PARAGRAPH = Level("paragraph", _last_lf_paragraph)
_LF_PARAGRAPH_OR_LINE = Level("paragraph or line", _last_lf_break)
_ASCII_SENTENCE = Level("sentence", _sentence_finder(_last_ascii_mark))


class BreakFinder:
    """Finds where to cut one text. What is true of the whole text is looked at once, here."""

    __slots__ = ("_is_plain", "_levels", "_text")

    def __init__(self, text: str, *, lines: bool = True) -> None:
        self._text = text
        only_lf = not any(newline in text for newline in NEWLINES[1:])
        newlines: tuple[Level, ...]
        if only_lf:
            newlines = (_LF_PARAGRAPH_OR_LINE if lines else _LF_PARAGRAPH,)
        else:
            newlines = (_PARAGRAPH, _LINE) if lines else (_PARAGRAPH,)
        sentence = _ASCII_SENTENCE if text.isascii() else _SENTENCE
        self._levels: tuple[Level, ...] = (*newlines, sentence, _WORD)
        # Without CR, every place between two ASCII characters is a grapheme boundary.
        self._is_plain = only_lf and text.isascii()

    def split_point(self, start: int, chunk_size: int, max_lookback: int) -> int:
        """The offset at which the chunk that starts at `start` should end."""
        text, is_plain = self._text, self._is_plain
        high = start + chunk_size
        if high >= len(text):
            return len(text)
        low = max(start, high - max_lookback)
        if low < high:
            for level in self._levels:
                cut = level.find_last(text, low, high)
                while cut != -1 and not (is_plain or is_boundary(text, cut, start)):
                    cut = level.find_last(text, low, cut - 1)
                if cut != -1:
                    return cut
        return high if is_plain else boundary_at_or_before(text, high, start)

    def whole_from(self, offset: int, ceiling: int, floor: int) -> int:
        """The first offset from `offset` up to `ceiling` that does not part a character.

        `floor` is an earlier offset known to be whole.
        """
        if self._is_plain:
            return offset
        return boundary_at_or_after(self._text, offset, ceiling, floor)


_LOOKS_AHEAD = 16
"""A chooser that sees so much after the limit decides as if it saw all."""


def find_split_point(text: str, chunk_size: int, max_lookback: int) -> int:
    """The length of the chunk that should be cut from the beginning of `text`.

    Looks back from `chunk_size`, at most `max_lookback` characters, for the cleanest break:
    paragraph, line, sentence, word; within a level the last one. The separator stays on the left.
    Without a break, or with a look-back of 0, the cut is at the limit itself, or at the last whole
    grapheme before it. Text that fits is one chunk. Costs as much as a chunk, however long the text.

    Raises:
        SettingsError: for a size that is not a whole number in its range.

    >>> find_split_point("One. Two. Three", chunk_size=12, max_lookback=8)
    9
    """
    whole_number("chunk_size", chunk_size, minimum=1)
    whole_number("max_lookback", max_lookback, minimum=0)
    head = text[: chunk_size + _LOOKS_AHEAD]
    return BreakFinder(head).split_point(0, chunk_size, max_lookback)
