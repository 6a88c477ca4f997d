"""Overlap: earlier text that a chunk carries apart, starting at a clean place."""

from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import OVERLAP, levels
from cleanbreak.core.packing.limit import furthest_start
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary

# Characters before the earliest start that are seen, so that a mark right before it counts.
_LOOKS_BACK = 4
# Marks on one letter; looking back further would cost a page of marks its length, every chunk.
_LONGEST_CLUSTER = 1000

_LEVELS = levels(OVERLAP)


def overlap_start(text: str, start: int, size: int, counter: Counter) -> int:
    """Where the overlap of a chunk that starts at `start` begins; `start` itself if it has none.

    The overlap is at most `size` by the counter's measure. It begins at a sentence where one starts
    in the first half of what may be carried, else at a line, else at a word, else at a whole
    character, so it is seldom much shorter than asked.
    """
    if start == 0 or size == 0:
        return start
    earliest = furthest_start(counter, start, size)
    if earliest == 0:
        return 0
    middle = (earliest + start) // 2
    floor = max(0, earliest - _LONGEST_CLUSTER)
    low = max(0, earliest - _LOOKS_BACK)
    for _, find_last in _LEVELS:
        found = find_last(text, low, middle)
        while low < found < middle and text[found].isspace():
            found += 1
        if (
            earliest <= found < middle
            and is_boundary(text, found, floor)
            and counter.count(found, start) <= size
        ):
            return found
    whole = boundary_at_or_after(text, earliest, start, floor)
    while whole < start and counter.count(whole, start) > size:  # longer text may count for less
        whole = boundary_at_or_after(text, whole + 1, start, floor)
    if whole == start or text[whole:start].isspace():
        return _last_non_blank(text, start, size, counter, whole)
    return whole


def _last_non_blank(text: str, start: int, size: int, counter: Counter, otherwise: int) -> int:
    """Where the last whole character that is not blank starts, if with the blanks after it it fits.

    A character that is long in code points may have been passed by on the way to where it ends.
    """
    window = text[max(0, start - _LONGEST_CLUSTER) : start]
    content = start - len(window) + len(window.rstrip())
    floor = max(0, content - _LONGEST_CLUSTER)
    first = boundary_at_or_before(text, content - 1, floor) if floor < content else start
    fits = (
        first < otherwise
        and is_boundary(text, first, floor)
        and counter.count(first, start) <= size
    )
    return first if fits else otherwise
