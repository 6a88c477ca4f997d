"""What is typed on a page: values of form fields, notes written on it, stamps; and comments on it.

Their appearance is made part of the page, and what that adds in the box of one is its text. What has
no appearance is read from its entry.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_float
from html import unescape
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.readers.pdf.boxes import Box
from cleanbreak.readers.pdf.form import LONGEST, PASSWORD, Form
from cleanbreak.readers.pdf.wide import wide_text

# Annotations of a page that are read. A hostile page may have millions.
_MAX = 5000
_TAG = re.compile(r"<[^<>]*>")
_HIDDEN = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_TYPED = (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP)
_SILENT = (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP)


class Typed(NamedTuple):
    """An annotation with text: the value of its entry, which may be empty, and its box."""

    text: str
    box: Box
    is_field: bool


class Annotations(NamedTuple):
    """The annotations of a page. ``comments`` counts those that are not part of it, nor read."""

    typed: list[Typed]
    comments: int


def read_annotations(page: Any, form: Form) -> Annotations:
    """The annotations of a loaded page."""
    typed: list[Typed] = []
    comments = 0
    for index in range(min(_MAX, pdfium.FPDFPage_GetAnnotCount(page))):
        with _opened(page, index) as annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation) if annotation else pdfium.FPDF_ANNOT_LINK
            if kind in _SILENT or pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
                continue
            if kind not in _TYPED:
                comments += bool(_note(annotation))
                continue
            is_field = kind == pdfium.FPDF_ANNOT_WIDGET
            text = _value(annotation, form) if is_field else _note(annotation)
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


def _note(annotation: Any) -> str:
    """The text of a note, or that of its rich form if it has no other."""
    plain = _string(annotation, b"Contents")
    return plain or unescape(_TAG.sub(" ", _string(annotation, b"RC"))).strip()


def _value(annotation: Any, form: Form) -> str:
    """The value of a field for text or a choice; not of one for a password or a button."""
    kind = _string(annotation, b"FT")
    if kind == "Btn":
        return ""
    value = _string(annotation, b"V") if kind else ""
    # A choice may store a code for what it shows, and any entry may be that of the parent.
    if kind != "Tx" or not value:
        return form.value(annotation) or value
    flags = c_float()
    pdfium.FPDFAnnot_GetNumberValue(annotation, b"Ff", flags)
    return "" if int(flags.value) & PASSWORD else value


def _string(annotation: Any, key: bytes) -> str:
    return wide_text(pdfium.FPDFAnnot_GetStringValue, annotation, key, longest=LONGEST)


def _box(annotation: Any) -> Box | None:
    edges = pdfium.FS_RECTF()
    if not pdfium.FPDFAnnot_GetRect(annotation, edges):
        return None
    return edges.left, edges.bottom, edges.right, edges.top
