"""What is typed on a page: values of form fields, notes written on it, stamps; and comments on it.

Their appearance is made part of the page, and what that adds in the box of one is its text. What has
no appearance is read from its entry.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, c_float, c_ushort, cast
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.readers.pdf.boxes import Box
from cleanbreak.readers.pdf.pdfium import wide_text

# Annotations of a page that are read. A hostile page may have millions.
_MAX = 5000
_HIDDEN = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_TYPED = (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP)
_SILENT = (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP)
# The bit of a text field's flags that makes it one for passwords (ISO 32000-2, table 231).
_PASSWORD = 1 << 13


class Typed(NamedTuple):
    """An annotation with text: the value of its entry, which may be empty, and its box."""

    text: str
    box: Box
    is_field: bool


class Annotations(NamedTuple):
    """The annotations of a page. ``comments`` counts those that are not part of it, nor read."""

    typed: list[Typed]
    comments: int


def read_annotations(page: Any) -> Annotations:
    """The annotations of a loaded page."""
    typed: list[Typed] = []
    comments = 0
    for index in range(min(_MAX, pdfium.FPDFPage_GetAnnotCount(page))):
        with _opened(page, index) as annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation) if annotation else pdfium.FPDF_ANNOT_LINK
            if kind in _SILENT or pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
                continue
            if kind not in _TYPED:
                comments += bool(_string(annotation, b"Contents"))
                continue
            is_field = kind == pdfium.FPDF_ANNOT_WIDGET
            text = ""
            if is_field:
                text = _value(annotation)
            elif kind == pdfium.FPDF_ANNOT_FREETEXT:
                text = _string(annotation, b"Contents")
            if box := _box(annotation):
                typed.append(Typed(text, box, is_field))
    return Annotations(typed, comments)


def draw_annotations(page: Any) -> bool:
    """Make the appearance of annotations part of the page, which is then to be loaded again."""
    drawn = pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
    return bool(drawn == pdfium.FLATTEN_SUCCESS)


@contextmanager
def _opened(page: Any, index: int) -> Iterator[Any]:
    annotation = pdfium.FPDFPage_GetAnnot(page, index)
    try:
        yield annotation
    finally:
        if annotation:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _value(annotation: Any) -> str:
    """The value of a field for text or a choice; not of one for a password or a button."""
    if _string(annotation, b"FT") not in ("Tx", "Ch", ""):
        return ""
    flags = c_float()
    pdfium.FPDFAnnot_GetNumberValue(annotation, b"Ff", flags)
    return "" if int(flags.value) & _PASSWORD else _string(annotation, b"V")


def _string(annotation: Any, key: bytes) -> str:
    def getter(buffer: Any, size: int) -> int:
        units = cast(buffer, POINTER(c_ushort)) if buffer is not None else None
        return int(pdfium.FPDFAnnot_GetStringValue(annotation, key, units, size))

    return wide_text(getter)


def _box(annotation: Any) -> Box | None:
    edges = pdfium.FS_RECTF()
    if not pdfium.FPDFAnnot_GetRect(annotation, edges):
        return None
    return edges.left, edges.bottom, edges.right, edges.top
