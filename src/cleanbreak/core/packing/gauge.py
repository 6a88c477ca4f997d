"""A gauge: how far a stretch of text may go and still fit a limit, by any measure."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Literal

from cleanbreak.core.measures.measure import CHARACTERS, Measure, where_counts_add_up

Distances = Callable[[int], Sequence[int]]
"""From a reach to ascending distances up to the first beyond it; a longer reach gives more of them."""

_FIRST_PACE = 4.0
_SHORTEST_PROBE = 2048
"""Characters; longer than a word that a tokenizer gives up on (100 in BERT's)."""
_FADING = 0.5
_FEWEST_UNITS = 1e-3
"""So that a text for which nothing counts has a pace as well."""
_INTERPOLATIONS = 3
"""Guesses by pace; after that by halves, so that an odd measure cannot make a search long."""
_SLACK = 2
"""By how much the count of two neighbours may differ from the sum of theirs, as a rule."""


class Gauge:
    """Counts stretches of one text, as seldom and as short as it can.

    Whatever fits was counted, that stretch alone, by the measure itself: counts need not add up, nor
    a longer text count for more (a word that a tokenizer does not know may be one token). That they
    mostly do is used only to guess well and to see what is surely too long. Only where the measure
    says that counts add up at a place (``adds_up``) are they added.
    """

    __slots__ = ("_adds_up", "_counts", "_in_characters", "_length", "_measure", "_text", "_units")

    def __init__(self, text: str, measure: Measure) -> None:
        self._text = text
        self._measure = measure
        self._in_characters = measure is CHARACTERS
        self._adds_up = where_counts_add_up(measure)
        self._counts: dict[tuple[int, int], int] = {}
        # Characters and units counted; their ratio is the pace.
        self._length = 1.0 if self._in_characters else _FIRST_PACE
        self._units = 1.0

    def count(self, start: int, end: int) -> int:
        """What the measure gives for ``text[start:end]``."""
        if self._in_characters:
            return end - start
        count = self._counts.get((start, end))
        if count is None:
            count = self._counts[start, end] = self._measure(self._text[start:end])
            # A long stretch tells more than a short one, and what comes is like what came last.
            self._length = self._length * _FADING + end - start
            self._units = self._units * _FADING + count
        return count

    def count_after(self, origin: int, start: int, end: int) -> int:
        """The count from `start` to `end`; by difference, where those from `origin` are known."""
        to_start, to_end = (self._counts.get((origin, offset)) for offset in (start, end))
        if to_start is None or to_end is None or not self._adds_up(self._text, start):
            return self.count(start, end)
        return to_end - to_start

    def forget(self) -> None:
        """Drop the counts kept; to be called when a chunk is done, so that memory stays bounded."""
        self._counts.clear()

    def fits(self, start: int, end: int, limit: int | None) -> bool:
        """Whether ``text[start:end]`` is within the limit.

        A stretch that is far too long is not counted whole but given up over a part of it, or a
        text that is one long sentence would be counted to its end for each of its chunks.
        """
        if limit is None:
            return True
        probe = max(_SHORTEST_PROBE, 2 * self._reach(limit))
        while start + probe < end:
            if self.count(start, start + probe) > limit:
                return False
            probe *= 2
        return self.count(start, end) <= limit

    def furthest(
        self, anchor: int, distances: Distances, limit: int, way: Literal[1, -1] = 1
    ) -> int:
        """The last distance at which the text between `anchor` and there fits; 0 if none does.

        `way` is 1 for text after the anchor and -1 for text before. Usually this takes one count
        of what fits, and a short one of what would be too much.
        """
        drawn = distances(self._reach(limit))
        low, step = -1, 1  # the last index known to fit
        while True:
            high = max(bisect_right(drawn, self._reach(limit)) - 1, low + step)
            high = min(high, len(drawn) - 1)
            if high == low:
                more = distances(2 * drawn[-1]) if drawn else drawn
                if len(more) == len(drawn):
                    break
                drawn = more
            elif self._goes_on_to(anchor, way, drawn, low, high, limit):
                low, step = high, 2 * step
            else:
                low = self._between(anchor, way, drawn, low, high, limit)
                break
        return drawn[low] if low >= 0 else 0

    def _between(
        self, anchor: int, way: int, drawn: Sequence[int], low: int, high: int, limit: int
    ) -> int:
        """The last index that fits, where `low` does (or is -1) and `high` does not."""
        guesses = 0
        while high - low > 1:
            guess = (low + high) // 2
            if guesses < _INTERPOLATIONS:
                by_pace = bisect_right(drawn, self._reach(limit)) - 1
                guess = min(max(by_pace, low + 1), high - 1)
            if self._goes_on_to(anchor, way, drawn, low, guess, limit):
                low = guess
            else:
                high = guess
            guesses += 1
        return low

    def _goes_on_to(
        self, anchor: int, way: int, drawn: Sequence[int], low: int, guess: int, limit: int
    ) -> bool:
        """Whether what fits up to index `low` still fits up to `guess`."""
        far = anchor + way * drawn[guess]
        if low < 0:
            return self.fits(*_ordered(anchor, far), limit)
        near = anchor + way * drawn[low]
        known = self.count(*_ordered(anchor, near))
        more = _ordered(near, far)
        if self._adds_up(self._text, near):
            if not self.fits(*more, limit - known):
                return False
            self._counts[_ordered(anchor, far)] = known + self.count(*more)
            return True
        if guess == low + 1 and not self.fits(*more, limit - known + _SLACK):
            return False
        return self.fits(*_ordered(anchor, far), limit)

    def _reach(self, limit: int) -> int:
        """About so many characters fit."""
        return int(limit * self._length / max(self._units, _FEWEST_UNITS))


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
