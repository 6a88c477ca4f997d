"""Overlap: earlier text that a chunk carries apart, starting at a clean place."""

import re
from collections.abc import Iterator

from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import OVERLAP, Breaks, Order
from cleanbreak.core.packing.limit import furthest_start
from cleanbreak.core.text.characters import NEWLINES, SPACES, ZERO_WIDTH_SPACE
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary

# Characters before the earliest start that are seen, so that a mark right before it counts.
_LOOKS_BACK = 4
# Marks on one letter; looking back further would cost a page of marks its length, every chunk.
_LONGEST_CLUSTER = 1000
# Characters before the earliest start in which the word that it cuts starts. A measure may count
# a whole word for no more than a part of it.
_LONGEST_WORD = 32
# Word starts that are counted before giving up; mostly the first one or two fit.
_MOST_WORDS = 16

_WHITE = re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_word_starts = re.compile(rf"(?<=[{_WHITE}])[^\s{_WHITE}]").finditer
_first_word_start = re.compile(rf"(?<=[{_WHITE}])[^\s{_WHITE}]").search
_last_word_start = re.compile(rf"(?s:.*)(?<=[{_WHITE}])(?=[^\s{_WHITE}])").match


class OverlapFinder:
    """Finds where the overlap of chunks starts in one text, at most `size` by the counter's measure.

    By the usual `order` it begins at a sentence where one starts in the first half of what may be carried, else at a
    line there, else at the first word that starts in it, else at a whole character. So it is seldom
    much shorter than asked, and cuts a word only where no word starts in reach.
    """

    __slots__ = ("_counter", "_is_by_words", "_levels", "_size", "_text")

    def __init__(self, breaks: Breaks, size: int, counter: Counter, order: Order = OVERLAP) -> None:
        self._text = breaks.text
        self._size = size
        self._counter = counter
        self._levels = [level.find_last for level in breaks.levels(order)]
        self._is_by_words = counter.in_characters and not order

    def start(self, start: int, floor: int = 0) -> int:
        """Where the overlap of the chunk that starts at `start` begins; `start` if it has none.

        It does not reach back over `floor`.
        """
        text, size, count = self._text, self._size, self._counter.count
        if start <= floor or size == 0:
            return start
        if self._is_by_words:
            # The usual case in one piece: calls would cost more than the work.
            earliest = start - size
            if earliest <= floor:
                return floor
            word = _first_word_start(text, earliest, start)
            if word and is_boundary(text, word.start(), max(0, earliest - _LONGEST_CLUSTER)):
                return word.start()
        earliest = furthest_start(self._counter, start, size)
        if earliest <= floor:
            if count(floor, start) <= size:
                return floor
            earliest = floor
        cluster_floor = max(0, earliest - _LONGEST_CLUSTER)
        for found in self._clean_starts(earliest, start, floor):
            if is_boundary(text, found, cluster_floor) and count(found, start) <= size:
                return found
        whole = boundary_at_or_after(text, earliest, start, cluster_floor)
        while whole < start and count(whole, start) > size:  # longer text may count for less
            whole = boundary_at_or_after(text, whole + 1, start, cluster_floor)
        if whole == start or text[whole:start].isspace():
            return self._last_non_blank(start, whole, floor)
        return whole

    def _clean_starts(self, earliest: int, start: int, floor: int) -> Iterator[int]:
        """Where the overlap may start between whole words, the best place first."""
        text = self._text
        middle = (earliest + start) // 2
        low = max(floor, earliest - _LOOKS_BACK)
        for find_last in self._levels:
            found = find_last(text, low, middle)
            while low < found < middle and text[found].isspace():
                found += 1
            if earliest <= found <= middle and not text[found].isspace():
                yield found
        if not self._counter.in_characters:
            word = _last_word_start(text, max(floor, earliest - _LONGEST_WORD), earliest)
            if word:
                yield word.end()
        for number, word in enumerate(_word_starts(text, earliest, start)):
            if number == _MOST_WORDS:
                return
            yield word.start()

    def _last_non_blank(self, start: int, otherwise: int, lowest: int) -> int:
        """Where the last whole character that is not blank starts, if with the blanks after it fits.

        A character that is long in code points may have been passed by on the way to where it ends.
        """
        text = self._text
        window = text[max(lowest, start - _LONGEST_CLUSTER) : start]
        content = start - len(window) + len(window.rstrip())
        floor = max(lowest, content - _LONGEST_CLUSTER)
        first = boundary_at_or_before(text, content - 1, floor) if floor < content else start
        fits = (
            first < otherwise
            and is_boundary(text, first, floor)
            and self._counter.count(first, start) <= self._size
        )
        return first if fits else otherwise
