"""Running heads and feet: lines at the edge of pages that repeat.

A line is one if

- it is among the highest or lowest of its page, and there is more white between it and the text
  than between the lines of a paragraph;
- the same words are at the same height on at least three pages close to each other; and
- its numbers are the same on these pages, or one of them counts the pages. So "Chapter 2" above a
  chapter is not one.

So is a line at the same height that starts or ends with the number of its page. If there is white
between lines that are one and further lines, these are looked at too.

If a page has no other lines, they are its text, even if they repeat.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile
from operator import attrgetter
from typing import NamedTuple

from cleanbreak.readers.pdf.line import CELL, Line

# Lines at an edge that may be running: a head, its page number on its own, a publisher's lines.
_EDGE_LINES = 5
_MIN_PAGES = 3
# Pages to the next occurrence: left and right pages have different heads, and on the first page of a
# chapter there is none.
_NEXT_WITHIN = 4
# Points: the same words further from each other are not a repetition.
_SAME_HEIGHT = 6.0
# Heights of a line from one line to the next; lines of a paragraph are mostly closer.
_APART = 1.3
_NUMBER = re.compile(r"(\d{1,9}|\b[ivxlc]{1,9}\b)")
_AT_AN_END = re.compile(r"^\d+\b|\b\d+$")
_BOTTOM = attrgetter("bottom")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


Band = Sequence[Line]
"""Lines at the edge of a page with white on both sides, from the edge inwards."""


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
    heads = _running([_bands(lines[: _EDGE_LINES + 1]) for lines in heights])
    feet = _running([_bands(lines[: -_EDGE_LINES - 2 : -1]) for lines in heights])
    return [_parts(*page) for page in zip(pages, heads, feet, strict=True)]


def _parts(lines: Sequence[Line], heads: list[Band], feet: list[Band]) -> PageParts:
    # More bands than one at an edge are believed only if most lines of the page are its text.
    while 2 * (_count(heads) + _count(feet)) > len(lines) and max(len(heads), len(feet)) > 1:
        (heads if len(heads) > len(feet) else feet).pop()
    if _count(heads) + _count(feet) >= len(lines):
        # The whole page repeats: then the larger part is its text.
        heads, feet = (heads, []) if _count(heads) < _count(feet) else ([], feet)
    if not heads and not feet:
        return PageParts((), lines, ())
    head = list(chain.from_iterable(heads))
    foot = list(chain.from_iterable(feet))[::-1]
    apart = {id(line) for line in (*head, *foot)}
    return PageParts(head, [line for line in lines if id(line) not in apart], foot)


def _count(bands: Iterable[Band]) -> int:
    return sum(map(len, bands))


def _bands(lines: Sequence[Line]) -> list[Band]:
    """Of lines from the edge inwards, those before each large gap."""
    bands = []
    start = 0
    for end in range(1, len(lines)):
        one, two = lines[end - 1 : end + 1]
        if abs(one.bottom - two.bottom) > _APART * max(one.top - one.bottom, two.top - two.bottom):
            bands.append(lines[start:end])
            start = end
    return bands


def _running(edges: Sequence[Sequence[Band]]) -> list[list[Band]]:
    """The bands at the edge of each page, up to the first that does not repeat."""
    alike: dict[str, list[_Seen]] = defaultdict(list)
    for page, bands in enumerate(edges):
        for line in chain.from_iterable(bands):
            words = line.text.lower().replace(CELL, " ")
            pieces = _NUMBER.split(words)
            numbers = tuple(map(_value, pieces[1::2]))
            alike["\0".join(pieces[::2])].append(_Seen(page, line, numbers))
    repeated = [
        seen
        for places in alike.values()
        if len(places) >= _MIN_PAGES
        for run in _runs(places)
        if len(run) >= _MIN_PAGES
        for seen in run
    ]
    running = {id(seen.line) for seen in repeated}
    running |= _numbered(chain.from_iterable(alike.values()), repeated)
    return [
        list(takewhile(lambda band: all(id(line) in running for line in band), bands))
        for bands in edges
    ]


def _numbered(seen: Iterable[_Seen], repeated: Iterable[_Seen]) -> set[int]:
    """Lines with the number of their page, at the height of those that repeat on pages near them.

    So a head with the title of a chapter of one page is found too.
    """
    near = {
        (page, number - one.page, round(one.line.bottom / _SAME_HEIGHT))
        for one in repeated
        for number in one.numbers
        for page in range(one.page - _NEXT_WITHIN, one.page + _NEXT_WITHIN + 1)
    }
    if not near:
        return set()
    return {
        id(one.line)
        for one in seen
        if _AT_AN_END.search(one.line.text)
        for number in {*one.numbers[:1], *one.numbers[-1:]}
        if (one.page, number - one.page, round(one.line.bottom / _SAME_HEIGHT)) in near
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
