"""The last cuts of a text, held back while blank text or a word between them has no good place.

A cut is made knowing only what follows it. What it leaves to the next chunk may be blank text that
is a chunk of its own, or a space that pushes a word over the limit. Then one of the last two cuts is
moved.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cleanbreak.core.chunk import BreakLevel
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import Breaks
from cleanbreak.core.text.breaks import last_word_end
from cleanbreak.core.text.characters import NEWLINES, SPACES, ZERO_WIDTH_SPACE
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary

# Cuts that may still be moved.
_HELD = 2
# Code points; a longer word is not tried whole.
_LONGEST_WORD = 200
# Places in a run of blanks at which it is tried to divide it.
_MOST_PLACES = 16

# No-break spaces are part of a word: none may end before or behind them.
_word = re.compile(rf"[^{re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)}]++")


class Cut(NamedTuple):
    """Where a chunk ends, its exact count and the level of the break there.

    `oversize` is whether it exceeds the limit because it cannot be divided.
    """

    end: int
    tokens: int
    level: BreakLevel
    oversize: bool = False


class Pending:
    """The last cuts of one text, in order."""

    __slots__ = ("_breaks", "_counter", "_cuts", "_limit", "_starts", "_text")

    def __init__(self, breaks: Breaks, counter: Counter, limit: int) -> None:
        self._breaks = breaks
        self._text = breaks.text
        self._counter = counter
        self._limit = limit
        self._cuts: list[Cut] = []
        self._starts = [0]  # of each, and of what comes next

    @property
    def end(self) -> int:
        """Where the last chunk ends, and the next one starts."""
        return self._starts[-1]

    def add(self, cut: Cut) -> None:
        """Add the next cut, and move it and those before it if blank text or a word needs it."""
        start = self.end
        first = self._text[start]
        if first.isspace() and self._cuts:
            if self._text[start : cut.end].isspace():
                if self._place_blank(cut):
                    return
            elif cut.level == "grapheme" and self._free_word(cut):
                return
        self._append(cut)

    def settled(self, keep: int = _HELD) -> Iterator[Cut]:
        """Yield the cuts that stay where they are, all but the last `keep`."""
        while len(self._cuts) > keep:
            start, cut = self._starts.pop(0), self._cuts.pop(0)
            level = self._breaks.level_at(start, cut.end, cut.level)
            yield cut if level == cut.level else cut._replace(level=level)

    def _append(self, cut: Cut) -> None:
        self._cuts.append(cut)
        self._starts.append(cut.end)

    def _replace(self, count: int, *cuts: Cut) -> None:
        """Put others in the place of the last `count` cuts."""
        if count:
            del self._cuts[-count:], self._starts[-count:]
        for cut in cuts:
            self._append(cut)

    # --- blank text that would be a chunk -------------------------------------------------------

    def _place_blank(self, cut: Cut) -> bool:
        """Give the blank text up to a cut to the chunk before it, or a last part of that one to it."""
        start = self._starts[-2]
        tokens = self._counter.count(start, cut.end)
        if tokens <= self._limit:
            self._replace(1, cut._replace(tokens=tokens, oversize=False))
            return True
        return self._lend_word(cut) or self._lend(self._last_grapheme(), "grapheme", cut)

    def _lend_word(self, cut: Cut) -> bool:
        """Let the chunk before give its last word to the blank text."""
        start, end = self._starts[-2:]
        return self._lend(last_word_end(self._text, start, end - 1), "word", cut)

    def _lend(self, middle: int, level: BreakLevel, cut: Cut) -> bool:
        """Let the chunk before end at `middle` and what follows at the cut, or inside its blanks."""
        start, end = self._starts[-2:]
        text, count = self._text, self._counter.count
        if not start < middle < end or text[middle:end].isspace():
            return False
        if not is_boundary(text, middle, start):
            return False
        for last in self._blank_ends(end, cut.end):
            tokens = count(middle, last)
            if tokens <= self._limit:
                break
        else:
            return False
        after = Cut(last, tokens, cut.level if last == cut.end else "grapheme")
        # What is left of the chunk before must not be blank either, or it goes to the one before it.
        parts = 1 + text[start:middle].isspace()
        if parts > len(self._cuts):
            return False
        before = count(self._starts[-1 - parts], middle)
        if before > self._limit:  # a part may count for more than the whole
            return False
        self._replace(parts, Cut(middle, before, level), after)
        return True

    def _last_grapheme(self) -> int:
        start, end = self._starts[-2:]
        return boundary_at_or_before(self._text, end - 1, start) if end - 1 > start else start

    def _blank_ends(self, start: int, end: int) -> Iterator[int]:
        """The end of the blanks, then places in them that leave the rest room in the next chunk."""
        yield end
        text, length = self._text, len(self._text)
        if end == length:
            return
        following = (
            boundary_at_or_after(text, end + 1, length, start) if end + 1 < length else length
        )
        at = end
        for _ in range(_MOST_PLACES):
            at = boundary_at_or_before(text, at - 1, start) if at - 1 > start else start
            if at <= start or not is_boundary(text, at, start):
                return
            if self._counter.count(at, following) > self._limit:
                return
            yield at

    # --- a word that fits but for the space before it -------------------------------------------

    def _free_word(self, cut: Cut) -> bool:
        """End a chunk behind the blanks before a word that then fits, if the chunk before allows."""
        text = self._text
        start = self.end
        found = _word.search(text, start, cut.end)
        word = _word.match(text, found.start(), found.start() + _LONGEST_WORD) if found else None
        if not word or word.end() <= cut.end or not is_boundary(text, word.start(), start):
            return False
        if self._counter.count(*word.span()) > self._limit:
            return False
        blanks = Cut(word.start(), 0, "word")
        tokens = self._counter.count(self._starts[-2], word.start())
        if tokens <= self._limit:
            self._replace(1, blanks._replace(tokens=tokens))
            return True
        return self._lend_word(blanks)
