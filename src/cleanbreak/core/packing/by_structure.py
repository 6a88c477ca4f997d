"""Packing: filling chunks up to a limit, by any measure, cutting at the cleanest breaks.

A splitter names its levels and its measure; how a stretch of text is packed is written here once.
Levels are of two kinds. *Structure* is known beforehand, as sorted offsets (blocks, list items,
rows). *Fine* levels are searched backwards from the limit (`cleanbreak.core.text.breaks`: sentences,
lines, words), and below them lies the whole character.

The rule for each chunk, from the coarsest level down: take as many whole units as fit. If the
next unit would fit in a chunk of its own, stop: it stays whole. If it would not, go on inside it,
so that a unit that must be cut anyway fills the chunk that is open.

No chunk is blank while the limit allows: blank text goes with what stands before it, else with
what follows.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cleanbreak.core.measures.measure import CHARACTERS, Measure
from cleanbreak.core.text.breaks import Level
from cleanbreak.core.text.characters import NEWLINES, SPACES
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary
from cleanbreak.errors import IndivisibleTextError

Structure = Sequence[Sequence[int]]
"""Offsets where a stretch may be cut, coarsest level first, each level sorted."""

_INK = re.compile(r"\S")
_BLANKS = re.compile(f"[{re.escape(SPACES + NEWLINES)}]*")
_REST_OF_LINE = re.compile(f"[{re.escape(SPACES)}]*(?:\r\n|[{NEWLINES}])?")
_CLOSE_ENOUGH = 8
"""Characters between what fits and what does not, at which a search ends. What lies between is
then asked break by break, so the figure changes how many counts it takes, not where a cut falls."""

_DENSEST = 32.0
"""Characters per unit that a first guess goes up to, so that no guess takes in a whole book."""


class Bracket(NamedTuple):
    """How far one may go: `fits` is known to fit and `exceeds` is known not to."""

    fits: int
    exceeds: int


class Ruler:
    """Measures stretches of one text, asking the measure as seldom as it can.

    Counts are always real ones, of the stretch alone: sizes of tokens do not add up. That longer
    text counts for more is only assumed in order to guess well.
    """

    __slots__ = ("_counts", "_density", "_measure", "_text", "in_characters")

    def __init__(self, text: str, measure: Measure) -> None:
        self._text = text
        self._measure = measure
        self._counts: dict[tuple[int, int], int] = {}
        self._density = 4.0  # characters per unit of the measure; learned as counts come
        self.in_characters = measure is CHARACTERS

    def count(self, start: int, end: int) -> int:
        """The measure of the text from `start` to `end`, alone."""
        if self.in_characters:
            return end - start
        known = self._counts.get((start, end))
        if known is None:
            known = self._counts[start, end] = self._measure(self._text[start:end])
        return known

    def forget(self) -> None:
        """Drop the counts remembered; called when a chunk is done, so that memory stays small."""
        self._counts.clear()

    def forwards(self, start: int, end: int, limit: int) -> Bracket:
        """How far a stretch from `start` may go and still fit; at most to `end`."""
        if self.in_characters:
            return Bracket(min(end, start + limit), start + limit + 1)
        fits, exceeds = self._furthest(
            lambda way: self.count(start, start + way), end - start, limit
        )
        return Bracket(start + fits, start + exceeds)

    def backwards(self, end: int, limit: int) -> int:
        """Where the longest stretch that ends at `end` and fits starts, to a few characters."""
        if self.in_characters:
            return max(0, end - limit)
        fits, _ = self._furthest(lambda way: self.count(end - way, end), end, limit)
        return end - fits

    def _furthest(self, count: Callable[[int], int], most: int, limit: int) -> tuple[int, int]:
        """A way that fits and one, a little longer, that exceeds, found by interpolation."""
        fits = fits_count = 0
        exceeds, exceeds_count = most + 1, 0
        guess = int(limit * self._density)
        while exceeds - fits > 1:
            guess = max(fits + 1, min(guess, exceeds - 1))
            counted = count(guess)
            self._density = min(guess / max(1, counted), _DENSEST)
            if counted <= limit:
                fits, fits_count = guess, counted
            else:
                exceeds, exceeds_count = guess, counted
            if fits and exceeds_count and exceeds - fits <= _CLOSE_ENOUGH:
                break
            if exceeds_count:
                share = (limit + 0.5 - fits_count) / (exceeds_count - fits_count)
                guess = fits + int((exceeds - fits) * min(0.9, max(0.1, share)))
            else:
                guess = fits + int((limit - fits_count + 1) * self._density) + 1
                if 2 * fits_count < limit:
                    guess = max(guess, 2 * fits)  # blank text counts for little: do not creep
        return fits, exceeds


class Packer:
    """Packs stretches of one text into chunks of at most `limit`.

    `emit_oversize` says what becomes of a character that alone exceeds the limit: it is given out
    as a chunk, or raises `IndivisibleTextError`.
    """

    __slots__ = ("_blank_from", "_emit_oversize", "_fine", "_limit", "_next_ink", "_ruler", "_text")

    def __init__(
        self, text: str, ruler: Ruler, limit: int, fine: Sequence[Level], *, emit_oversize: bool
    ) -> None:
        self._text = text
        self._ruler = ruler
        self._limit = limit
        self._fine = fine
        self._emit_oversize = emit_oversize
        self._blank_from, self._next_ink = 1, 0  # nothing known yet

    def fits(self, start: int, end: int) -> bool:
        """Whether the text from `start` to `end` is within the limit."""
        return self._ruler.count(start, end) <= self._limit

    def may_exceed(self, start: int, end: int) -> bool:
        """Whether a stretch could be over the limit, told without asking the measure."""
        return not self._ruler.in_characters or end - start > self._limit

    def pack(self, start: int, end: int, structure: Callable[[], Structure]) -> Iterable[int]:
        """Where each chunk ends. `structure` is asked only if the stretch does not fit whole.

        Raises:
            IndivisibleTextError: at a character that alone exceeds the limit.
        """
        if not self.may_exceed(start, end):
            return (end,)
        reach = self._ruler.forwards(start, end, self._limit)
        return (end,) if reach.fits >= end else self._cuts(start, end, reach, structure())

    def _cuts(self, start: int, end: int, reach: Bracket, levels: Structure) -> Iterator[int]:
        last_ink = start + len(self._text[start:end].rstrip()) - 1
        while reach.fits < end:
            start = self._cut(start, end, reach, last_ink, levels)
            yield start
            self._ruler.forget()
            reach = self._ruler.forwards(start, end, self._limit)
        if start < end:
            yield end

    def _cut(self, start: int, end: int, reach: Bracket, last_ink: int, levels: Structure) -> int:
        furthest = reach.exceeds - 1
        if last_ink > start:  # what is left after the cut must not be blank
            reach = Bracket(min(reach.fits, last_ink), min(reach.exceeds, last_ink + 1))
        first = self._ink(start, end)  # the cut lies after it, or the chunk would be blank
        low, high = start, end
        for offsets in levels:
            whole, high = self._whole_units(start, max(low, first), high, reach, offsets)
            low = max(low, whole)
            if low > start and self._stays_whole(low, high):
                return low
        for level in self._fine:
            cut = self._last(level, start, max(low, first), reach)
            if cut != -1:
                return cut
            if low > start:
                return low  # only the first fine level fills up a chunk that is begun
        cut = self._hard_cut(start, reach.exceeds - 1)
        if cut == -1 or not is_boundary(self._text, cut, start):
            cut = self._hard_cut(start, furthest)
        return self._let_through(start, end) if cut == -1 else cut

    def _whole_units(
        self, start: int, floor: int, high: int, reach: Bracket, offsets: Sequence[int]
    ) -> tuple[int, int]:
        """The end of the last unit after `floor` that fits, or -1, and the end of the one after."""
        index = bisect_left(offsets, reach.exceeds)
        if index < len(offsets):
            high = min(high, offsets[index])
        if floor < reach.exceeds - 1 and self._ink(reach.exceeds - 1, high) >= high:
            # Only blank text is too much: it goes to the next chunk and the unit stays whole,
            # unless the blank text would break up the next unit.
            content = self._content_end(floor, high)
            after = offsets[index + 1] if index + 1 < len(offsets) else high
            if (
                floor < content < reach.exceeds
                and self.fits(start, content)
                and (self._stays_whole(content, after) or not self._stays_whole(high, after))
            ):
                return content, high
        while index and offsets[index - 1] > floor:
            index -= 1
            if self.fits(start, offsets[index]):
                return offsets[index], high
            high = offsets[index]
        return -1, high

    def _stays_whole(self, low: int, high: int) -> bool:
        """Whether a unit would fit in a chunk of its own, if need be without its blank end."""
        excess = self._ruler.count(low, high) - self._limit
        if excess <= 0:
            return True
        content = self._content_end(low, high)
        return excess <= 4 * (high - content) and self.fits(low, content)  # 4 bytes a character

    def _content_end(self, low: int, high: int) -> int:
        """Where the last line that is not blank ends."""
        content = low + len(self._text[low:high].rstrip())
        rest = _REST_OF_LINE.match(self._text, content, high)
        return rest.end() if rest else content

    def _ink(self, offset: int, end: int) -> int:
        """The first character from `offset` on that is not blank, or `end`."""
        if not self._blank_from <= offset <= self._next_ink:
            # Remembered, so that a long blank run is looked through once and not once a chunk.
            found = _INK.search(self._text, offset)
            self._blank_from = offset
            self._next_ink = found.start() if found else len(self._text)
        return min(self._next_ink, end)

    def _last(self, level: Level, start: int, floor: int, reach: Bracket) -> int:
        """The last break of a fine level after `floor` that fits, with the blanks after it."""
        high = reach.exceeds - 1
        while (cut := level.find_last(self._text, floor, high)) > floor:
            blanks = _BLANKS.match(self._text, cut, reach.exceeds - 1)
            for offset in (blanks.end() if blanks else cut, cut):
                if is_boundary(self._text, offset, start) and self.fits(start, offset):
                    return offset
            high = cut - 1
        return -1

    def _hard_cut(self, start: int, furthest: int) -> int:
        """The last whole character that fits, or part of one that alone does not; else -1."""
        cut = boundary_at_or_before(self._text, max(furthest, start + 1), start)
        while cut > start + 1 and not self.fits(start, cut):
            cut = boundary_at_or_before(self._text, cut - 1, start)
        return cut if self.fits(start, cut) else -1

    def _let_through(self, start: int, end: int) -> int:
        if self._emit_oversize:
            return boundary_at_or_after(self._text, start + 1, end, start)
        raise IndivisibleTextError(
            f"The character at offset {start} alone exceeds the limit of {self._limit}; raise the "
            'limit, or pass oversize="emit" to let it through.',
            offset=start,
            limit=self._limit,
        )
