"""One page as PDFium gives it: its text in content order, as lines with their boxes.

This is written for speed. Plain extraction takes about 1 ms a page. A call for each character would
double that; two calls for each line, for the boxes of its first and last character, add a tenth.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import PYFUNCTYPE, addressof, c_char, c_double, c_float, c_int, c_void_p, cast, sizeof
from functools import cached_property, partial
from itertools import accumulate, starmap
from operator import le
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.readers.controls import clean
from cleanbreak.readers.pdf.line import BREAK, Boxed, Line
from cleanbreak.readers.pdf.raised import Insertion, insertions, merged

_UNKNOWN = "�"
_UNKNOWN_UNIT = _UNKNOWN.encode("utf-16-le")
_AFTER_BREAK = re.compile(f"(?<={BREAK})")
_WORD = re.compile(r"[^\s\ufffe]+\ufffe?")
# Characters that need to be checked. Most pages have none of them except `BREAK`.
_SPECIAL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
    r"|\r(?!\n)|(?<!\r)\n"
)
# Newlines that are not PDFium's: within a line of a page they can only be glyphs mapped wrongly.
_NEWLINE = re.compile(r"[\x0b\x0c\x85\u2028\u2029]|\r(?!\n)|(?<!\r)\n")
_SOFT_HYPHEN = "\xad"
_ONLY_BREAKS = frozenset(BREAK)
_HYPHENS = frozenset((_SOFT_HYPHEN, BREAK))
# What PDFium's list of characters has where its text has `BREAK` for a hyphen.
_HYPHEN_CODE = 2


def _fast(function: Any, *arguments: type) -> Any:
    """A function of PDFium that takes addresses as numbers, and does not release Python's lock.

    To convert typed pointers and to release the lock takes longer than such a short call itself,
    and there are two calls for each line.
    """
    return PYFUNCTYPE(c_int, *arguments)(cast(function, c_void_p).value or 0)


_loose_box = _fast(pdfium.FPDFText_GetLooseCharBox, c_void_p, c_int, c_void_p)
_run_box = _fast(pdfium.FPDFText_GetRect, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p)
_get_text = _fast(pdfium.FPDFText_GetText, c_void_p, c_int, c_int, c_void_p)
_BOX = sizeof(pdfium.FS_RECTF)
# Lines whose boxes there is memory for at first; most pages have fewer.
_FIRST_CAPACITY = 256
_HEIGHT = (c_float * 4)()
_HEIGHT_AT = addressof(_HEIGHT)
_RUN = (c_double * 4)()
_RUN_EDGES = [addressof(_RUN) + sizeof(c_double) * number for number in range(4)]


class Page:
    """A loaded page. Usable only within `open_page`."""

    def __init__(self, page: Any, text: Any) -> None:
        self._page = page
        self._text = text
        self._address = cast(text, c_void_p).value or 0
        self.unmapped = 0
        """How many glyphs are U+FFFD in the text: unknown characters, or such as break stores."""

    def lines(self) -> list[Line]:
        """The lines that are not blank, in content order."""
        return merged(list(starmap(Line, self._boxed(_lines))))

    def words(self) -> Iterator[Boxed]:
        """The words, in content order. Plain tuples, as there are many."""
        return self._boxed(_words)

    def has_objects(self) -> bool:
        """Whether anything is drawn on the page."""
        return bool(pdfium.FPDFPage_CountObjects(self._page) > 0)

    def count_runs(self) -> int:
        """How many runs of text PDFium found; at least one for each line."""
        return int(pdfium.FPDFText_CountRects(self._text, 0, -1))

    def runs(self, numbers: Iterable[int]) -> Iterator[tuple[float, float, float, float]]:
        """Left, top, right and bottom of the runs with these numbers; call `count_runs` first."""
        one, two, three, four = _RUN_EDGES
        for number in numbers:
            _run_box(self._address, number, one, two, three, four)
            yield tuple(_RUN)

    def _boxed(self, cut: Callable[[str], tuple[list[int], list[str]]]) -> Iterator[Boxed]:
        text, places = self._characters
        firsts, texts = cut(text)
        lasts = [first + len(part) - 1 for first, part in zip(firsts, texts, strict=True)]
        for start, end, before, after in reversed(self._raised):
            number = bisect_right(firsts, start) - 1
            at, part = start - firsts[number], texts[number]
            length = min(end, lasts[number] + 1) - start
            texts[number] = (
                f"{part[:at]}{before}{part[at : at + length]}{after}{part[at + length :]}"
            )
        if places is not None:
            firsts = [places[first] for first in firsts]
            lasts = [places[last] for last in lasts]
        return _EDGES.read(self._address, texts, firsts, lasts)

    @cached_property
    def _raised(self) -> list[Insertion]:
        """What to write around raised numbers."""
        text, places = self._characters
        return list(insertions(text, partial(self._height, places)))

    def _height(self, places: list[int] | None, offset: int) -> tuple[float, float]:
        """Bottom and top of the character at an offset in the text."""
        _loose_box(self._address, offset if places is None else places[offset], _HEIGHT_AT)
        return _HEIGHT[3], _HEIGHT[1]

    @cached_property
    def _characters(self) -> tuple[str, list[int] | None]:
        """The text, and the index of each character in PDFium's list if that is not its offset."""
        count = pdfium.FPDFText_CountChars(self._text)
        if count <= 0:
            return "", None
        # Twice the count: a character beyond the basic plane takes two units. Not an array of
        # ctypes, which would be a new type for each size.
        buffer = bytearray(4 * count + 4)
        length = _get_text(self._address, 0, count, addressof(c_char.from_buffer(buffer)))
        units = buffer[: 2 * max(0, length - 1)]
        if length < count:
            units = self._with_missing(units, count)
        text = units.decode("utf-16-le", "surrogatepass")
        places = None
        if 2 * len(text) != len(units) and len(text) != count:
            places = list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))
        if special := _special(text):
            text = self._cleaned(text, places, special)
        return text, places

    def _with_missing(self, units: bytearray, count: int) -> bytearray:
        """The text with U+FFFD for each glyph that is in PDFium's list but not in its text."""
        index = pdfium.FPDFText_GetCharIndexFromTextIndex
        kept = bytearray()
        start = missing = 0
        total = len(units) // 2
        while start < total:
            # Up to the next missing glyph the text is behind the list by as much as here.
            lag = index(self._text, start) - start
            end = bisect_right(range(total), lag, start, key=lambda at: index(self._text, at) - at)
            kept += _UNKNOWN_UNIT * (lag - missing) + units[2 * start : 2 * end]
            start, missing = end, lag
        kept += _UNKNOWN_UNIT * (count - total - missing)
        self.unmapped += count - total
        return kept

    def _cleaned(self, text: str, places: list[int] | None, special: frozenset[str]) -> str:
        """The text with U+FFFD for each character that must not be in a document."""
        # The lines of a page are broken already, so a soft hyphen is one that is drawn.
        text = text.replace(_SOFT_HYPHEN, "-")
        if BREAK in special:
            text = self._without_false_breaks(text, places)
        if special <= _HYPHENS:
            return text
        # `clean` would replace `BREAK`, a noncharacter. It keeps form feeds, and none is left here.
        text = _NEWLINE.sub(" ", text).replace(BREAK, "\f")
        text, replaced = clean(text)
        self.unmapped += replaced
        return text.replace("\f", BREAK)

    def _without_false_breaks(self, text: str, places: list[int] | None) -> str:
        """The text with `BREAK` only for hyphens; PDFium also writes it for a glyph mapped to NUL."""

        def sign(match: re.Match[str]) -> str:
            place = match.start() if places is None else places[match.start()]
            if pdfium.FPDFText_GetUnicode(self._text, place) == _HYPHEN_CODE:
                return BREAK
            self.unmapped += 1
            return _UNKNOWN

        return re.sub(BREAK, sign, text)


def _special(text: str) -> frozenset[str]:
    """The characters in the text that `_SPECIAL` matches."""
    plain = text.replace("\r\n", "")
    whole = plain.replace(BREAK, "")
    # True of most pages, and fast to check: no control characters, no unusual spaces.
    if whole.isprintable():
        return _ONLY_BREAKS if len(whole) < len(plain) else frozenset()
    return frozenset(_SPECIAL.findall(text))


def _lines(text: str) -> tuple[list[int], list[str]]:
    """The offsets of lines, and the lines without outer white space."""
    offsets, lines = [], []
    place = 0
    for row in text.split("\r\n"):
        for line in _AFTER_BREAK.split(row) if BREAK in row else (row,):
            if stripped := line.strip():
                # There is only white space before its first character.
                offsets.append(place + line.index(stripped[0]))
                lines.append(stripped)
            place += len(line)
        place += 2
    return offsets, lines


def _words(text: str) -> tuple[list[int], list[str]]:
    matches = list(_WORD.finditer(text))
    return [match.start() for match in matches], [match[0] for match in matches]


class _Edges:
    """Reads the boxes of many characters into memory that is used again."""

    def __init__(self) -> None:
        self._grow(_FIRST_CAPACITY)

    def read(
        self, page: int, texts: Sequence[str], firsts: Sequence[int], lasts: Sequence[int]
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


# Shared by all files, as only one is open at a time.
_EDGES = _Edges()


@contextmanager
def open_page(document: Any, index: int) -> Iterator[Page | None]:
    """A page without rotation, by its index from 0; None if PDFium cannot load it."""
    page = pdfium.FPDF_LoadPage(document, index)
    if not page:
        yield None
        return
    try:
        # Else the text of a page that /Rotate turns would be read from its side.
        pdfium.FPDFPage_SetRotation(page, 0)
        text = pdfium.FPDFText_LoadPage(page)
        try:
            yield Page(page, text) if text else None
        finally:
            pdfium.FPDFText_ClosePage(text)
    finally:
        pdfium.FPDF_ClosePage(page)
