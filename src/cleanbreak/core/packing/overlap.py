"""Overlap: earlier text that a chunk carries apart, starting at a clean place."""

from cleanbreak.core.packing.by_structure import Ruler
from cleanbreak.core.text.breaks import WORD, Finder
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary

_LINE_AND_WORD: tuple[Finder, ...] = (
    lambda text, low, high: max(text.rfind("\n", low, high), text.rfind("\r", low, high)) + 1,
    WORD.find_last,
)
_LOOKS_BACK = 4
"""Characters before the earliest start that are seen, so that a mark right before it counts."""

_LONGEST_CLUSTER = 1000
"""Marks on one letter; looking back further would cost a page of marks its length, every chunk."""


def overlap_start(text: str, start: int, size: int, ruler: Ruler, find_sentence: Finder) -> int:
    """Where the overlap of a chunk that starts at `start` begins; `start` itself if it has none.

    The overlap is at most `size` by the ruler's measure. It begins at a sentence where one starts
    in the first half of what may be carried, else at a line, else at a word, else at a whole
    character, so it is seldom much shorter than asked. `find_sentence` finds sentence ends.
    """
    if start == 0 or size == 0:
        return start
    earliest = ruler.backwards(start, size)
    if earliest == 0:
        return 0
    middle = (earliest + start) // 2
    floor = max(0, earliest - _LONGEST_CLUSTER)
    low = max(0, earliest - _LOOKS_BACK)
    for find_last in (find_sentence, *_LINE_AND_WORD):
        found = find_last(text, low, middle)
        while low < found < middle and text[found].isspace():
            found += 1
        if (
            earliest <= found < middle
            and is_boundary(text, found, floor)
            and ruler.count(found, start) <= size
        ):
            return found
    whole = boundary_at_or_after(text, earliest, start, floor)
    while whole < start and ruler.count(whole, start) > size:  # longer text may count for less
        whole = boundary_at_or_after(text, whole + 1, start, floor)
    if whole == start or text[whole:start].isspace():
        return _last_inked(text, start, size, ruler, whole)
    return whole


def _last_inked(text: str, start: int, size: int, ruler: Ruler, otherwise: int) -> int:
    """Where the last whole character that is not blank starts, if with the blanks after it it fits.

    Rulers measure to a few characters, so one that is long in code points may have been passed by.
    """
    window = text[max(0, start - _LONGEST_CLUSTER) : start]
    ink = start - len(window) + len(window.rstrip())
    floor = max(0, ink - _LONGEST_CLUSTER)
    first = boundary_at_or_before(text, ink - 1, floor) if floor < ink else start
    fits = (
        first < otherwise and is_boundary(text, first, floor) and ruler.count(first, start) <= size
    )
    return first if fits else otherwise
