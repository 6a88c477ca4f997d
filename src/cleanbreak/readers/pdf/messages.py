"""Warnings of what was damaged, missing or guessed in a PDF, with page numbers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cleanbreak.core.document import SourceWarning
from cleanbreak.readers.messages import MESSAGES
from cleanbreak.readers.pdf.furniture import PageParts
from cleanbreak.readers.pdf.line import Line
from cleanbreak.readers.pdf.page import Content


class PdfPage(NamedTuple):
    """The content of one page. ``lines`` is None if PDFium could not load it."""

    lines: list[Line] | None
    content: Content = Content.NOTHING
    unmapped: int = 0
    lost: int = 0
    outside: int = 0
    comments: int = 0
    turned: bool = False


def warning(code: str, count: int, pages: Sequence[int] = ()) -> Iterator[SourceWarning]:
    """The warning that something happened `count` times on these pages; none if it is 0."""
    if count:
        yield SourceWarning(code, MESSAGES[code], count, places(pages) if pages else None)


def page_warnings(
    pages: Sequence[PdfPage], missing: int, *, repaired: bool
) -> Iterator[SourceWarning]:
    """The warnings of a file with these pages, and `missing` more that it counts but does not have."""
    unreadable = _numbers(page.lines is None for page in pages)
    pictures = _numbers(page.lines == [] and page.content is Content.PICTURES for page in pages)
    unmapped = sum(page.unmapped for page in pages)
    yield from warning("PDF_REPAIRED", int(repaired))
    yield from warning("PAGE_UNREADABLE", len(unreadable), unreadable)
    yield from warning("PAGE_MISSING", missing)
    yield from warning("PAGE_WITHOUT_TEXT", len(pictures), pictures)
    yield from warning("GLYPH_UNMAPPED", unmapped, _numbers(page.unmapped for page in pages))
    lost = sum(page.lost for page in pages)
    yield from warning("GLYPH_LOST", lost, _numbers(page.lost for page in pages))
    comments = sum(page.comments for page in pages)
    yield from warning("COMMENT_SKIPPED", comments, _numbers(page.comments for page in pages))
    outside = sum(page.outside for page in pages)
    yield from warning("TEXT_OUTSIDE_PAGE", outside, _numbers(page.outside for page in pages))


def furniture_warnings(pages: Sequence[PageParts]) -> Iterator[SourceWarning]:
    """The warnings about running heads and feet, which count lines."""
    for code, counts in (
        ("RUNNING_HEAD", [len(page.head) for page in pages]),
        ("RUNNING_FOOT", [len(page.foot) for page in pages]),
    ):
        yield from warning(code, sum(counts), _numbers(counts))


def _numbers(flags: Iterable[object]) -> list[int]:
    """The numbers, from 1, of the pages whose flag is true."""
    return [number for number, flag in enumerate(flags, 1) if flag]


def places(numbers: Sequence[int]) -> str:
    """Page numbers as people write them.

    >>> places([3]), places([1, 2, 3, 7])
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
