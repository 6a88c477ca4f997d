"""Break offsets found forwards: each one once, however far apart they lie."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

import regex

from cleanbreak.core.text.characters import NEWLINES, SPACES, ZERO_WIDTH_SPACE
from cleanbreak.core.text.graphemes import is_boundary

_WHITE = re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_SPACE = re.compile(f"[{_WHITE}]")
_WORD_START = re.compile(f"(?<=[{_WHITE}])[^{_WHITE}]")
_NEWLINE = re.compile(f"\r\n|[{NEWLINES}]")
_NON_BLANK = re.compile(r"\S")
_CLUSTER = regex.compile(r"\X")
_WINDOW = 256


class BreakBuffer:
    """Finds the breaks of one level lazily, as far ahead as asked, and keeps them until forgotten.

    `find` gives those after an offset, ascending. The last one that it gives should lie where it
    stopped looking, so that a long stretch without breaks is searched once and not once a chunk.
    """

    __slots__ = ("_find", "_found", "_more")

    def __init__(self, find: Callable[[int], Iterator[int]]) -> None:
        self._find = find
        self._found: list[int] = []
        self._more: Iterator[int] = iter(())

    def after(self, start: int, reach: int, most: int | None = None) -> list[int]:
        """Those after `start` up to the first that lies beyond `reach`, at most `most` of them.

        `start` must not lie before what was forgotten.
        """
        found = self._found
        if not found or found[-1] <= start:
            self._more = self._find(start)
        first = bisect_right(found, start)
        while (not found or found[-1] <= reach) and (most is None or len(found) < first + most):
            another = next(self._more, None)
            if another is None:
                break
            found.append(another)
        return found[first : bisect_right(found, reach, first) + 1][:most]

    def forget(self, offset: int) -> None:
        """Drop what does not lie after `offset`."""
        if self._found and self._found[0] <= offset:
            del self._found[: bisect_right(self._found, offset)]


def line_ends(text: str, start: int) -> Iterator[int]:
    """After each newline, of any style, and at the end of the text."""
    for found in _NEWLINE.finditer(text, start):
        if is_boundary(text, found.end(), start):
            yield found.end()
    yield len(text)


def word_ends(text: str, start: int) -> Iterator[int]:
    """Before and after white space where a line may break, and at the end of the text.

    Inside a run of white space after each character of it, as the run itself may be too long.
    """
    last = start
    for found in _SPACE.finditer(text, start):
        for offset in found.span():
            if offset > last and is_boundary(text, offset, last):
                yield offset
                last = offset
    yield len(text)


def word_starts(text: str, start: int, end: int) -> list[int]:
    """Where words start after `start` and before `end`."""
    starts = (found.start() for found in _WORD_START.finditer(text, start + 1, end))
    return [offset for offset in starts if is_boundary(text, offset, start)]


def grapheme_ends(text: str, start: int, end: int | None = None) -> Iterator[int]:
    """After each grapheme cluster of ``text[start:end]``; `start` is a boundary."""
    end = len(text) if end is None else end
    window = _WINDOW
    while start < end:
        ahead = min(start + window, end)
        ends = [start + found.end() for found in _CLUSTER.finditer(text[start:ahead])]
        if ahead < end:
            ends.pop()  # it may continue behind the window
        if ends:
            yield from ends
            start = ends[-1]
        else:
            window *= 2


def non_blank_ends(text: str, start: int) -> Iterator[int]:
    """After each character that is not blank."""
    return (found.end() for found in _NON_BLANK.finditer(text, start))


def content_end(text: str) -> int:
    """After the last character that is not blank, found without a copy of the text."""
    end = len(text)
    while end and text[end - 1].isspace():
        end -= 1
    return end
