"""Page turns: whether a paragraph continues on the next page, and what stands between its halves.

Notes and captions stand at the foot of a page or at the top of the next one while the sentence above
them continues. They come after the paragraph. There must be proof that it continues: without them its
halves fit together, as an unfinished line and one that starts in lower case.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from cleanbreak.readers.pdf.line import Line
from cleanbreak.readers.pdf.paragraphs import PARAGRAPH, across, full_across

# Ratio of the heights of two lines: lines of one paragraph differ by less, notes by more.
_SAME_SIZE = 1.06
# Paragraphs at the edge of a page that may stand between the halves of another. A figure has many.
_MAX_ASIDE = 40
# Share of the width of a line of text: what is written in a figure is narrower.
_LABEL = 0.4
# Letters: a line after a figure is longer, or it is part of the figure.
_MIN_TEXT = 12
_SIGN = re.compile(r"[*†‡§¶]|\[\d{1,3}\]|\(\d{1,3}\)")
_NUMBER = re.compile(r"\d{1,3}(?:[.)]|\b)")
_CAPTION = re.compile(
    r"\[?(?:fig(?:ure)?|table|plate|illustration|photo|map|chart|abb(?:ildung)?|tab(?:elle)?|tafel"
    r"|tableau|planche|figura|tabla|afbeelding|tabel)\b",
    re.IGNORECASE,
)


class Body(NamedTuple):
    """The lines of a page without running heads and feet, and what separates them."""

    lines: Sequence[Line]
    separators: Sequence[str]


class Turn(NamedTuple):
    """What separates the text of a page from that of the next one.

    If it continues, ``tail`` lines at the end of the page and ``head`` lines at the start of the
    next one are not part of it.
    """

    separator: str
    tail: int = 0
    head: int = 0


def turn(page: Body, following: Body) -> Turn:
    """The turn between two pages; each has lines."""
    for head in _heads(following):
        two = following.lines[head]
        if not two.text[0].islower():
            continue
        for tail in _tails(page, two):
            one = page.lines[-1 - tail]
            if (tail or head) and not _same_size(one, two):
                continue
            separator = across(one, two)
            if separator != PARAGRAPH:
                return Turn(separator, tail, head)
    return Turn(full_across(page.lines, following.lines))


def _heads(page: Body) -> Iterator[int]:
    """How many lines at the start of a page may not be part of a paragraph that continues there."""
    yield 0
    if page.lines[0].text[0].islower() and len(page.lines[0].text) >= _MIN_TEXT:
        return
    starts = [0]
    for start in islice(_starts(page, range(1, len(page.lines))), _MAX_ASIDE):
        starts.append(start)
        two = page.lines[start]
        if two.text[0].islower() and len(two.text) >= _MIN_TEXT:
            if all(_is_aside(page.lines[first:end], two) for first, end in pairwise(starts)):
                yield start
            return


def _tails(page: Body, two: Line) -> list[int]:
    """How many lines at the end of a page may not be part of a paragraph that continues in `two`.

    The largest number is first, as the last line of a note may be unfinished too.
    """
    found = [0]
    end = len(page.lines)
    for start in islice(_starts(page, range(end - 1, 0, -1)), _MAX_ASIDE):
        if not _is_aside(page.lines[start:end], two):
            break
        found.insert(0, len(page.lines) - start)
        end = start
    return found


def _starts(page: Body, numbers: Iterable[int]) -> Iterator[int]:
    """Those of these lines, by number and without the first, that start a paragraph or a note."""
    lines, separators = page
    for number in numbers:
        if separators[number - 1] == PARAGRAPH or _starts_note(lines[number - 1], lines[number]):
            yield number


def _starts_note(before: Line, line: Line) -> bool:
    return (
        not line.text[0].isalpha()
        and bool(_SIGN.match(line.text) or _NUMBER.match(line.text))
        and line.top < before.bottom
        and line.top - line.bottom < (before.top - before.bottom) / _SAME_SIZE
    )


def _is_aside(lines: Sequence[Line], two: Line) -> bool:
    """Whether these lines are a note, a caption or words in a figure, and not text like `two`."""
    narrow = _LABEL * (two.right - two.left)
    if all(line.right - line.left < narrow for line in lines):
        return True
    if _CAPTION.match(lines[0].text) or _SIGN.match(lines[0].text):
        return True
    return all(_SAME_SIZE * (line.top - line.bottom) < two.top - two.bottom for line in lines)


def _same_size(one: Line, two: Line) -> bool:
    low, high = sorted((one.top - one.bottom, two.top - two.bottom))
    return high < _SAME_SIZE * low
