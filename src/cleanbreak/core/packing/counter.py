"""Counting stretches of one text by any measure, once for packers and overlap together.

A tokenizer is a thousand times slower than looking for breaks, so it is asked as seldom and about
as little text as can be proved right. Two facts are used:

- *Counts add up at some places.* Where the measure itself says so (its ``adds_up``), the count of a
  stretch is the sum of its parts. The counter keeps the counts between such places, its marks, as
  running sums: a new stretch costs only the way from its ends to the nearest marks.
- *Nothing else is concluded.* Counts need neither add up nor grow with the text (a long word may be
  one unknown token to BERT). So every count that is given is the measure's own count of that very
  stretch, or a sum that the measure vouches for. What earlier counts say about the next one only
  chooses what to count.
"""

from bisect import bisect_left, bisect_right

from cleanbreak.core.measures.measure import Measure, counts_characters, where_counts_add_up

# Characters. A shorter stretch is counted directly: looking for marks would cost more.
_SHORT = 32
# Characters looked through for a place where counts add up. English has one every six characters;
# text without spaces may have none, and then the nearest mark must do.
_MARK_WITHIN = 128
# Characters between marks at most, where there is a choice. More marks would cost more calls.
_BLOCK = 2048

# Characters per unit of the measure before anything was counted.
_FIRST_PACE = 4.0
# How much of what was learnt about the pace is kept with each count: what comes is like what came
# last, and a long stretch says more than a short one.
_FADING = 0.5
# A text for which nothing counts has a pace as well.
_FEWEST_UNITS = 1e-3
# Characters; longer than a word that a tokenizer gives up on (100 in BERT's).
_SHORTEST_PROBE = 2048


class Counter:
    """Counts stretches of one text; `forget` keeps its memory small.

    `in_characters` says whether the measure is `len`, and nothing has to be asked.
    """

    __slots__ = (
        "_adds_up",
        "_counts",
        "_length",
        "_marks",
        "_measure",
        "_sums",
        "_text",
        "_units",
        "in_characters",
    )

    def __init__(self, text: str, measure: Measure) -> None:
        self.in_characters = counts_characters(measure)
        self._text = text
        self._measure = measure
        self._adds_up = where_counts_add_up(measure)
        self._counts: dict[tuple[int, int], int] = {}
        # Places where counts add up, ascending, and the count from some origin up to each.
        self._marks: list[int] = []
        self._sums: list[int] = []
        # Characters and units counted; their ratio is the pace.
        self._length = 1.0 if self.in_characters else _FIRST_PACE
        self._units = 1.0

    def count(self, start: int, end: int) -> int:
        """What the measure gives for ``text[start:end]``, alone."""
        if self.in_characters:
            return end - start
        count = self._counts.get((start, end))
        if count is None:
            count = self._counts[start, end] = self._count(start, end)
            self._length = self._length * _FADING + end - start
            self._units = self._units * _FADING + count
        return count

    def known(self, start: int, end: int) -> int | None:
        """The count of ``text[start:end]`` if it was asked for since the last `forget`."""
        return self._counts.get((start, end))

    def fits(self, start: int, end: int, limit: int | None) -> bool:
        """Whether ``text[start:end]`` is within the limit.

        A stretch that is far too long is not counted whole but given up over a part of it, or a
        text that is one long sentence would be counted to its end for each of its chunks.
        """
        if limit is None:
            return True
        if self.in_characters:
            return end - start <= limit
        probe = max(_SHORTEST_PROBE, 2 * self.likely_length(limit))
        while start + probe < end:
            if self.count(start, start + probe) > limit:
                return False
            probe *= 2
        return self.count(start, end) <= limit

    def likely_length(self, units: int) -> int:
        """The characters that likely count for that many units, by what was counted last."""
        return int(units * self._length / max(self._units, _FEWEST_UNITS))

    @property
    def has_additive(self) -> bool:
        """Whether the measure says of any place that counts add up there."""
        return self._adds_up is not None

    def next_additive(self, start: int, end: int) -> int:
        """The first place near where counts add up, from `start` on and before `end`; else -1."""
        text, adds_up = self._text, self._adds_up
        if adds_up:
            for at in range(start, min(start + _MARK_WITHIN, end)):
                if adds_up(text, at):
                    return at
        return -1

    def last_additive(self, start: int, end: int) -> int:
        """The last place near where counts add up, after `start` and up to `end`; else -1."""
        text, adds_up = self._text, self._adds_up
        if adds_up:
            for at in range(end, max(start, end - _MARK_WITHIN), -1):
                if adds_up(text, at):
                    return at
        return -1

    def forget(self, before: int) -> None:
        """Drop all single counts, and the marks before an offset that no question reaches back to.

        To be called when a chunk is done.
        """
        self._counts.clear()
        unneeded = bisect_left(self._marks, before)
        del self._marks[:unneeded], self._sums[:unneeded]

    # --- sums over marks ---------------------------------------------------------------------------

    def _count(self, start: int, end: int) -> int:
        if self._adds_up is None or end - start < _SHORT:
            return self._measure(self._text[start:end])
        first, last = self._first_mark(start, end), self._last_mark(start, end)
        if first >= last:
            return self._measure(self._text[start:end])
        count = -self._sum_at(first) + self._sum_at(last)
        if start < first:
            count += self._measure(self._text[start:first])
        if last < end:
            count += self._measure(self._text[last:end])
        return count

    def _first_mark(self, start: int, end: int) -> int:
        """Where the sum starts: a place near, or else the next mark; `end` if there is neither."""
        if start == 0 or (self._adds_up and self._adds_up(self._text, start)):
            return start  # as where a chunk starts
        near = self.next_additive(start + 1, end)
        if near != -1:
            return near
        index = bisect_left(self._marks, start)
        return min(self._marks[index], end) if index < len(self._marks) else end

    def _last_mark(self, start: int, end: int) -> int:
        """Where the sum ends, likewise; `start` if there is no such place."""
        if end == len(self._text) or (self._adds_up and self._adds_up(self._text, end)):
            return end
        near = self.last_additive(start, end - 1)
        if near != -1:
            return near
        index = bisect_right(self._marks, end)
        return max(self._marks[index - 1], start) if index else start

    def _sum_at(self, mark: int) -> int:
        """The running sum at a place where counts add up, which becomes a mark."""
        marks, sums = self._marks, self._sums
        index = bisect_left(marks, mark)
        if index == len(marks):
            return self._extend_to(mark)
        if marks[index] == mark:
            return sums[index]
        if index and mark - marks[index - 1] < marks[index] - mark:
            total = sums[index - 1] + self._measure(self._text[marks[index - 1] : mark])
        else:
            total = sums[index] - self._measure(self._text[mark : marks[index]])
        marks.insert(index, mark)
        sums.insert(index, total)
        return total

    def _extend_to(self, mark: int) -> int:
        """The running sum at a place behind the last mark, with marks on the way to it."""
        marks, sums = self._marks, self._sums
        if not marks:
            marks.append(mark)
            sums.append(0)
        while (last := marks[-1]) < mark:
            at = self._last_mark(last, min(last + _BLOCK, mark))
            if at == last:
                at = mark
            sums.append(sums[-1] + self._measure(self._text[last:at]))
            marks.append(at)
        return sums[-1]
