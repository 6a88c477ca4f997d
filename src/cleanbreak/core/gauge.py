"""A gauge: how far a stretch of text may go and still fit a limit, by any measure."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from cleanbreak.core.measure import Measure

_FIRST_PACE = 4.0
_SHORTEST_PROBE = 2048
"""Characters; longer than a word that a tokenizer gives up on (100 in BERT's)."""
_INTERPOLATIONS = 3
"""Guesses by pace; after that by halves, so that an odd measure cannot make a search long."""


class Gauge:
    """Counts stretches of one text, as seldom and as short as it can.

    Whatever fits was counted, that stretch alone, by the measure itself: counts do not add up, nor
    need a longer text count for more (a word that a tokenizer does not know may be one token). That
    they mostly do is used only to guess well.
    """

    __slots__ = ("_counts", "_measure", "_pace", "_text")

    def __init__(self, text: str, measure: Measure) -> None:
        self._text = text
        self._measure = measure
        self._counts: dict[tuple[int, int], int] = {}
        self._pace = _FIRST_PACE  # characters to a unit; learnt from every count

    def count(self, start: int, end: int) -> int:
        """What the measure gives for ``text[start:end]``."""
        count = self._counts.get((start, end))
        if count is None:
            count = self._counts[start, end] = self._measure(self._text[start:end])
            if count:
                self._pace = (end - start) / count
        return count

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
        probe = max(_SHORTEST_PROBE, int(2 * limit * self._pace))
        while start + probe < end:
            if self.count(start, start + probe) > limit:
                return False
            probe *= 2
        return self.count(start, end) <= limit

    def furthest(
        self, distances: Iterable[int], fits: Callable[[int], bool], limit: int | None
    ) -> int:
        """The last of some ascending distances that fits, or 0 if none is found to.

        Drawn about as far as they are needed, so `distances` may be a generator without end.
        Usually two counts: one of what fits and one of the next, which does not.
        """
        if limit is None:
            return max(distances, default=0)
        ahead, drawn = iter(distances), list[int]()
        low, step = -1, 1  # the last index known to fit
        while True:
            high = max(_draw(drawn, ahead, int(limit * self._pace), low + step), low + step)
            high = min(high, len(drawn) - 1)
            if high == low:  # all of them fit
                break
            if not fits(drawn[high]):
                low = self._between(drawn, fits, limit, low, high)
                break
            low, step = high, 2 * step
        return drawn[low] if low >= 0 else 0

    def _between(
        self, drawn: list[int], fits: Callable[[int], bool], limit: int, low: int, high: int
    ) -> int:
        """The last index that fits, where `low` does (or is -1) and `high` does not."""
        guesses = 0
        while high - low > 1:
            guess = (low + high) // 2
            if guesses < _INTERPOLATIONS:
                by_pace = bisect_right(drawn, int(limit * self._pace)) - 1
                guess = min(max(by_pace, low + 1), high - 1)
            if fits(drawn[guess]):
                low = guess
            else:
                high = guess
            guesses += 1
        return low


def _draw(drawn: list[int], ahead: Iterator[int], distance: int, index: int) -> int:
    """Draw past a distance and an index, and give the index of the last within the distance."""
    while not (len(drawn) > index and drawn[-1] > distance):
        another = next(ahead, None)
        if another is None:
            break
        drawn.append(another)
    return bisect_right(drawn, distance) - 1
