"""Running heads and feet: lines at the edge of pages that come again and again.

A line is one if it stands among the first or last two of its page, apart from the text by more
white than lines of a paragraph are, and the same words, numbers aside, stand at the same height
on pages close by, at least three in all. A page's only lines are its text, whatever they repeat.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cleanbreak.readers.pdf_page import Line

_EDGE_LINES = 2
_MIN_PAGES = 3
_NEXT_WITHIN = 3
"""Pages to the next occurrence: heads of left and of right pages alternate, and a plate may part them."""
_SAME_HEIGHT = 3.0
"""Points."""
_APART = 1.3
"""Heights of a line from line to line; lines of a paragraph are mostly closer."""
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")


class Parts(NamedTuple):
    """The lines of a page: running heads, text, running feet."""

    head: Sequence[Line]
    body: Sequence[Line]
    foot: Sequence[Line]


class _Seen(NamedTuple):
    page: int
    height: float


def part(pages: Sequence[Sequence[Line]]) -> list[Parts]:
    """Each page's lines, in reading order, parted into heads, text and feet."""
    heads = _counts([_edge(lines[: _EDGE_LINES + 1]) for lines in pages])
    feet = _counts([_edge(lines[: -_EDGE_LINES - 2 : -1]) for lines in pages])
    return [_parts(lines, head, foot) for lines, head, foot in zip(pages, heads, feet, strict=True)]


def _parts(lines: Sequence[Line], head: int, foot: int) -> Parts:
    if head + foot >= len(lines):
        return Parts((), lines, ())
    end = len(lines) - foot
    return Parts(lines[:head], lines[head:end], lines[end:])


def _edge(lines: Sequence[Line]) -> Sequence[Line]:
    """Of the outermost lines, from the outside in, those apart from what follows them."""
    for count in range(len(lines) - 1, 0, -1):
        one, two = lines[count - 1 : count + 1]
        if abs(one.bottom - two.bottom) > _APART * max(one.top - one.bottom, two.top - two.bottom):
            return lines[:count]
    return ()


def _counts(edges: Sequence[Sequence[Line]]) -> list[int]:
    """How many of each page's outermost lines are running ones."""
    seen: dict[str, list[_Seen]] = defaultdict(list)
    for number, lines in enumerate(edges):
        for line in lines:
            seen[_words(line)].append(_Seen(number, line.bottom))
    running = {
        (place.page, words)
        for words, places in seen.items()
        if len(places) >= _MIN_PAGES
        for run in _runs(places)
        if len(run) >= _MIN_PAGES
        for place in run
    }
    return [_count(number, lines, running) for number, lines in enumerate(edges)]


def _count(number: int, lines: Sequence[Line], running: set[tuple[int, str]]) -> int:
    count = 0
    for line in lines:
        if (number, _words(line)) not in running:
            break
        count += 1
    return count


def _words(line: Line) -> str:
    return _NUMBER.sub("#", line.text.lower())


def _runs(places: Iterable[_Seen]) -> Iterator[list[_Seen]]:
    """Occurrences at one height whose pages follow each other closely."""
    run: list[_Seen] = []
    for place in places:
        if run and (
            place.page - run[-1].page > _NEXT_WITHIN
            or not abs(place.height - run[-1].height) < _SAME_HEIGHT
        ):
            yield run
            run = []
        run.append(place)
    yield run
