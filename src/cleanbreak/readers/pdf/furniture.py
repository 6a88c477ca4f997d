"""Running heads and feet: lines at the edge of pages that repeat.

A line is one if

- it is among the highest or lowest of its page, and there is more white between it and the text
  than between the lines of a paragraph;
- the same words are at the same height on at least three pages close to each other; and
- its numbers are the same on these pages, or one of them counts the pages. So "Chapter 2" above a
  chapter is not one.

If a page has no other lines, they are its text, even if they repeat.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from cleanbreak.readers.pdf.page import Line

# Lines at an edge that may be running: a head, its page number on its own, and one more line.
_EDGE_LINES = 3
_MIN_PAGES = 3
# Pages to the next occurrence: left and right pages have different heads, and on the first page of a
# chapter there is none.
_NEXT_WITHIN = 4
# Points: the same words further from each other are not a repetition.
_SAME_HEIGHT = 6.0
# Heights of a line from one line to the next; lines of a paragraph are mostly closer.
_APART = 1.3
_NUMBER = re.compile(r"\d{1,9}|\b[ivxlc]{1,9}\b")
_BOTTOM = attrgetter("bottom")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class PageParts(NamedTuple):
    """The lines of a page: its running heads, its text and its running feet."""

    head: Sequence[Line]
    body: Sequence[Line]
    foot: Sequence[Line]


class _Seen(NamedTuple):
    """A line at the edge of a page."""

    page: int
    line: Line
    numbers: tuple[int, ...]


def separate(pages: Sequence[Sequence[Line]]) -> list[PageParts]:
    """The lines of each page, in reading order, separated into heads, text and feet."""
    heights = [sorted(lines, key=_BOTTOM, reverse=True) for lines in pages]
    heads = _running([_edge(lines[: _EDGE_LINES + 1]) for lines in heights])
    feet = _running([_edge(lines[: -_EDGE_LINES - 2 : -1]) for lines in heights])
    return [
        _parts(lines, heads.get(number, ()), feet.get(number, ())[::-1])
        for number, lines in enumerate(pages)
    ]


def _parts(lines: Sequence[Line], head: Sequence[Line], foot: Sequence[Line]) -> PageParts:
    if len(head) + len(foot) >= len(lines):
        # The whole page repeats: then the larger part is its text.
        head, foot = (head, ()) if len(head) < len(foot) else ((), foot)
    if not head and not foot:
        return PageParts((), lines, ())
    apart = {id(line) for line in (*head, *foot)}
    return PageParts(head, [line for line in lines if id(line) not in apart], foot)


def _edge(lines: Sequence[Line]) -> Sequence[Line]:
    """Of lines from the edge inwards, those before the first large gap."""
    for count in range(1, len(lines)):
        one, two = lines[count - 1 : count + 1]
        if abs(one.bottom - two.bottom) > _APART * max(one.top - one.bottom, two.top - two.bottom):
            return lines[:count]
    return ()


def _running(edges: Sequence[Sequence[Line]]) -> dict[int, Sequence[Line]]:
    """By page, the lines at its edge if all of them repeat."""
    alike: dict[str, list[_Seen]] = defaultdict(list)
    for page, lines in enumerate(edges):
        for line in lines:
            words = line.text.lower()
            numbers = tuple(_value(number) for number in _NUMBER.findall(words))
            alike[_NUMBER.sub("\0", words)].append(_Seen(page, line, numbers))
    running = {
        id(seen.line)
        for places in alike.values()
        if len(places) >= _MIN_PAGES
        for run in _runs(places)
        if len(run) >= _MIN_PAGES
        for seen in run
    }
    return {
        page: lines
        for page, lines in enumerate(edges)
        if lines and all(id(line) in running for line in lines)
    }


def _value(number: str) -> int:
    """The value of a number in digits or of a Roman numeral."""
    if number.isdecimal():
        return int(number)
    values = [_ROMAN[letter] for letter in number]
    return sum(
        -one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True)
    )


def _runs(places: Iterable[_Seen]) -> Iterator[list[_Seen]]:
    """Occurrences on pages close to each other, in groups."""
    run: list[_Seen] = []
    for place in places:
        if run and not _repeats(run[-1], place):
            yield run
            run = []
        run.append(place)
    yield run


def _repeats(one: _Seen, two: _Seen) -> bool:
    pages = two.page - one.page
    counted = any(b - a == pages for a, b in zip(one.numbers, two.numbers, strict=True))
    return (
        0 < pages <= _NEXT_WITHIN
        and abs(two.line.bottom - one.line.bottom) < _SAME_HEIGHT
        and (counted or one.numbers == two.numbers)
    )
