"""One page as PDFium gives it: its text in content order, cut into lines with their boxes.

Speed rules here. Plain extraction costs about 1 ms a page, so a call for every character would
double it; two calls a line, for the boxes of its first and last character, add a tenth.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import byref, c_double, c_ushort, pointer
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.readers.controls import clean

BREAK = "\ufffe"
"""PDFium's sign for a hyphen that breaks a word at a line's end."""
_UNKNOWN = "�"
_LINE = re.compile(r"[^\s\ufffe](?:[^\r\n\ufffe]*[^\s\ufffe])?")
_WORD = re.compile(r"[^\s\ufffe]+")
_HYPHEN_CODE = 2
"""What PDFium's list of characters holds where its text has `BREAK` for a hyphen."""


_RUN = tuple(c_double() for _ in range(4))
_RUN_POINTERS = tuple(byref(value) for value in _RUN)


class Line(NamedTuple):
    """A line, or the part of one in its column. Coordinates are points, upwards and rightwards.

    ``bottom`` and ``top`` are those of the font rather than of the ink, so that lines of one
    font compare.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    broken: bool = False
    """A hyphen, which is not in the text, breaks a word at its end."""
    level: bool = True
    """The last character stands as high as the first: not vertical or slanted writing."""


class Page:
    """A loaded page. Usable within `open_page` only."""

    def __init__(self, page: Any, text: Any) -> None:
        self._page = page
        self._text = text
        self.unmapped = 0
        """Glyphs whose character is unknown or breaks stores: U+FFFD in the text."""

    def lines(self) -> list[Line]:
        """The lines that are not blank, in content order."""
        return self._boxed(_LINE)

    def words(self) -> list[Line]:
        """What stands between white space, as `lines`."""
        return self._boxed(_WORD)

    def has_objects(self) -> bool:
        """Whether anything is drawn on the page."""
        return bool(pdfium.FPDFPage_CountObjects(self._page) > 0)

    def count_runs(self) -> int:
        """How often PDFium saw the drawing start anew; at least once a line."""
        return int(pdfium.FPDFText_CountRects(self._text, 0, -1))

    def runs(self, numbers: Iterable[int]) -> Iterator[tuple[float, float, float, float]]:
        """Left, top, right and bottom of runs, by number, after a `count_runs`."""
        read = pdfium.FPDFText_GetRect
        for number in numbers:
            read(self._text, number, *_RUN_POINTERS)
            yield _RUN[0].value, _RUN[1].value, _RUN[2].value, _RUN[3].value

    def _boxed(self, pattern: re.Pattern[str]) -> list[Line]:
        text, places = self._characters
        if not text:
            return []
        spans = [match.span() for match in pattern.finditer(text)]
        firsts = [start if places is None else places[start] for start, _ in spans]
        lasts = [end - 1 if places is None else places[end - 1] for _, end in spans]
        return [
            Line(
                text[start:end],
                min(left2, left),
                max(right2, right),
                bottom,
                top,
                text[end : end + 1] == BREAK,
                bottom2 < top and top2 > bottom,
            )
            for (start, end), (left, top, right, bottom, left2, top2, right2, bottom2) in zip(
                spans, _EDGES.read(self._text, firsts, lasts), strict=True
            )
        ]

    @cached_property
    def _characters(self) -> tuple[str, list[int] | None]:
        """The text, and each character's place in PDFium's list where that is not its offset."""
        count = pdfium.FPDFText_CountChars(self._text)
        if count <= 0:
            return "", None
        buffer = (c_ushort * (count + 1))()
        length = max(0, pdfium.FPDFText_GetText(self._text, 0, count, buffer) - 1)
        units = memoryview(buffer).cast("B")[: 2 * length].tobytes()
        if length < count:
            units = self._with_missing(units, count)
        text = units.decode("utf-16-le", "surrogatepass")
        places = None
        if 2 * len(text) != len(units):
            places = list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))
        if BREAK in text:
            text = self._without_false_breaks(text, places)
        pieces = [clean(piece) for piece in text.split(BREAK)]
        self.unmapped += sum(replaced for _, replaced in pieces)
        return BREAK.join(piece for piece, _ in pieces), places

    def _with_missing(self, units: bytes, count: int) -> bytes:
        """The text with a sign for each glyph that PDFium lists but leaves out."""
        kept = bytearray()
        for place in range(count):
            at = pdfium.FPDFText_GetTextIndexFromCharIndex(self._text, place)
            if at < 0:
                kept += _UNKNOWN.encode("utf-16-le")
                self.unmapped += 1
            else:
                kept += units[2 * at : 2 * at + 2]
        return bytes(kept)

    def _without_false_breaks(self, text: str, places: list[int] | None) -> str:
        """The text with `BREAK` for hyphens only: PDFium writes it for a glyph mapped to NUL too."""
        characters = list(text)
        for offset, char in enumerate(characters):
            if char != BREAK:
                continue
            place = offset if places is None else places[offset]
            if pdfium.FPDFText_GetUnicode(self._text, place) != _HYPHEN_CODE:
                characters[offset] = _UNKNOWN
                self.unmapped += 1
        return "".join(characters)


class _Edges:
    """Reads the boxes of characters in bulk, into memory that is used again.

    The pointers are made once: making them costs more than PDFium's answer.
    """

    def __init__(self) -> None:
        self._pointers: list[Any] = []
        self._values: Any = None

    def read(
        self, text: Any, firsts: Sequence[int], lasts: Sequence[int]
    ) -> Iterable[tuple[float, ...]]:
        """For each line left, top, right, bottom of its first character, then of its last."""
        if 2 * len(firsts) > len(self._pointers):
            self._grow(4 * len(firsts))
        read = pdfium.FPDFText_GetLooseCharBox
        pointers = iter(self._pointers)
        for first, last in zip(firsts, lasts, strict=True):
            read(text, first, next(pointers))
            read(text, last, next(pointers))
        values = iter(self._values[: 8 * len(firsts)])
        return zip(*[values] * 8, strict=True)

    def _grow(self, size: int) -> None:
        boxes = (pdfium.FS_RECTF * size)()
        self._pointers = [pointer(box) for box in boxes]
        self._values = memoryview(boxes).cast("B").cast("f")


_EDGES = _Edges()
"""Shared by all files: only one is open at a time."""


@contextmanager
def open_page(document: Any, index: int) -> Iterator[Page | None]:
    """A page set upright, by its index from 0; None if PDFium cannot load it."""
    page = pdfium.FPDF_LoadPage(document, index)
    if not page:
        yield None
        return
    try:
        # The text of a page turned by /Rotate would otherwise come line by line from its side.
        pdfium.FPDFPage_SetRotation(page, 0)
        text = pdfium.FPDFText_LoadPage(page)
        try:
            yield Page(page, text) if text else None
        finally:
            pdfium.FPDFText_ClosePage(text)
    finally:
        pdfium.FPDF_ClosePage(page)
