"""Running heads and feet: lines at the edge of pages that come again and again.

A line is one if

- it is among the highest or lowest of its page, and more white parts it from the text than parts
  lines of a paragraph;
- the same words stand at the same height on pages close by, at least three in all; and
- its numbers are the same there too, or one counts the pages: "Chapter 2" over a chapter is none.

A page's only lines are its text, whatever they repeat.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from cleanbreak.readers.pdf.page import Line

# Lines at an edge that may run: a head with its page number apart, and one below.
_EDGE_LINES = 3
_MIN_PAGES = 3
# Pages to the next occurrence: heads of left and right pages alternate, and chapters start
# without.
_NEXT_WITHIN = 4
# Points.
_SAME_HEIGHT = 6.0
# Heights of a line from line to line; lines of a paragraph are mostly closer.
_APART = 1.3
_NUMBER = re.compile(r"\d{1,9}|\b[ivxlc]{1,9}\b")
_BOTTOM = attrgetter("bottom")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class Parts(NamedTuple):
    """The lines of a page: running heads, text, running feet."""

    head: Sequence[Line]
    body: Sequence[Line]
    foot: Sequence[Line]


class _Seen(NamedTuple):
    """A line at the edge of a page."""

    page: int
    line: Line
    numbers: tuple[int, ...]


def part(pages: Sequence[Sequence[Line]]) -> list[Parts]:
    """Each page's lines, in reading order, parted into heads, text and feet."""
    heights = [sorted(lines, key=_BOTTOM, reverse=True) for lines in pages]
    heads = _running([_edge(lines[: _EDGE_LINES + 1]) for lines in heights])
    feet = _running([_edge(lines[: -_EDGE_LINES - 2 : -1]) for lines in heights])
    return [
        _parts(lines, heads.get(number, ()), feet.get(number, ())[::-1])
        for number, lines in enumerate(pages)
    ]


def _parts(lines: Sequence[Line], head: Sequence[Line], foot: Sequence[Line]) -> Parts:
    if len(head) + len(foot) >= len(lines):
        # All of the page repeats: then its text is the larger part.
        head, foot = (head, ()) if len(head) < len(foot) else ((), foot)
    if not head and not foot:
        return Parts((), lines, ())
    apart = {id(line) for line in (*head, *foot)}
    return Parts(head, [line for line in lines if id(line) not in apart], foot)


def _edge(lines: Sequence[Line]) -> Sequence[Line]:
    """Of lines from the edge inwards, those apart from what follows them."""
    for count in range(1, len(lines)):
        one, two = lines[count - 1 : count + 1]
        if abs(one.bottom - two.bottom) > _APART * max(one.top - one.bottom, two.top - two.bottom):
            return lines[:count]
    return ()


def _running(edges: Sequence[Sequence[Line]]) -> dict[int, Sequence[Line]]:
    """By page, the lines at its edge if all of them run."""
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
    """Of digits or a Roman numeral."""
    if number.isdecimal():
        return int(number)
    values = [_ROMAN[letter] for letter in number]
    return sum(
        -one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True)
    )


def _runs(places: Iterable[_Seen]) -> Iterator[list[_Seen]]:
    """Occurrences that follow each other closely, each like the one before."""
    run: list[_Seen] = []
    for place in places:
        if run and not _goes_on(run[-1], place):
            yield run
            run = []
        run.append(place)
    yield run


def _goes_on(one: _Seen, two: _Seen) -> bool:
    pages = two.page - one.page
    counted = any(b - a == pages for a, b in zip(one.numbers, two.numbers, strict=True))
    return (
        0 < pages <= _NEXT_WITHIN
        and abs(two.line.bottom - one.line.bottom) < _SAME_HEIGHT
        and (counted or one.numbers == two.numbers)
    )
