"""The outline of a PDF (its bookmarks) as chapters."""

from collections.abc import Iterator, Sequence
from ctypes import addressof, byref, c_float, c_int, c_ulong
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.core.document import Section, Span
from cleanbreak.readers.pdf.wide import wide_text

_MAX_ENTRIES = 20_000
_MAX_LEVEL = 64


class Entry(NamedTuple):
    """An entry of the outline.

    ``page`` counts from 0 and is None if the target is missing or outside the document. ``top`` is
    the height on the page that the entry points at, in points; None is the top of the page.
    """

    title: str
    level: int
    page: int | None
    top: float | None


def read_outline(document: Any, pages: int) -> list[Entry]:
    """The entries in the order of the outline, each once, as an outline may contain itself."""
    return [
        Entry(
            wide_text(pdfium.FPDFBookmark_GetTitle, bookmark),
            level,
            *_target(document, bookmark, pages),
        )
        for bookmark, level in _walk(document)
    ]


def _walk(document: Any) -> Iterator[tuple[Any, int]]:
    """Bookmarks and their levels from 1, depth first. No recursion: the file decides the depth."""
    seen: set[int] = set()
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and len(seen) < _MAX_ENTRIES:
        bookmark, level = waiting.pop()
        if not bookmark or _address(bookmark) in seen:
            continue
        seen.add(_address(bookmark))
        yield bookmark, level
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document, bookmark), level))
        if level < _MAX_LEVEL:
            waiting.append((pdfium.FPDFBookmark_GetFirstChild(document, bookmark), level + 1))


def _address(bookmark: Any) -> int:
    return int(addressof(bookmark.contents))


def _target(document: Any, bookmark: Any, pages: int) -> tuple[int | None, float | None]:
    target = pdfium.FPDFBookmark_GetDest(document, bookmark)
    if not target:
        action = pdfium.FPDFBookmark_GetAction(bookmark)
        if action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_GOTO:
            target = pdfium.FPDFAction_GetDest(document, action)
    page = pdfium.FPDFDest_GetDestPageIndex(document, target) if target else -1
    if not 0 <= page < pages:
        return None, None
    return page, _top(target)


def _top(target: Any) -> float | None:
    """The height that a target names (ISO 32000-2, table 149)."""
    count = c_ulong()
    values = (c_float * 4)()
    view = pdfium.FPDFDest_GetView(target, byref(count), values)
    if view == pdfium.PDFDEST_VIEW_XYZ:
        has_x, has_y, has_zoom, x, y, zoom = (
            c_int(),
            c_int(),
            c_int(),
            c_float(),
            c_float(),
            c_float(),
        )
        pdfium.FPDFDest_GetLocationInPage(target, has_x, has_y, has_zoom, x, y, zoom)
        return y.value if has_y.value else None
    place = {
        pdfium.PDFDEST_VIEW_FITH: 0,
        pdfium.PDFDEST_VIEW_FITBH: 0,
        pdfium.PDFDEST_VIEW_FITR: 3,
    }.get(view)
    return float(values[place]) if place is not None and place < count.value else None


def chapters(entries: Sequence[Entry], starts: Sequence[int | None], end: int) -> list[Section]:
    """Chapters from entries that start at these offsets, in the order of the outline.

    A chapter ends where the next one in the text of the same or a higher level starts. An entry
    without an offset is the title of the entries below it, and starts where the first one does.
    """
    places = _inherited(entries, starts)
    order = sorted(
        (number for number, place in enumerate(places) if place is not None),
        key=lambda number: (places[number] or 0, number),
    )
    ends: dict[int, int] = {}
    open_: list[int] = []
    for number in order:
        while open_ and entries[open_[-1]].level >= entries[number].level:
            ends[open_.pop()] = places[number] or 0
        open_.append(number)
    return [
        Section("chapter", entry.title, entry.level, Span(place, ends.get(number, end)))
        for number, (entry, place) in enumerate(zip(entries, places, strict=True))
        if place is not None
    ]


def _inherited(entries: Sequence[Entry], starts: Sequence[int | None]) -> list[int | None]:
    """The starts; a missing one is that of the first entry below it."""
    found = list(starts)
    for number in range(len(entries) - 2, -1, -1):
        if found[number] is None and entries[number + 1].level > entries[number].level:
            found[number] = found[number + 1]
    return found
