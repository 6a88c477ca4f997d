"""Raised numbers: powers and the marks of notes, which PDFium writes as if they stood on the line.

A power gets a caret (`10^6`, `x^2`), and the mark of a note brackets (`before [14]`, `said.[3]`), so
that neither is read as part of the number or word before it. Only numbers whose letters are smaller
and higher are looked at; sunken ones, as in H2O, stay as they are.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cleanbreak.readers.pdf.line import BREAK, Line, on_one_row
from cleanbreak.readers.powers import SEEN, signs_around

# To look for what is before a number in the pattern too would take ten times as long.
_NUMBER = re.compile(r"[0-9][0-9,–−-]*")
# A digit, or the letter of a unit or a variable.
_HAS_MINUS = re.compile(r"[0-9a-zα-ω]")
_JOINTS = ",–−-"
_MINUS = frozenset("-−–")
_RAISED = re.compile(r"[-−–]?\d{1,3}(?:[,–-] ?\d{1,3})*")
# Ratio of heights: a raised number is smaller than the letter before it.
_SMALLER = 0.88
# Share of the height of the letter before it by which a raised number is higher.
_HIGHER = 0.08
_SLASHES = "/⁄"

Box = tuple[float, float]
"""The bottom and top of a character."""


class Insertion(NamedTuple):
    """Signs to write before the raised characters from `start`, and after them, at `end`."""

    start: int
    end: int
    before: str
    after: str


def insertions(text: str, box: Callable[[int], Box]) -> Iterator[Insertion]:
    """What to write around the raised numbers of a page, from the boxes of its characters."""
    usual = 0.0  # the height of a number that is not raised: most have it
    for match in _NUMBER.finditer(text):
        start = match.start()
        end = start + len(match[0].rstrip(_JOINTS))
        before = text[start - 1] if start else " "
        # After a capital it is mostly a hyphen, as in the names of forms.
        if before in _MINUS and _HAS_MINUS.match(text, start - 2):
            start -= 1
        elif before.isspace() or before == BREAK:
            if end - start < 2:
                continue
            start += 1
        last = box(end - 1)
        if last[1] - last[0] == usual:
            continue
        base = box(start - 1)
        if not _is_raised(base, last):
            # A minus may be raised as the number behind it is.
            if before not in _MINUS and last[1] - last[0] >= base[1] - base[0]:
                usual = last[1] - last[0]
            continue
        while not _is_raised(base, box(start)):
            start += 1
        before, after = _signs(text[max(0, start - SEEN) : start], text[end : end + 3].lstrip()[:1])
        if before:
            yield Insertion(start, end, before, after)


def _is_raised(base: Box, box: Box) -> bool:
    height = base[1] - base[0]
    return box[1] - box[0] < _SMALLER * height and box[0] - base[0] > _HIGHER * height


def _signs(text: str, following: str) -> tuple[str, str]:
    """What to write before and after a raised number between these texts; nothing in a formula."""
    if following in _SLASHES and following:
        return (" ", "") if text[-1].isdigit() else ("", "")
    return signs_around(text)


def merged(lines: Sequence[Line]) -> list[Line]:
    """The lines with each raised number that PDFium took for a line at the end of the one before."""
    kept: list[Line] = []
    for line in lines:
        if kept and line.text[-1].isdigit() and _RAISED.fullmatch(line.text):
            one = kept[-1]
            before, after = _signs(one.text[-SEEN:], "")
            near = line.left - one.right < one.top - one.bottom
            if (
                before
                and near
                and on_one_row(one, line)
                and _is_raised((one.bottom, one.top), (line.bottom, line.top))
            ):
                kept[-1] = one._replace(
                    text=f"{one.text}{before}{line.text}{after}", right=line.right
                )
                continue
        kept.append(line)
    return kept
