"""PDF files into documents: their text page by page, with labels, outline and warnings."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.core.document import (
    Document,
    Metadata,
    Section,
    Source,
    SourceWarning,
    Span,
)
from cleanbreak.errors import SourceEmptyError, SourceMalformedError
from cleanbreak.readers.pdf_columns import split_columns
from cleanbreak.readers.pdf_file import PdfFile, open_pdf, wide_text
from cleanbreak.readers.pdf_layout import reading_order
from cleanbreak.readers.pdf_page import Line, open_page

MEDIA_TYPE = "application/pdf"


class _Page(NamedTuple):
    """What one page gave. ``lines`` is None where PDFium could not load it."""

    lines: list[Line] | None
    has_objects: bool
    unmapped: int


def read_pdf(
    data: bytes,
    name: str,
    *,
    password: str | None = None,
    drop_furniture: bool = False,  # noqa: ARG001 (not yet)
) -> Document:
    """The document of a PDF.

    Args:
        data: the bytes of the file.
        name: its name, without the folder.
        password: the user's or the owner's; the empty user password is tried without asking.
        drop_furniture: leave out running heads and feet.

    Raises:
        SourceEncryptedError: if it needs a password, or another one.
        SourceMalformedError: if it is damaged beyond repair.
        SourceEmptyError: if no page has text.
    """
    with open_pdf(data, name, password) as file:
        pages = [_read_page(file, index) for index in range(file.pages)]
        titles = [
            wide_text(pdfium.FPDF_GetPageLabel, file.handle, index) for index in range(file.pages)
        ]
        warnings = _warnings(file, pages)
        metadata = _metadata(file)
    _refuse_without_text(pages, name)
    texts = ["\n".join(line.text for line in page.lines or ()) for page in pages]
    text = ""
    sections = []
    for number, (page, title) in enumerate(zip(texts, titles, strict=True), 1):
        start = len(text)
        text += f"{page}\n\n" if page and number < len(texts) else page
        sections.append(Section("page", title or str(number), 1, Span(start, len(text))))
    source = Source(name, MEDIA_TYPE, hashlib.sha256(data).hexdigest(), size=len(data))
    return Document(text, tuple(sections), metadata, source, warnings)


def _read_page(file: PdfFile, index: int) -> _Page:
    with open_page(file.handle, index) as page:
        if page is None:
            return _Page(None, has_objects=False, unmapped=0)
        lines = page.lines()
        if not lines:
            return _Page([], page.has_objects(), page.unmapped)
        pieces = split_columns(lines, page)
        ordered = reading_order(pieces, split=len(pieces) > len(lines))
        return _Page(ordered, has_objects=True, unmapped=page.unmapped)


def _metadata(file: PdfFile) -> Metadata:
    author = wide_text(pdfium.FPDF_GetMetaText, file.handle, b"Author")
    return Metadata(
        title=wide_text(pdfium.FPDF_GetMetaText, file.handle, b"Title") or None,
        authors=(author,) if author else (),
    )


def _refuse_without_text(pages: Sequence[_Page], name: str) -> None:
    if all(page.lines is None for page in pages):
        raise SourceMalformedError(
            f"None of the {len(pages)} pages of {name!r} can be read; fetch the file again.",
            name=name,
            pages=len(pages),
        )
    if not any(page.lines for page in pages):
        raise SourceEmptyError(
            f"{name!r} has no text on its {len(pages)} pages: if it is scanned; needs OCR, "
            "as its pages are pictures.",
            name=name,
            pages=len(pages),
        )


def _warnings(file: PdfFile, pages: Sequence[_Page]) -> tuple[SourceWarning, ...]:
    found = []
    if file.repaired:
        found.append(SourceWarning("REPAIRED", "The file is damaged; what is left of it was read."))
    unreadable = [number for number, page in enumerate(pages, 1) if page.lines is None]
    pictures = [n for n, page in enumerate(pages, 1) if page.lines == [] and page.has_objects]
    unmapped = [number for number, page in enumerate(pages, 1) if page.unmapped]
    if unreadable:
        found.append(
            SourceWarning(
                "PAGE_UNREADABLE",
                "Pages are damaged and were left out.",
                len(unreadable),
                _places(unreadable),
            )
        )
    if pictures:
        found.append(
            SourceWarning(
                "PAGE_WITHOUT_TEXT",
                "Pages hold pictures only; if they are scanned, they need OCR.",
                len(pictures),
                _places(pictures),
            )
        )
    if unmapped:
        found.append(
            SourceWarning(
                "UNMAPPED_GLYPHS",
                "Glyphs have no known character; U+FFFD stands for them.",
                sum(page.unmapped for page in pages),
                _places(unmapped),
            )
        )
    return tuple(found)


def _places(numbers: Sequence[int]) -> str:
    """Page numbers as a person writes them.

    >>> _places([3]), _places([1, 2, 3, 7])
    ('page 3', 'pages 1-3, 7')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    shown = ", ".join("-".join(map(str, run)) for run in runs)
    return f"{'page' if len(numbers) == 1 else 'pages'} {shown}"
