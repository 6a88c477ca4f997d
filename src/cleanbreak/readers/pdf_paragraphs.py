"""Lines of a page into paragraphs: what stands between one line and the next.

A full line goes on into the next one. A line that could have taken the next line's first word was
ended on purpose, as lines of verse, lists, headings and addresses are, and stays a line. A blank
line parts paragraphs: where the page leaves more white than it does between most lines, where the
letters change in size, and where a line is set in or out after one that closes something.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from statistics import median
from typing import NamedTuple

from cleanbreak.readers.pdf_page import BREAK, Line

PARAGRAPH = "\n\n"
LINE = "\n"

_MORE_WHITE = 1.3
"""Of the usual distance between lines: what is more parts paragraphs."""
_USUAL_LEADING = 1.2
"""Heights of a line between lines that are too few to tell what is usual."""
_INDENT = 0.8
"""Heights of a line."""
_SIZE_STEP = 1.35
"""Of the heights of two lines: fonts of one size differ by less."""
_LOOSE = 1.6
"""Of the usual width of a letter: a line whose letters seem so wide holds white, as a table's row does."""
_CLOSING = frozenset(".!?:;…。！？：」』”’\"'»)]؟۔।॥።։")
_HYPHENS = frozenset("-\u00ad\u2010")
_BULLETS = frozenset("•◦▪▫‣⁃●○■□*·")
_LEADERS = ("....", ". . .", "…………")


class _Usual(NamedTuple):
    """What most lines of a column have in common."""

    left: float
    right: float
    leading: float
    letter: float


def joined(lines: Sequence[Line], after: str = "") -> Iterator[str]:
    """The lines in reading order, each with what stands after it; `after` stands after the last.

    `BREAK` stands for a hyphen between the halves of a word.
    """
    for line, separator in zip(lines, chain(separators(lines), (after,)), strict=True):
        yield whole(line, separator) + separator


def whole(line: Line, separator: str) -> str:
    """The text of a line, with its hyphen where that breaks no word after all."""
    if separator == BREAK:
        return line.text if line.broken else line.text[:-1]
    return f"{line.text}-" if line.broken else line.text


def separators(lines: Sequence[Line]) -> Iterator[str]:
    """What stands after each line but the last: nothing, a space, `LINE`, `PARAGRAPH` or `BREAK`."""
    tops = [number for number, (one, two) in enumerate(pairwise(lines), 1) if two.bottom > one.top]
    for start, end in pairwise([0, *tops, len(lines)]):
        if start:
            yield across(lines[start - 1], lines[start])
        yield from _within(lines[start:end])


def across(one: Line, two: Line) -> str:
    """What stands between the last line of a column or page and the first of the next."""
    goes_on = two.text[0].islower()
    if goes_on and (one.broken or _hyphenated(one.text)):
        return BREAK
    if goes_on and one.text[-1] not in _CLOSING:
        return " "
    return PARAGRAPH


def _within(column: Sequence[Line]) -> Iterator[str]:
    if len(column) < 2:
        return
    usual = _usual(column)
    before = column[0]
    for one, two in pairwise(column):
        yield _between(before, one, two, usual)
        before = one


def _between(before: Line, one: Line, two: Line, usual: _Usual) -> str:
    height = two.top - two.bottom
    other = one.top - one.bottom
    white = one.bottom - two.bottom
    if white > _MORE_WHITE * max(usual.leading, min(height, other)):
        return PARAGRAPH
    if one.broken or (_hyphenated(one.text) and two.text[0].islower()):
        return BREAK
    text = two.text
    length = len(text)
    if (
        (height > _SIZE_STEP * other or other > _SIZE_STEP * height)
        and length > 3
        and len(one.text) > 3
    ):
        return PARAGRAPH
    last, first = one.text[-1], text[0]
    word = 1 if _unspaced(first) else text.find(" ")
    letter = (two.right - two.left) / length
    ended = one.right + letter * (1 + (word if word > 0 else length)) < usual.right
    if (ended or last in _CLOSING) and _set_apart(before, one, two, usual.left, _INDENT * height):
        return PARAGRAPH
    if ended or first in _BULLETS or _is_row(one, usual.letter):
        return LINE
    if last in "-—" or last >= "\u0e00":
        return _tight(one.text, first)
    return " "


def _usual(column: Sequence[Line]) -> _Usual:
    count = len(column)
    steps = [one.bottom - two.bottom for one, two in pairwise(column)]
    height = median(line.top - line.bottom for line in column)
    return _Usual(
        # First lines of paragraphs are set in, and in talk there are many; so not the middle one.
        left=sorted(line.left for line in column)[count // 4],
        # Headings and long words stick out; in verse no two lines end alike.
        right=sorted(line.right for line in column)[min(count - 1, count * 4 // 5)],
        leading=median(steps) if len(steps) > 3 else _USUAL_LEADING * height,
        letter=median((line.right - line.left) / len(line.text) for line in column),
    )


def _set_apart(before: Line, one: Line, two: Line, margin: float, indent: float) -> bool:
    """Whether `two` is set in further than `one`, or goes back to the margin after lines set in."""
    if two.left > margin + indent:
        return two.left > one.left + indent
    return one.left > margin + indent and abs(before.left - one.left) < indent and before is not one


def _is_row(line: Line, letter: float) -> bool:
    """Whether a full line is one of a table's, or of contents with leaders."""
    if line.right - line.left > _LOOSE * letter * len(line.text):
        return True
    return any(leaders in line.text for leaders in _LEADERS)


def _hyphenated(text: str) -> bool:
    return text[-1] in _HYPHENS and len(text) > 1 and text[-2].isalpha()


def _tight(text: str, first: str) -> str:
    """Between full lines of scripts without spaces, and after dashes that no space precedes."""
    last = text[-1]
    if last == "—":
        return " " if text[-2:-1] == " " else ""
    if last == "-":
        return "" if text[-2:-1].isdigit() and first.isdigit() else " "
    return "" if _unspaced(last) and _unspaced(first) else " "


def _unspaced(char: str) -> bool:
    """Whether it belongs to a script that puts no spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""
    return char >= "\u0e00" and (
        "\u2e80" <= char <= "\ua4cf"
        or "\uf900" <= char <= "\ufaff"
        or "\uff00" <= char <= "\uffef"
        or "\u0e00" <= char <= "\u0eff"
        or "\u1000" <= char <= "\u109f"
        or "\u1780" <= char <= "\u17ff"
        or char >= "\U00020000"
    )
