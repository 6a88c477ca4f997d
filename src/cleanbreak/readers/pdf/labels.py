"""The labels of pages ("iv", "A-7")."""

import re

import pypdfium2.raw as pdfium

from cleanbreak.readers.pdf.pdfium import PdfFile
from cleanbreak.readers.pdf.wide import wide_text

_ROOT = re.compile(rb"/PageLabels\s*(?:<<|(?=\d{1,10}\s+\d{1,5}\s+R\b))")
_OBJECT = re.compile(rb"(\d{1,10})\s+\d{1,5}\s+obj\b")
_KIDS = re.compile(rb"/Kids\s*\[([^\]]*)\]")
_REFERENCE = re.compile(rb"(\d{1,10})\s+\d{1,5}\s+R\b")
# Bytes of an object that are searched.
_BODY = 1 << 16


def page_labels(file: PdfFile, data: bytes, count: int) -> list[str]:
    """The labels of the first `count` pages; empty for a page without one."""
    if _tree_loops(data):
        return [""] * count
    return [wide_text(pdfium.FPDF_GetPageLabel, file.handle, index) for index in range(count)]


def _tree_loops(data: bytes) -> bool:
    """Whether the tree of labels contains itself, on which PDFium 159 recurses until it crashes.

    The bytes are searched, as PDFium does not give access to its objects. A tree in a compressed
    object is not found.
    """
    root = _ROOT.search(data)
    if root is None:
        return False
    head = data[root.end() : root.end() + _BODY].partition(b"endobj")[0]
    reference = _REFERENCE.match(head)
    waiting = [int(reference[1])] if reference else _kids(head)
    places = {int(found[1]): found.end() for found in _OBJECT.finditer(data)} if waiting else {}
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number in seen:
            return True
        seen.add(number)
        place = places.get(number)
        if place is not None:
            waiting += _kids(data[place : place + _BODY].partition(b"endobj")[0])
    return False


def _kids(body: bytes) -> list[int]:
    kids = _KIDS.search(body)
    return [int(number) for number in _REFERENCE.findall(kids[1])] if kids else []
