"""Lines of a page into paragraphs: what to write between one line and the next.

A full line continues in the next one. A line with room for the first word of the next one was ended
on purpose, like lines of verse, lists, headings and addresses, and stays a line. There is a blank
line between paragraphs: where the page has more white than between most lines, where the letters
change in size, and where the indent changes after a line that closes a sentence or was ended on
purpose.
"""

import re
from collections.abc import Iterator, Sequence
from math import inf
from operator import sub, truediv
from typing import NamedTuple

from cleanbreak.readers.pdf.direction import from_left
from cleanbreak.readers.pdf.line import BREAK, CELL, Line, on_one_row

PARAGRAPH = "\n\n"
LINE = "\n"

# Heights of a line: a narrower gap between two lines on one row is not a space.
_SPACE = 0.15
# Times the usual distance between lines: a larger distance separates paragraphs.
_MORE_WHITE = 1.3
# Heights of a line: lines are not closer to each other; pieces of formulas are.
_CLOSEST = 0.8
# Share of all distances between lines that have about one size for it to be common.
_COMMON = 0.15
# Lines that must all start with a capital to be verse or a list.
_VERSE = 4
# Heights of a line: distances that differ by less are the same.
_SAME_STEP = 0.05
# Heights of a line: the usual distance if there are too few lines to measure it.
_USUAL_LEADING = 1.2
# Heights of a line: a line that starts further right is indented.
_INDENT = 0.8
# Ratio of the heights of two lines: fonts of one size differ by less.
_SIZE_STEP = 1.35
# Times the usual width of a letter: a line whose letters are wider on average contains gaps, as a row
# of a table does.
_LOOSE = 1.6
_CLOSING = frozenset(".!?:;…。！？：」』”’\"'»)]؟۔।॥።։")
# What may follow the sign that ends a sentence.
_CLOSERS = "」』”’\"'»)]"
_TERMINATORS = frozenset(".!?…。！？؟۔।॥።")
_HYPHENS = frozenset(f"-\u2010{BREAK}")
# The start of an item of a list.
_MARKER = re.compile(r"(?:[a-z]|[ivx]{1,5})[.)] ")
_BULLETS = frozenset("•◦▪▫‣⁃●○■□·")


class _Usual(NamedTuple):
    """What is usual in a column. ``verse``: there are several lines and all start with a capital."""

    left: float
    right: float
    leading: float
    letter: float
    verse: bool


def joined(lines: Sequence[Line], after: Sequence[str]) -> Iterator[str]:
    """The lines, each with what separates it from the next; `after` is that, also for the last.

    `BREAK` is a hyphen between the halves of a word.
    """
    for line, separator in zip(lines, after, strict=True):
        text = line.text
        if CELL in text:
            text = text.replace(CELL, " ")
        if separator == BREAK:
            yield text if text[-1] == BREAK else text[:-1] + BREAK
        elif text[-1] == BREAK:
            yield f"{text[:-1]}-{separator}"
        else:
            yield text + separator


def separators(lines: Sequence[Line]) -> list[str]:
    """What follows each line except the last: nothing, a space, `LINE`, `PARAGRAPH` or `BREAK`."""
    found: list[str] = []
    start = 0
    for end in (*_column_tops(lines), len(lines)):
        if start:
            one, two = lines[start - 1], lines[start]
            # Stricter than over a page turn, as what a page has beside each other may be unrelated.
            found.append(PARAGRAPH if one.text[-1] in _CLOSING else across(one, two))
        found += _within(lines[start:end] if end - start < len(lines) else lines)
        start = end
    return found


def across(one: Line, two: Line) -> str:
    """What separates the last line of a page from the first of the next.

    A paragraph continues if the next line starts in lower case. After a full stop that is no proof:
    lists and code start so too.
    """
    if not two.text[0].islower():
        return PARAGRAPH
    if _hyphenated(one.text):
        return BREAK
    closed = one.text.rstrip(_CLOSERS)
    if not closed or _MARKER.match(two.text):
        return PARAGRAPH
    # "Oh!" she said: a quotation ends, and not the sentence.
    if closed[-1] in _TERMINATORS and (closed[-1] == "." or len(closed) == len(one.text)):
        return PARAGRAPH
    return _joint(one.text, two.text[0])


def full_across(page: Sequence[Line], following: Sequence[Line]) -> str:
    """What separates two pages if the first line of the second does not start in lower case.

    A paragraph continues if its last line is full and unfinished, as nothing but the edge of the
    column ended it, and if the next line is not indented and is full too, as in prose.
    """
    column = from_left(page[max(_column_tops(page), default=0) :])
    below = from_left(following[: next(_column_tops(following), len(following))])
    if len(column) < 2 or len(below) < 2:
        return PARAGRAPH
    one, two = column[-1], below[0]
    height, height2 = one.top - one.bottom, two.top - two.bottom
    if abs(height - height2) > _SAME_STEP * height or one.text[-1] in _CLOSING:
        return PARAGRAPH
    usual, usual2 = _usual(column), _usual(below)
    prose = not (usual.verse or usual2.verse or two.text[0] in _BULLETS)
    if not prose or two.left > usual2.left + _INDENT * height2 or _is_row(one, one, usual.letter):
        return PARAGRAPH
    full = one.right + usual.letter * (first_word(two.text) + 1) >= usual.right
    full2 = two.right + usual2.letter * (first_word(below[1].text) + 1) >= usual2.right
    unfinished = one.text[-1].islower() or one.text[-1] == "," or is_unspaced(one.text[-1])
    if not (full and full2 and unfinished):
        return PARAGRAPH
    return _joint(one.text, two.text[0])


def _column_tops(lines: Sequence[Line]) -> Iterator[int]:
    """The numbers of the lines that are above the line before them."""
    floor = inf
    for number, (_, _, _, bottom, top) in enumerate(lines):
        if bottom > floor:
            yield number
        floor = top


def _within(column: Sequence[Line]) -> list[str]:
    if len(column) < 2:
        return []
    column = from_left(column)
    usual = _usual(column)
    edge, letter = usual.right, usual.letter
    wide = _LOOSE * letter
    more = _MORE_WHITE * usual.leading
    plain = not usual.verse
    found = []
    before = one = column[0]
    text, left, right, bottom, top = one
    for two in column[1:]:
        text2, left2, right2, bottom2, top2 = two
        if (
            plain
            and right + letter * (text2.find(" ") + 1) >= edge
            and bottom - bottom2 < more
            and 0 < top - bottom == top2 - bottom2 < 2 * (bottom - bottom2)
            and right - left < wide * len(text)
            and "a" <= text[-1] <= "z"
            and text2[0] < "\x7f"
            and CELL not in text
            and CELL not in text2
        ):
            found.append(" ")  # what `_between` would return, for most lines of prose
        else:
            found.append(_between(before, one, two, usual))
        before = one
        one = two
        text, left, right, bottom, top = text2, left2, right2, bottom2, top2
    return found


def _between(before: Line, one: Line, two: Line, usual: _Usual) -> str:
    _, _, right, bottom, top = one
    text, left2, right2, bottom2, top2 = two
    height, height2 = top - bottom, top2 - bottom2
    low, high = (height, height2) if height < height2 else (height2, height)
    white = bottom - bottom2
    if white < high and on_one_row(one, two):
        return " " if left2 - right > _SPACE * high else ""
    if white > _MORE_WHITE * usual.leading and white > _MORE_WHITE * low:
        return PARAGRAPH
    last, first = one.text[-1], text[0]
    if last in _HYPHENS and (last == BREAK or (first.islower() and _hyphenated(one.text))):
        return BREAK
    length = len(text)
    if high > _SIZE_STEP * low and length > 3 and len(one.text) > 3:
        return PARAGRAPH
    letter = usual.letter
    ended = right + letter * (first_word(text) + 1) < usual.right
    # In a block with a right indent two lines end at the same place: neither was ended on purpose.
    if ended and (
        abs(right - right2) < letter / 2
        or (before is not one and abs(right - before.right) < letter / 2)
    ):
        ended = False
    if (ended or last in _CLOSING) and _set_apart(before, one, two, usual.left, _INDENT * height2):
        return PARAGRAPH
    if ended or usual.verse or first in _BULLETS or _is_row(before, one, usual.letter):
        return LINE
    if CELL in text and CELL not in one.text:
        return LINE
    if last in "-—" or last >= "\u0e00":
        return _joint(one.text, first)
    return " "


def first_word(text: str) -> int:
    """Letters of the first word. A script without spaces may break a line after any letter."""
    if is_unspaced(text[0]):
        return 1
    end = text.find(" ")
    return end if end > 0 else len(text)


def _usual(column: Sequence[Line]) -> _Usual:
    count = len(column)
    middle = count // 2
    texts, lefts, rights, bottoms, tops = zip(*column, strict=True)
    height = sorted(map(sub, tops, bottoms))[middle]
    steps = sorted(step for step in map(sub, bottoms, bottoms[1:]) if step > _CLOSEST * height)
    widths = map(sub, rights, lefts)
    return _Usual(
        # First lines of paragraphs are indented, and in dialogue there are many: so not the median.
        left=sorted(lefts)[count // 4],
        # Headings and long words are wider; in verse no two lines end at the same place.
        right=sorted(rights)[min(count - 1, count * 4 // 5)],
        leading=_leading(steps, height),
        letter=sorted(map(truediv, widths, map(len, texts)))[middle],
        verse=count >= _VERSE and all(text[0].isupper() for text in texts),
    )


def _leading(steps: Sequence[float], height: float) -> float:
    """The smallest of the sorted distances that is common; in dialogue a larger one may be commoner."""
    if len(steps) < 4:
        return _USUAL_LEADING * height
    start = 0
    for end in range(1, len(steps) + 1):
        if end == len(steps) or steps[end] > steps[start] + _SAME_STEP * height:
            if end - start >= _COMMON * len(steps):
                return steps[end - 1]
            start = end
    return steps[len(steps) // 2]


def _set_apart(before: Line, one: Line, two: Line, margin: float, indent: float) -> bool:
    """Whether `two` is indented more than `one`, or back at the margin after indented lines."""
    if two.left > margin + indent:
        return two.left > one.left + indent
    return one.left > margin + indent and abs(before.left - one.left) < indent and before is not one


def _is_row(before: Line, line: Line, letter: float) -> bool:
    """Whether a full line ends a row of a table, or of a table of contents with leaders."""
    text = line.text
    if CELL in text:
        return True
    if line.right - line.left > _LOOSE * letter * len(text):
        return True
    if on_one_row(before, line) and line.left - before.right > line.top - line.bottom:
        return True
    return "...." in text or ". . ." in text


def _hyphenated(text: str) -> bool:
    return text[-1] in _HYPHENS and len(text) > 1 and text[-2].isalpha()


def _joint(text: str, first: str) -> str:
    """What joins full lines after a dash or in a script without spaces: a space or nothing."""
    last = text[-1]
    if last == "—":
        return " " if text[-2:-1] == " " else ""
    if last == "-":
        return "" if text[-2:-1].isdigit() and first.isdigit() else " "
    return "" if is_unspaced(last) and is_unspaced(first) else " "


def is_unspaced(char: str) -> bool:
    """Whether it is of a script without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""
    return char >= "\u0e00" and (
        "\u2e80" <= char <= "\ua4cf"
        or "\uf900" <= char <= "\ufaff"
        or "\uff00" <= char <= "\uffef"
        or "\u0e00" <= char <= "\u0eff"
        or "\u1000" <= char <= "\u109f"
        or "\u1780" <= char <= "\u17ff"
        or char >= "\U00020000"
    )
