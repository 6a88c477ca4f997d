"""PDF files into documents: their text page by page, with labels, outline and warnings."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.core.document import Document, Metadata, Section, Source, Span
from cleanbreak.errors import SourceEmptyError, SourceLimitError, SourceMalformedError
from cleanbreak.readers import clock
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits
from cleanbreak.readers.pdf.columns import split_columns
from cleanbreak.readers.pdf.flow import PdfText, flow
from cleanbreak.readers.pdf.furniture import PageParts, separate
from cleanbreak.readers.pdf.labels import page_labels
from cleanbreak.readers.pdf.layout import reading_order
from cleanbreak.readers.pdf.line import Boxed
from cleanbreak.readers.pdf.messages import PdfPage, furniture_warnings, page_warnings, warning
from cleanbreak.readers.pdf.outline import Entry, chapters, read_outline
from cleanbreak.readers.pdf.page import UNKNOWN, Content, open_page
from cleanbreak.readers.pdf.pdfium import PdfFile, open_pdf
from cleanbreak.readers.pdf.typed import with_typed
from cleanbreak.readers.pdf.wide import wide_text

MEDIA_TYPE = "application/pdf"
# After this number of pages in a row that cannot be loaded, the other pages are not tried.
_MAX_MISSING = 1000
# After this number of pages more time is allowed for more of them.
_PAGES_AT_ONCE = 100
# Why a file has no text, by what its pages have, the most telling first.
_CAUSES = {
    Content.LETTERS: "has letters, but its fonts do not say which characters they are; needs OCR",
    Content.OUTSIDE: "has text only outside its visible pages",
    Content.PICTURES: "has no text: it is probably scanned; needs OCR",
    Content.COMMENTS: "has no text but comments, which are not read",
    Content.NOTHING: "has blank pages only; if scanned, it needs OCR",
}


class _Content(NamedTuple):
    """Everything that is read by PDFium."""

    pages: list[PdfPage]
    labels: list[str]
    outline: list[Entry]
    metadata: Metadata
    repaired: bool
    missing: int
    """How many pages at the end the file counts but does not have."""


def read_pdf(
    data: bytes,
    name: str,
    *,
    password: str | None = None,
    furniture: str = "drop",
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """The document of a PDF: pages and chapters as sections.

    Pages partition the text, in order from 1; their titles are their labels, or else their
    numbers. Time and memory are not limited here; see `readers.isolate`.

    Args:
        data: the bytes of the file.
        name: its name, without the folder.
        password: of the user or the owner; without one, the empty user password is tried.
        furniture: ``"drop"`` leaves out running heads and feet; ``"keep"`` puts them in square
            brackets after the paragraph that they interrupt.
        limits: `max_inflated_bytes` limits the characters of the text.

    Raises:
        SourceEncryptedError: if it needs a password, or a different one.
        SourceMalformedError: if it is damaged beyond repair.
        SourceEmptyError: if no page has text.
        SourceLimitError: if there is more text than allowed.
    """
    with open_pdf(data, name, password) as file:
        content = _read(file, data, name, limits)
    _refuse_without_text(content, name)
    parts = separate([page.lines or () for page in content.pages])
    keep = furniture == "keep"
    flowing = flow(parts if keep else [PageParts((), page.body, ()) for page in parts])
    chapters, lost = _chapters(content, flowing)
    warnings = (
        *page_warnings(content.pages, content.missing, repaired=content.repaired),
        *furniture_warnings(parts),
        *warning("CHAPTER_TARGET_MISSING", lost),
    )
    return Document(
        flowing.text,
        (*_page_sections(content.labels, flowing.starts), *chapters),
        content.metadata,
        Source(name, MEDIA_TYPE, hashlib.sha256(data).hexdigest(), size=len(data)),
        warnings,
    )


def _read(file: PdfFile, data: bytes, name: str, limits: Limits) -> _Content:
    pages: list[PdfPage] = []
    size = missing = 0
    for index in range(file.pages):
        page = _read_page(file, index)
        pages.append(page)
        missing = missing + 1 if page.lines is None else 0
        if len(pages) % _PAGES_AT_ONCE == 0:
            # Not for the pages that the file says it has: that may be a lie.
            clock.allow_for(_PAGES_AT_ONCE)
        if missing > _MAX_MISSING:
            break
        size += sum(len(line.text) for line in page.lines or ())
        if size > limits.max_inflated_bytes:
            raise _too_much_text(name, limits)
    # The file may count more pages than it has: those at its end that cannot be loaded are dropped.
    pages = pages[: len(pages) - missing] if missing < len(pages) else pages
    return _Content(
        pages,
        page_labels(file, data, len(pages)),
        read_outline(file.handle, len(pages)),
        _metadata(file),
        repaired=file.repaired,
        missing=file.pages - len(pages),
    )


def _read_page(file: PdfFile, index: int) -> PdfPage:
    with open_page(file, index) as page:
        if page is None:
            return PdfPage(None)
        lines = page.lines()
        if lines:
            pieces = split_columns(lines, page)
            lines = reading_order(pieces, split=len(pieces) > len(lines))
        typed = page.typed()
        words = Counter(word[0] for word in page.all_words()) if typed else Counter[str]()
        found = PdfPage(
            lines,
            content=Content.NOTHING if lines else page.content(),
            unmapped=page.unmapped,
            lost=page.lost,
            outside=page.outside,
            comments=page.annotations.comments,
            turned=page.turn != 0,
        )
    if not typed:
        return found
    with open_page(file, index, drawn=True) as page:
        added = [] if page is None else list(_added(page.all_words(), words))
    return found._replace(lines=with_typed(lines, typed, added))


def _added(words: Iterable[Boxed], known: Counter[str]) -> Iterator[Boxed]:
    """The words beyond those known. They come last, as annotations are drawn over the page."""
    for word in words:
        if known[word[0]]:
            known[word[0]] -= 1
        else:
            yield word


def _page_sections(labels: Sequence[str], starts: Sequence[int]) -> list[Section]:
    return [
        Section("page", label or str(number), 1, Span(start, end))
        for number, (label, (start, end)) in enumerate(
            zip(labels, pairwise(starts), strict=True), 1
        )
    ]


def _chapters(content: _Content, text: PdfText) -> tuple[list[Section], int]:
    """The chapters, and how many entries of the outline have no target."""
    outline = content.outline
    starts = [
        None
        if entry.page is None
        # The height is that on the page as it is turned.
        else text.offset(entry.page, None if content.pages[entry.page].turned else entry.top)
        for entry in outline
    ]
    found = chapters(outline, starts, len(text.text))
    return found, len(outline) - len(found)


def _metadata(file: PdfFile) -> Metadata:
    author = wide_text(pdfium.FPDF_GetMetaText, file.handle, b"Author")
    language = wide_text(pdfium.FPDFCatalog_GetLanguage, file.handle)
    return Metadata(
        title=wide_text(pdfium.FPDF_GetMetaText, file.handle, b"Title") or None,
        authors=(author,) if author else (),
        language=language or None,
    )


def _refuse_without_text(content: _Content, name: str) -> None:
    pages = content.pages
    if any(_has_known_letters(page) for page in pages):
        return
    count = len(pages)
    content_of = {Content.LETTERS if page.lines else page.content for page in pages}
    if content_of == {Content.NOTHING} and (
        content.repaired or all(page.lines is None for page in pages)
    ):
        raise SourceMalformedError(
            f"No page of {name!r} can be read; the file is damaged, so fetch it again.",
            name=name,
            pages=count,
        )
    cause = next(cause for kind, cause in _CAUSES.items() if kind in content_of)
    raise SourceEmptyError(f"{name!r} {cause}.", name=name, pages=count)


def _has_known_letters(page: PdfPage) -> bool:
    return any(line.text.strip(f"{UNKNOWN} ") for line in page.lines or ())


def _too_much_text(name: str, limits: Limits) -> SourceLimitError:
    return SourceLimitError(
        f"{name!r} has more than {limits.max_inflated_bytes:,} characters of text; "
        "split it, or raise max_inflated_bytes.",
        name=name,
        limit="max_inflated_bytes",
        allowed=limits.max_inflated_bytes,
    )
