"""Packing by structure: chunks filled up to a limit, by any measure, cut at the cleanest breaks.

A splitter names its levels and its measure; how a stretch of text is packed is written here once.
Levels are of two kinds. *Structure* is known beforehand, as sorted offsets (blocks, list items,
rows). *Fine* levels are searched backwards from the limit (`cleanbreak.core.packing.levels`:
sentences, lines, words), and below them lies the whole character.

The rule for each chunk, from the coarsest level down: take as many whole units as fit. If the
next unit would fit in a chunk of its own, stop: it stays whole. If it would not, continue inside it,
so that a unit that must be cut anyway fills the chunk that is open.

No chunk is blank while the limit allows: blank text goes with what stands before it, else with
what follows.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from cleanbreak.core.chunk import BreakLevel
from cleanbreak.core.document import Span
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import Breaks, Level, Order
from cleanbreak.core.packing.limit import furthest_end
from cleanbreak.core.packing.trace import SearchedLevel, Trace, by_offsets
from cleanbreak.core.text.characters import NEWLINES, SPACES
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary
from cleanbreak.errors import IndivisibleTextError

Use = Literal["always", "for a whole unit", "while little is begun"]


class Places(NamedTuple):
    """A level of offsets where a stretch may be cut, sorted, and when they are taken."""

    offsets: Sequence[int]
    use: Use = "always"
    """``for a whole unit``: only where the unit before or behind the place then stays whole.
    ``while little is begun``: only where the cleaner levels leave the chunk less than half full."""
    level: BreakLevel = "block"
    """What the places are called in an explanation."""


# Coarsest level first.
Structure = Sequence[Places]

# Where a chunk ends and the level of the break there.
Cut = tuple[int, BreakLevel]

_NON_BLANK = re.compile(r"\S")
_BLANKS = re.compile(f"[{re.escape(SPACES + NEWLINES)}]*")
_REST_OF_LINE = re.compile(f"[{re.escape(SPACES)}]*(?:\r\n|[{NEWLINES}])?")


class Packer:
    """Packs stretches of one text into chunks of at most `limit`.

    `emit_oversize` says what becomes of a character that alone exceeds the limit: it is given out
    as a chunk, or raises `IndivisibleTextError`.
    """

    __slots__ = (
        "_blank_from",
        "_breaks",
        "_counter",
        "_emit_oversize",
        "_fine",
        "_limit",
        "_next_non_blank",
        "_text",
    )

    def __init__(
        self, breaks: Breaks, counter: Counter, limit: int, order: Order, *, emit_oversize: bool
    ) -> None:
        self._breaks = breaks
        self._text = breaks.text
        self._counter = counter
        self._limit = limit
        self._fine = breaks.levels(order)
        self._emit_oversize = emit_oversize
        self._blank_from, self._next_non_blank = 1, 0  # nothing known yet

    def fits(self, start: int, end: int) -> bool:
        """Whether the text from `start` to `end` is within the limit."""
        return self._counter.fits(start, end, self._limit)

    def may_exceed(self, start: int, end: int) -> bool:
        """Whether a stretch could be over the limit, answered without asking the measure."""
        return not self._counter.in_characters or end - start > self._limit

    def pack(
        self, start: int, end: int, level: BreakLevel, structure: Callable[[], Structure]
    ) -> Iterable[Cut]:
        """Where each chunk of a stretch ends, the last one at the break of `level` at its end.

        `structure` is asked only if the stretch does not fit whole.

        Raises:
            IndivisibleTextError: at a character that alone exceeds the limit.
        """
        if not self.may_exceed(start, end):
            return ((end, level),)
        reach = furthest_end(self._counter, start, end, self._limit)
        if reach == end:
            return ((end, level),)
        return self._cuts(start, end, level, reach, structure())

    def _cuts(
        self, start: int, end: int, level: BreakLevel, reach: int, structure: Structure
    ) -> Iterator[Cut]:
        last_non_blank = start + len(self._text[start:end].rstrip()) - 1
        while reach < end:
            # What is left after the cut must not be blank.
            wanted = min(reach, last_non_blank) if last_non_blank > start else reach
            cut, found = self._clean_cut(start, end, wanted, structure)
            if cut == -1:
                cut = self._hard_cut(start, end, wanted, reach)
            yield cut, self._breaks.level_at(start, cut, found)
            start = cut
            reach = furthest_end(self._counter, start, end, self._limit)
        if start < end:
            yield end, level

    def _clean_cut(self, start: int, end: int, reach: int, structure: Structure) -> Cut:
        """The cleanest cut up to `reach`, or -1 if there is none between whole words."""
        first = self._non_blank(start, end)  # the cut lies after it, or the chunk would be blank
        if self._breaks.trace:
            self._note(self._breaks.trace, start, first, reach, structure)
        low, high = start, end
        unit = Span(start, end)  # divided also by places that are taken only for a whole unit
        for offsets, use, _ in structure:
            if use == "while little is begun" and self._is_half_full(start, low):
                return low, "block"
            index = bisect_right(offsets, low)
            if index == len(offsets) or offsets[index] >= high:
                continue  # it divides other units, and says nothing of this one
            whole, after = self._whole_units(start, max(low, first), high, reach, offsets)
            unit = Span(max(unit.start, whole), min(unit.end, after))
            if use != "for a whole unit":
                low, high = max(low, whole), after
            if unit.start > start and self._stays_whole(*unit):
                return unit.start, "block"
        for level in self._fine:
            cut = self._last(level, start, max(low, first), reach)
            if cut != -1:
                return cut, level.name
            if low > start:
                return low, "block"  # only the first fine level fills up a chunk that is begun
        return -1, "grapheme"

    def _note(self, trace: Trace, start: int, low: int, high: int, structure: Structure) -> None:
        known = [SearchedLevel(places.level, by_offsets(places.offsets)) for places in structure]
        trace.searched(start, low, high, [*known, *self._breaks.searched(start, self._fine)])

    def _is_half_full(self, start: int, end: int) -> bool:
        """In units of the measure, so that the limit's estimate in characters decides nothing."""
        return 2 * self._counter.count(start, end) >= self._limit if end > start else False

    def _whole_units(
        self, start: int, floor: int, high: int, reach: int, offsets: Sequence[int]
    ) -> tuple[int, int]:
        """The end of the last unit after `floor` that fits, or -1, and the end of the one after."""
        index = bisect_right(offsets, reach)
        while index and offsets[index - 1] > floor and not self.fits(start, offsets[index - 1]):
            index -= 1
        if index < len(offsets):
            high = min(high, offsets[index])
        if floor < reach and self._non_blank(reach, high) >= high:
            # Only blank text is too much: it goes to the next chunk and the unit stays whole,
            # unless the blank text would break up the next unit.
            content = self._content_end(floor, high)
            after = offsets[index + 1] if index + 1 < len(offsets) else high
            if (
                floor < content <= reach
                and self.fits(start, content)
                and (self._stays_whole(content, after) or not self._stays_whole(high, after))
            ):
                return content, high
        return (offsets[index - 1] if index and offsets[index - 1] > floor else -1), high

    def _stays_whole(self, low: int, high: int) -> bool:
        """Whether a unit would fit in a chunk of its own, if need be without its blank end."""
        if self.fits(low, high):
            return True
        content = self._content_end(low, high)
        # Blanks count for 4 units a character at most (bytes), so often nothing has to be counted.
        most = self._limit + 4 * (high - content)
        return self._counter.fits(low, high, most) and self.fits(low, content)

    def _content_end(self, low: int, high: int) -> int:
        """Where the last line that is not blank ends."""
        content = low + len(self._text[low:high].rstrip())
        rest = _REST_OF_LINE.match(self._text, content, high)
        return rest.end() if rest else content

    def _non_blank(self, offset: int, end: int) -> int:
        """The first character from `offset` on that is not blank, or `end`."""
        if not self._blank_from <= offset <= self._next_non_blank:
            # Remembered, so that a long blank run is looked through once and not once a chunk.
            found = _NON_BLANK.search(self._text, offset)
            self._blank_from = offset
            self._next_non_blank = found.start() if found else len(self._text)
        return min(self._next_non_blank, end)

    def _last(self, level: Level, start: int, floor: int, reach: int) -> int:
        """The last break of a fine level after `floor` that fits, with the blanks after it."""
        high = reach
        while (cut := level.find_last(self._text, floor, high)) > floor:
            for offset in (self._blanks_end(start, cut, reach), cut):
                if is_boundary(self._text, offset, start) and self.fits(start, offset):
                    return offset
            high = cut - 1
        return -1

    def _blanks_end(self, start: int, cut: int, reach: int) -> int:
        """Where the blanks after a cut end, as far as they fit."""
        blanks = _BLANKS.match(self._text, cut, reach)
        end = blanks.end() if blanks else cut
        while end > cut and not self.fits(start, end):
            end -= 1
        return end

    def _hard_cut(self, start: int, end: int, wanted: int, reach: int) -> int:
        """The last whole character up to `wanted` or else `reach`, or part of one.

        Raises:
            IndivisibleTextError: if not even a code point fits, unless it may be emitted.
        """
        cut = self._last_whole(start, wanted)
        if cut == -1 or not is_boundary(self._text, cut, start):
            cut = self._last_whole(start, reach)
        if cut != -1:
            return cut
        if self._emit_oversize:
            return boundary_at_or_after(self._text, start + 1, end, start)
        raise IndivisibleTextError(
            f"The character at offset {start} alone exceeds the limit of {self._limit}; raise the "
            'limit, or pass oversize="emit" to let it through.',
            offset=start,
            limit=self._limit,
        )

    def _last_whole(self, start: int, furthest: int) -> int:
        """The last whole character that fits, or part of one that alone does not; else -1."""
        cut = boundary_at_or_before(self._text, max(furthest, start + 1), start)
        while cut > start + 1 and not self.fits(start, cut):
            cut = boundary_at_or_before(self._text, cut - 1, start)
        return cut if self.fits(start, cut) else -1
