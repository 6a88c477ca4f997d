"""PDF files into documents: their text page by page, with labels, outline and warnings."""

import hashlib
from collections.abc import Iterator, Sequence
from ctypes import POINTER, c_ushort, cast
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.core.document import Document, Metadata, Section, Source, SourceWarning, Span
from cleanbreak.errors import SourceEmptyError, SourceLimitError, SourceMalformedError
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits
from cleanbreak.readers.pdf_columns import split_columns
from cleanbreak.readers.pdf_file import PdfFile, open_pdf, wide_text
from cleanbreak.readers.pdf_furniture import Parts, part
from cleanbreak.readers.pdf_layout import reading_order
from cleanbreak.readers.pdf_outline import Entry, chapters, read_outline
from cleanbreak.readers.pdf_page import Line, open_page
from cleanbreak.readers.pdf_text import PdfText, flow

MEDIA_TYPE = "application/pdf"


_MAX_MISSING = 1000
"""Pages in a row that cannot be loaded before the rest is given up."""


class _Page(NamedTuple):
    """What one page gave. ``lines`` is None where PDFium could not load it."""

    lines: list[Line] | None
    has_objects: bool
    unmapped: int


class _Content(NamedTuple):
    """All that is asked of PDFium."""

    pages: list[_Page]
    labels: list[str]
    outline: list[Entry]
    metadata: Metadata
    repaired: bool
    missing: int
    """Pages at the end that the file counts but does not have."""


def read_pdf(
    data: bytes,
    name: str,
    *,
    password: str | None = None,
    drop_furniture: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """The document of a PDF: pages and chapters as sections.

    Pages partition the text, one after another from 1; their titles are their labels, or else
    their numbers. Time and memory are the caller's to limit; see `readers.isolate`.

    Args:
        data: the bytes of the file.
        name: its name, without the folder.
        password: the user's or the owner's; the empty user password is tried without asking.
        drop_furniture: leave out running heads and feet, which else stand in square brackets.
        limits: `max_inflated_bytes` bounds the text.

    Raises:
        SourceEncryptedError: if it needs a password, or another one.
        SourceMalformedError: if it is damaged beyond repair.
        SourceEmptyError: if no page has text.
        SourceLimitError: if there is more text than allowed.
    """
    with open_pdf(data, name, password) as file:
        content = _read(file, name, limits)
    _refuse_without_text(content, name)
    parts = part([page.lines or () for page in content.pages])
    warnings = [*_page_warnings(content), *_furniture_warnings(parts, dropped=drop_furniture)]
    if drop_furniture:
        parts = [Parts((), page.body, ()) for page in parts]
    flowing = flow(parts)
    chapters, lost = _chapters(content.outline, flowing)
    return Document(
        flowing.text,
        (*_page_sections(content.labels, flowing.starts), *chapters),
        content.metadata,
        Source(name, MEDIA_TYPE, hashlib.sha256(data).hexdigest(), size=len(data)),
        (*warnings, *lost),
    )


def _read(file: PdfFile, name: str, limits: Limits) -> _Content:
    pages: list[_Page] = []
    size = missing = 0
    for index in range(file.pages):
        page = _read_page(file, index)
        pages.append(page)
        missing = missing + 1 if page.lines is None else 0
        if missing > _MAX_MISSING:
            break
        size += sum(len(line.text) for line in page.lines or ())
        if size > limits.max_inflated_bytes:
            raise _too_much_text(name, limits)
    # The number of pages is a claim of the file; what cannot be loaded at its end may never have been.
    pages = pages[: len(pages) - missing] if missing < len(pages) else pages
    labels = [
        wide_text(pdfium.FPDF_GetPageLabel, file.handle, index) for index in range(len(pages))
    ]
    return _Content(
        pages,
        labels,
        read_outline(file.handle, len(pages)),
        _metadata(file),
        repaired=file.repaired,
        missing=file.pages - len(pages),
    )


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


def _page_sections(labels: Sequence[str], starts: Sequence[int]) -> list[Section]:
    return [
        Section("page", label or str(number), 1, Span(start, end))
        for number, (label, (start, end)) in enumerate(
            zip(labels, pairwise(starts), strict=True), 1
        )
    ]


def _chapters(outline: Sequence[Entry], text: PdfText) -> tuple[list[Section], list[SourceWarning]]:
    starts = [
        None if entry.page is None else text.offset(entry.page, entry.top) for entry in outline
    ]
    found = chapters(outline, starts, len(text.text))
    lost = len(outline) - len(found)
    message = "Entries of the outline point nowhere and were left out."
    return found, [SourceWarning("OUTLINE_TARGET_MISSING", message, lost)] if lost else []


def _metadata(file: PdfFile) -> Metadata:
    author = wide_text(pdfium.FPDF_GetMetaText, file.handle, b"Author")
    language = wide_text(_language, file.handle)
    return Metadata(
        title=wide_text(pdfium.FPDF_GetMetaText, file.handle, b"Title") or None,
        authors=(author,) if author else (),
        language=language or None,
    )


def _language(handle: Any, buffer: Any, size: int) -> int:
    """The getter of the catalog's language with the types that PDFium's other getters take."""
    units = cast(buffer, POINTER(c_ushort)) if buffer is not None else None
    return int(pdfium.FPDFCatalog_GetLanguage(handle, units, size))


def _refuse_without_text(content: _Content, name: str) -> None:
    pages = content.pages
    if any(page.lines for page in pages):
        return
    pictures = any(page.has_objects for page in pages)
    count = len(pages)
    if not pictures and (content.repaired or all(page.lines is None for page in pages)):
        raise SourceMalformedError(
            f"No page of {name!r} can be read; the file is damaged, so fetch it again.",
            name=name,
            pages=count,
        )
    cause = (
        "is scanned; needs OCR" if pictures else "has blank pages only; if scanned, it needs OCR"
    )
    raise SourceEmptyError(f"{name!r} {cause}.", name=name, pages=count)


def _too_much_text(name: str, limits: Limits) -> SourceLimitError:
    return SourceLimitError(
        f"{name!r} has more than {limits.max_inflated_bytes:,} characters of text; "
        "split it, or raise max_inflated_bytes.",
        name=name,
        limit="max_inflated_bytes",
        allowed=limits.max_inflated_bytes,
    )


def _page_warnings(content: _Content) -> Iterator[SourceWarning]:
    pages = list(enumerate(content.pages, 1))
    if content.repaired:
        yield SourceWarning("PDF_REPAIRED", "The file is damaged; what is left of it was read.")
    if unreadable := [number for number, page in pages if page.lines is None]:
        message = "Pages are damaged beyond reading."
        yield SourceWarning("PAGE_UNREADABLE", message, len(unreadable), _places(unreadable))
    if content.missing:
        message = "The file counts pages at its end that it does not have."
        yield SourceWarning("PAGE_MISSING", message, content.missing)
    if pictures := [number for number, page in pages if page.lines == [] and page.has_objects]:
        message = "Pages have no text; if they are scanned, they need OCR."
        yield SourceWarning("PAGE_WITHOUT_TEXT", message, len(pictures), _places(pictures))
    if unmapped := [number for number, page in pages if page.unmapped]:
        message = "Glyphs have no known character; U+FFFD stands for them."
        count = sum(page.unmapped for _, page in pages)
        yield SourceWarning("GLYPH_UNMAPPED", message, count, _places(unmapped))


def _furniture_warnings(pages: Sequence[Parts], *, dropped: bool) -> Iterator[SourceWarning]:
    fate = "were left out" if dropped else "stand in square brackets"
    for code, what, counts in (
        ("RUNNING_HEAD", "Running heads", [len(page.head) for page in pages]),
        ("RUNNING_FOOT", "Running feet", [len(page.foot) for page in pages]),
    ):
        if places := [number for number, count in enumerate(counts, 1) if count]:
            yield SourceWarning(code, f"{what} {fate}.", sum(counts), _places(places))


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
