"""The boxes of characters, read in bulk, upright on a turned page too."""

from collections.abc import Iterator, Sequence
from ctypes import PYFUNCTYPE, addressof, c_double, c_float, c_int, c_void_p, cast, sizeof
from operator import le
from typing import Any

import pypdfium2.raw as pdfium

from cleanbreak.readers.pdf.line import Boxed


def fast(function: Any, *arguments: type) -> Any:
    """A function of PDFium that takes addresses as numbers, and does not release Python's lock.

    To convert typed pointers and to release the lock takes longer than such a short call itself,
    and there are two calls for each line.
    """
    return PYFUNCTYPE(c_int, *arguments)(cast(function, c_void_p).value or 0)


_loose_box = fast(pdfium.FPDFText_GetLooseCharBox, c_void_p, c_int, c_void_p)
_run_box = fast(pdfium.FPDFText_GetRect, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p)
_BOX = sizeof(pdfium.FS_RECTF)
_DOUBLE = sizeof(c_double)
# Runs whose boxes are read at once.
_MOST_RUNS = 64
_RUNS = (c_double * (4 * _MOST_RUNS))()
_RUNS_AT = addressof(_RUNS)
# Lines whose boxes there is memory for at first; most pages have fewer.
_FIRST_CAPACITY = 256
_ONE = (c_float * 4)()
_ONE_AT = addressof(_ONE)

Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in points."""


def upright(turn: int, left: float, bottom: float, right: float, top: float) -> Box:
    """The box after the page is turned so that text turned `turn` times to the left is upright."""
    if turn == 1:
        return bottom, -right, top, -left
    if turn == 2:
        return -right, -top, -left, -bottom
    if turn == 3:
        return -top, left, -bottom, right
    return left, bottom, right, top


def box_of(page: int, place: int, turn: int) -> Box:
    """The box of the character at this place in PDFium's list."""
    _loose_box(page, place, _ONE_AT)
    left, top, right, bottom = _ONE
    return upright(turn, left, bottom, right, top)


def run_boxes(page: int, start: int, count: int, turn: int) -> list[Box]:
    """The boxes of runs of text, at most `_MOST_RUNS` from a number on; PDFium has counted them."""
    count = min(count, _MOST_RUNS)
    place = _RUNS_AT
    for number in range(start, start + count):
        # PDFium writes left, top, right and bottom.
        _run_box(page, number, place, place + 3 * _DOUBLE, place + 2 * _DOUBLE, place + _DOUBLE)
        place += 4 * _DOUBLE
    values = iter(_RUNS[: 4 * count])
    boxes = list(zip(values, values, values, values, strict=True))
    return [upright(turn, *box) for box in boxes] if turn else boxes


class _Edges:
    """Reads the boxes of many characters into memory that is used again."""

    def __init__(self) -> None:
        self._grow(_FIRST_CAPACITY)

    def read(
        self,
        page: int,
        texts: Sequence[str],
        firsts: Sequence[int],
        lasts: Sequence[int],
        turn: int,
    ) -> Iterator[Boxed]:
        """The texts with their boxes, from the indexes of their first and last characters."""
        count = len(texts)
        if count > self._capacity:
            self._grow(2 * count)
        start, middle, end = (self._address + count * size for size in (0, _BOX, 2 * _BOX))
        for place, box in zip(firsts, range(start, middle, _BOX), strict=True):
            _loose_box(page, place, box)
        for place, box in zip(lasts, range(middle, end, _BOX), strict=True):
            _loose_box(page, place, box)
        values = self._values[: 8 * count].tolist()
        half = 4 * count
        if turn:
            return _turned(texts, values, turn)
        lefts, rights = values[:half:4], values[half + 2 :: 4]
        if not all(map(le, lefts, rights)):
            # In text written from the right the first character is the rightmost.
            lefts = list(map(min, lefts, values[half::4]))
            rights = list(map(max, rights, values[2:half:4]))
        return zip(texts, lefts, rights, values[3:half:4], values[1:half:4], strict=True)

    def _grow(self, capacity: int) -> None:
        boxes = (pdfium.FS_RECTF * (2 * capacity))()
        self._capacity = capacity
        self._address = addressof(boxes)
        self._values = memoryview(boxes).cast("B").cast("f")


def _turned(texts: Sequence[str], values: Sequence[float], turn: int) -> Iterator[Boxed]:
    """The texts with their boxes on a turned page, from left, top, right and bottom of each."""
    boxes = [
        upright(turn, left, bottom, right, top)
        for left, top, right, bottom in zip(*(values[edge::4] for edge in range(4)), strict=True)
    ]
    half = len(texts)
    for text, first, last in zip(texts, boxes[:half], boxes[half:], strict=True):
        yield text, min(first[0], last[0]), max(first[2], last[2]), first[1], first[3]


# Shared by all files, as only one is open at a time.
EDGES = _Edges()
