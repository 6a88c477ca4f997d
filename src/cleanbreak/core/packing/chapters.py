"""Chapters: every one is cut as if it were a text of its own, so that no chunk holds two."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from cleanbreak.core.document import Document
from cleanbreak.core.packing.assemble import PieceFields
from cleanbreak.core.packing.trace import Trace
from cleanbreak.core.text.characters import is_blank
from cleanbreak.core.text.graphemes import boundary_at_or_after, is_boundary
from cleanbreak.errors import IndivisibleTextError

_CUT_OFF = ("chapter", "licence")

CutText = Callable[[str], Iterator[PieceFields]]
"""From a text to the pieces that it is cut in."""


def by_chapter(
    document: Document, cut: CutText, *, cross: bool, trace: Trace | None = None
) -> Iterator[PieceFields]:
    """The pieces of a document, cut where its chapters start unless `cross`.

    As each chapter is cut alone, no overlap reaches back over its start.
    """
    edges = [] if cross else chapter_starts(document)
    return _shifted(document.text, edges, cut, trace) if edges else cut(document.text)


def chapter_starts(document: Document) -> list[int]:
    """Where the chapters after the first text start, ascending, at whole characters.

    A licence around the book is cut off too, so that search can leave it out.

    Blank text before a chapter belongs to what stands before it, so that no chunk is blank.
    """
    text = document.text
    found = {section.span.start for section in document.sections if section.kind in _CUT_OFF}
    # What follows a licence is no part of it.
    found |= {section.span.end for section in document.sections if section.kind == "licence"}
    whole: list[int] = []
    for start in sorted(found):
        last = whole[-1] if whole else 0
        if last < start < len(text) and not is_boundary(text, start, last):
            start = boundary_at_or_after(text, start, len(text), last)
        if last < start < len(text):
            whole.append(start)
    starts: list[int] = []
    for start, end in pairwise([*whole, len(text)]):
        if not is_blank(text[start:end]) and (starts or not is_blank(text[:start])):
            starts.append(start)
    return starts


def _shifted(
    text: str, edges: list[int], cut: CutText, trace: Trace | None
) -> Iterator[PieceFields]:
    for start, chapter_end in pairwise([0, *edges, len(text)]):
        if trace:
            trace.base = start
        try:
            for end, overlap_start, count, oversize, level in cut(text[start:chapter_end]):
                at = start + end
                yield (
                    at,
                    start + overlap_start,
                    count,
                    oversize,
                    "chapter" if at == chapter_end else level,
                )
        except IndivisibleTextError as error:
            raise error.moved(start) from None
