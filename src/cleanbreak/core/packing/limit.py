"""How far a stretch of text may go and still fit a limit, by any measure.

One search for all: over the ends of sentences that a chunk may have, over the starts of an overlap,
or over characters. It guesses by the counts so far and ends on two neighbours of which one fits and
the other does not; mostly that takes one count of what fits and a short one of what would be too
much. A measure by which longer text counts for less has several such places; then it is one of
them, the same one each time.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Literal

from cleanbreak.core.packing.counter import Counter

# From a reach to ascending distances up to the first beyond it; a longer reach gives more of them.
Distances = Callable[[int], Sequence[int]]

# Characters between the distances at which `furthest_end` asks.
_STEP = 8
# Characters looked through for a place that proves that nothing further fits: a long word.
_PROOF_WITHIN = 32
# Characters from the start of a stretch in which the start of a word is looked for.
_WORD = 16
# Guesses by count; after that by halves, so that an odd measure cannot make a search long.
_INTERPOLATIONS = 4
# By how much the count of two neighbours usually differs, at most, from the sum of their counts.
_SLACK = 2


def furthest_end(counter: Counter, start: int, end: int, limit: int) -> int:
    """An offset, at most `end`, such that nothing that starts at `start` and ends after it fits.

    It is `end` only if all of ``text[start:end]`` fits. Where counts add up at a place near, it is
    proved, so that no cut that fits is missed; else it is as the search found it. It may lie some
    characters too far, never too near: what ends before it must be asked about.
    """
    if counter.in_characters:
        return min(end, start + limit)
    fits = furthest(counter, start, _steps(end - start), limit)
    if start + fits == end:
        return end
    too_far = min(start + fits + _STEP, end)
    if not counter.has_additive:
        return too_far - 1
    # The end of a word may count for less than its middle, so look for a place that proves it.
    # Without one the end of the window is tried: the blanks that end a text may count for nothing.
    while too_far < end:
        window = min(too_far + _PROOF_WITHIN, end)
        at = counter.next_additive(too_far, window)
        if at == -1:
            at = window
        if counter.count(start, at) > limit:
            return at - 1
        too_far = at + 1
    return end if counter.fits(start, end, limit) else end - 1


def furthest_start(counter: Counter, end: int, limit: int) -> int:
    """Where the longest stretch that ends at `end` and fits starts.

    Where the measure says that counts add up, such a place is taken, mostly the start of a word;
    where there is none near, the first character from which it fits.
    """
    if counter.in_characters:
        return max(0, end - limit)
    fits = furthest(counter, end, _steps(end), limit, -1)
    if fits == end:
        return 0
    place = counter.next_additive(end - fits, min(end - fits + _WORD, end))
    if place == -1:
        nearer = range(max(fits, 1), min(fits + _STEP, end) + 1)
        return end - furthest(counter, end, lambda _: nearer, limit, -1)
    while (before := _place_before(counter, place)) != -1 and counter.fits(before, end, limit):
        place = before
    return place


def _place_before(counter: Counter, place: int) -> int:
    """The last place near before another where counts add up, be it the start of the text."""
    low = max(0, place - _WORD)
    found = counter.last_additive(low, place - 1)
    return 0 if found == -1 and low == 0 < place else found


def _steps(most: int) -> Distances:
    """Distances at regular steps, and `most`."""

    def distances(likely: int) -> list[int]:
        beyond = likely + _STEP
        steps = [*range(_STEP, min(beyond + 1, most), _STEP)]
        return steps if beyond < most else [*steps, most]

    return distances


def furthest(
    counter: Counter, anchor: int, distances: Distances, limit: int, way: Literal[1, -1] = 1
) -> int:
    """The last distance at which the text between `anchor` and there fits; 0 if none does.

    `way` is 1 for text after the anchor and -1 for text before.
    """
    return _Search(counter, anchor, limit, way).furthest(distances)


class _Search:
    """One search: distances are looked up by index, and `low` is the last one known to fit."""

    __slots__ = ("_anchor", "_counter", "_distances", "_limit", "_way")

    def __init__(self, counter: Counter, anchor: int, limit: int, way: Literal[1, -1]) -> None:
        self._counter = counter
        self._anchor = anchor
        self._limit = limit
        self._way = way
        self._distances: Sequence[int] = ()

    def furthest(self, distances: Distances) -> int:
        """The last distance that fits; further ones are only looked for as they are needed."""
        low, step = -1, 1
        while True:
            likely = self._likely_beyond(low)
            known = self._distances
            is_last = low == len(known) - 1
            if is_last or known[-1] <= likely:
                known = distances(max(likely, 2 * known[-1] if known and is_last else 0))
                if low == len(known) - 1:
                    return known[low] if known else 0
                self._distances = known
            high = min(max(bisect_right(known, likely) - 1, low + step), len(known) - 1)
            if not self._fits(low, high):
                low = self._between(low, high)
                return known[low] if low >= 0 else 0
            low, step = high, 2 * step

    def _between(self, low: int, high: int) -> int:
        """The last index that fits, where `low` does (or is -1) and `high` does not."""
        guesses = 0
        while high - low > 1:
            guess = (low + high) // 2
            if guesses < _INTERPOLATIONS:
                by_count = bisect_right(self._distances, self._likely_distance(low, high)) - 1
                guess = min(max(by_count, low + 1), high - 1)
            if self._fits(low, guess):
                low = guess
            else:
                high = guess
            guesses += 1
        return low

    def _likely_beyond(self, low: int) -> int:
        """Where the limit is likely reached, by the count of what fits, or else of earlier text."""
        if low < 0:
            return self._counter.likely_length(self._limit)
        near = self._distances[low]
        count = self._counter.count(*self._span(0, near))
        return near + int((self._limit + 0.5 - count) * near / max(count, 1))

    def _likely_distance(self, low: int, high: int) -> int:
        """Where the limit is likely reached, by the counts on both sides of it."""
        near = self._distances[low] if low >= 0 else 0
        far = self._distances[high]
        count_near = self._counter.count(*self._span(0, near)) if near else 0
        count_far = self._counter.known(*self._span(0, far))
        if count_far is None or count_far <= count_near:
            return self._counter.likely_length(self._limit)
        share = (self._limit + 0.5 - count_near) / (count_far - count_near)
        return near + int((far - near) * share)

    def _fits(self, low: int, guess: int) -> bool:
        """Whether the text up to the distance at `guess` fits, where that at `low` does."""
        far = self._distances[guess]
        if low >= 0 and guess == low + 1:
            near = self._distances[low]
            if far - near > _STEP and not self._adds_up_near(near):
                # Counting what is more costs less than counting all, and nearly always decides.
                room = self._limit - self._counter.count(*self._span(0, near)) + _SLACK
                if not self._counter.fits(*self._span(near, far), room):
                    return False
        return self._counter.fits(*self._span(0, far), self._limit)

    def _adds_up_near(self, distance: int) -> bool:
        at = self._anchor + self._way * distance
        return self._counter.last_additive(0, at) != -1

    def _span(self, near: int, far: int) -> tuple[int, int]:
        """The start and end of the text between two distances."""
        if self._way == 1:
            return self._anchor + near, self._anchor + far
        return self._anchor - far, self._anchor - near
