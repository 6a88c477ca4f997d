"""A trace: what a packer looked at before it cut, noted by the packer itself.

A packer that is given a trace notes each search with the very window and finders that it cuts by, so
that an explanation cannot say anything else than what was done. Without one nothing is noted.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cleanbreak.core.chunk import BreakLevel
from cleanbreak.core.text.graphemes import is_boundary

MOST_PLACES = 10_000
"""Places of one level that are counted in one window."""

Find = Callable[[int, int], Sequence[int]]
"""From a window to the places of a level in it, ascending."""


class SearchedLevel(NamedTuple):
    """A level of breaks and how its places in a window are found."""

    name: BreakLevel
    find: Find


class Search(NamedTuple):
    """One search for the end of a chunk: the window, and the levels in their order.

    Offsets count from ``base``, where the chapter starts.
    """

    base: int
    low: int
    high: int
    levels: tuple[SearchedLevel, ...]


class Trace:
    """The searches for the chunks that are being cut, by where the chunks start."""

    __slots__ = ("_searches", "base")

    def __init__(self) -> None:
        self.base = 0
        """Where the stretch starts that is cut now."""
        self._searches: dict[int, list[Search]] = {}

    def searched(self, start: int, low: int, high: int, levels: Sequence[SearchedLevel]) -> None:
        """Note that the end of the chunk that starts at `start` was looked for in a window."""
        search = Search(self.base, low, high, tuple(levels))
        self._searches.setdefault(self.base + start, []).append(search)

    def of(self, start: int) -> list[Search]:
        """The searches for the chunk that starts at an offset of the document."""
        return self._searches.get(start, [])

    def forget(self, offset: int) -> None:
        """Drop the searches for chunks that start before an offset of the document."""
        for start in [start for start in self._searches if start < offset]:
            del self._searches[start]


def by_finder(text: str, start: int, find_last: Callable[[str, int, int], int]) -> Find:
    """The places of a level that is searched backwards; those inside a character are none."""

    def find(low: int, high: int) -> list[int]:
        found: list[int] = []
        cut = find_last(text, low, high)
        while cut > low and len(found) < MOST_PLACES:
            if is_boundary(text, cut, start):
                found.append(cut)
            cut = find_last(text, low, cut - 1)
        return found[::-1]

    return find


def by_offsets(offsets: Sequence[int]) -> Find:
    """The places of a level that is known beforehand."""
    return lambda low, high: [at for at in offsets if low < at <= high]
