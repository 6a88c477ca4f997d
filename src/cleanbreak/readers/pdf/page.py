"""One page as PDFium gives it: its text in content order, as lines with their boxes.

This is written for speed. Plain extraction takes about 1 ms a page. A call for each character would
double that; two calls for each line, for the boxes of its first and last character, add a tenth.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import addressof, c_char, c_int, c_void_p, cast
from enum import Enum, auto
from functools import cached_property, partial
from itertools import accumulate, starmap
from math import inf, pi
from typing import Any

import pypdfium2.raw as pdfium

from cleanbreak.readers.controls import clean
from cleanbreak.readers.pdf.annotations import (
    Annotations,
    Typed,
    draw_annotations,
    read_annotations,
)
from cleanbreak.readers.pdf.boxes import EDGES, Box, box_of, fast, run_boxes, upright
from cleanbreak.readers.pdf.line import BREAK, Boxed, Line
from cleanbreak.readers.pdf.outside import visible_lines, without_hidden
from cleanbreak.readers.pdf.paragraphs import is_unspaced
from cleanbreak.readers.pdf.pdfium import PdfFile
from cleanbreak.readers.pdf.raised import Insertion, insertions, merged

UNKNOWN = "�"
_UNKNOWN_UNIT = UNKNOWN.encode("utf-16-le")
_SIGN = re.compile(r"[^\s\ufffe]")
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


_get_text = fast(pdfium.FPDFText_GetText, c_void_p, c_int, c_int, c_void_p)
# Objects that are looked at on a page without text, or with more objects than characters.
_MAX_OBJECTS = 10_000
# Text objects beyond the characters of a page that may all be spaces, if a font is not in the file and
# if all are.
_FEW_BLANKS = 10
_BLANKS = 50
# Characters whose angle is looked at.
_SAMPLES = 5


class Content(Enum):
    """What a page without text has."""

    NOTHING = auto()
    COMMENTS = auto()
    PICTURES = auto()
    OUTSIDE = auto()
    """Text outside the visible page."""
    LETTERS = auto()
    """Letters whose characters are not known."""


class Page:
    """A loaded page. Usable only within `open_page`."""

    def __init__(self, page: Any, text: Any, annotations: Annotations) -> None:
        self._page = page
        self.annotations = annotations
        self._text = text
        self._address = cast(text, c_void_p).value or 0
        self.unmapped = 0
        """How many glyphs are U+FFFD in the text: unknown characters, or such as break stores."""
        self._hidden: list[Line] = []

    def lines(self) -> list[Line]:
        """The lines that are not blank and on the visible page, in content order."""
        lines = list(starmap(Line, self._boxed(_lines)))
        if not lines:
            return lines
        if not self._characters[0].isascii():
            lines = list(map(_closed_up, lines))
        lines = merged(lines)
        left, bottom, right, top = self._box
        # Most pages have nothing outside, and one look at the edges is enough.
        _, lefts, rights, bottoms, tops = zip(*lines, strict=True)
        if (
            left <= min(lefts)
            and max(rights) <= right
            and bottom <= min(bottoms)
            and max(tops) <= top
        ):
            return lines
        visible, self._hidden = visible_lines(lines, self.all_words, self._box)
        return visible

    def typed(self) -> list[Typed]:
        """What is typed on the page, with boxes as those of the lines."""
        return [one._replace(box=upright(self.turn, *one.box)) for one in self.annotations.typed]

    def words(self) -> Iterator[Boxed]:
        """The words of these lines, in content order. Plain tuples, as there are many."""
        words = self.all_words()
        return without_hidden(words, self._hidden, self._box) if self._hidden else words

    def all_words(self) -> Iterator[Boxed]:
        """The words, also those outside the visible page."""
        return self._boxed(_words)

    @property
    def outside(self) -> int:
        """How many words lie outside the visible page, once its lines are read."""
        return sum(len(piece.text.split()) for piece in self._hidden)

    @cached_property
    def _box(self) -> Box:
        """The visible page: its crop box within its media box."""
        edges = pdfium.FS_RECTF()
        if not pdfium.FPDF_GetPageBoundingBox(self._page, edges):
            return -inf, -inf, inf, inf
        return upright(self.turn, edges.left, edges.bottom, edges.right, edges.top)

    @cached_property
    def turn(self) -> int:
        """How many quarter turns to the left most of the text is drawn with; 0 if it is upright."""
        text, places = self._characters
        turns = Counter[int]()
        for sample in range(_SAMPLES):
            offset = len(text) * (2 * sample + 1) // (2 * _SAMPLES)
            if match := _SIGN.search(text, offset):
                place = match.start() if places is None else places[match.start()]
                angle = pdfium.FPDFText_GetCharAngle(self._text, place)
                turns[round(-2 * angle / pi) % 4] += 1  # PDFium counts to the right
        return turns.most_common(1)[0][0] if turns else 0

    def content(self) -> Content:
        """What is drawn on the page, or lies on it."""
        if self._hidden:
            return Content.OUTSIDE
        if self.lost:
            return Content.LETTERS
        if set(map(_kind, self._objects())) - {
            pdfium.FPDF_PAGEOBJ_TEXT
        }:  # text without letters is blank
            return Content.PICTURES
        return Content.COMMENTS if self.annotations.comments else Content.NOTHING

    @cached_property
    def lost(self) -> int:
        """How many letters at least are drawn and not among the characters of the page.

        PDFium drops a letter that is drawn alone and has no box in the font. It drops a single space
        too, so a few are no proof, and more are none if all fonts are in the file.
        """
        characters = int(pdfium.FPDFText_CountChars(self._text))
        if pdfium.FPDFPage_CountObjects(self._page) - characters < _FEW_BLANKS:
            return 0
        texts = [one for one in self._objects() if _kind(one) == pdfium.FPDF_PAGEOBJ_TEXT]
        lost = len(texts) - characters
        if lost >= _BLANKS or (lost >= _FEW_BLANKS and not all(map(_has_font, texts))):
            return lost
        return 0

    def _objects(self) -> Iterator[Any]:
        for number in range(min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(self._page))):
            yield pdfium.FPDFPage_GetObject(self._page, number)

    def count_runs(self) -> int:
        """How many runs of text PDFium found; at least one for each line."""
        return int(pdfium.FPDFText_CountRects(self._text, 0, -1))

    def runs(self, start: int, count: int) -> list[Box]:
        """The boxes of these runs, from a number on; call `count_runs` first."""
        return run_boxes(self._address, start, count, self.turn)

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
        return EDGES.read(self._address, texts, firsts, lasts, self.turn)

    @cached_property
    def _raised(self) -> list[Insertion]:
        """What to write around raised numbers."""
        text, places = self._characters
        return list(insertions(text, partial(self._height, places)))

    def _height(self, places: list[int] | None, offset: int) -> tuple[float, float]:
        """Bottom and top of the character at an offset in the text."""
        place = offset if places is None else places[offset]
        _, bottom, _, top = box_of(self._address, place, self.turn)
        return bottom, top

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
            return UNKNOWN

        return re.sub(BREAK, sign, text)


def _kind(drawn: Any) -> int:
    return int(pdfium.FPDFPageObj_GetType(drawn))


def _has_font(text: Any) -> bool:
    """Whether the font of a text object is in the file."""
    return bool(pdfium.FPDFFont_GetIsEmbedded(pdfium.FPDFTextObj_GetFont(text)))


def _closed_up(line: Line) -> Line:
    """The line without the spaces that PDFium writes between all letters of vertical writing."""
    text = line[0]
    if text[1:2] == " " and text[0] >= "\u2e80" and set(text[1::2]) == {" "}:
        letters = text[::2]
        if " " not in letters and all(map(is_unspaced, letters)):
            return line._replace(text=letters)
    return line


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


@contextmanager
def open_page(file: PdfFile, index: int, *, drawn: bool = False) -> Iterator[Page | None]:
    """A page without rotation, by its index from 0; None if PDFium cannot load it.

    Args:
        file: the open file.
        index: of the page.
        drawn: with what is typed on it. That reorders its text, so it is for a second look.
    """
    page = pdfium.FPDF_LoadPage(file.handle, index)
    if not page:
        yield None
        return
    annotations = read_annotations(page, file.form)
    if drawn and draw_annotations(page):
        pdfium.FPDF_ClosePage(page)
        page = pdfium.FPDF_LoadPage(file.handle, index)
    try:
        # Else the text of a page that /Rotate turns would be read from its side.
        pdfium.FPDFPage_SetRotation(page, 0)
        text = pdfium.FPDFText_LoadPage(page)
        try:
            yield Page(page, text, annotations) if text else None
        finally:
            pdfium.FPDFText_ClosePage(text)
    finally:
        pdfium.FPDF_ClosePage(page)
