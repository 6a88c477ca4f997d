"""Sections from the places where chapters and pages start."""

from collections.abc import Iterable
from typing import NamedTuple

from cleanbreak.core.document import Section, SectionKind, Span

_TITLE_LENGTH = 200


class Place(NamedTuple):
    """Something with a title that starts at an offset."""

    level: int
    title: str
    offset: int


def nested(kind: SectionKind, places: Iterable[Place], length: int) -> tuple[Section, ...]:
    """Sections that end where the next one of the same or a higher level starts."""
    ordered = sorted(places, key=lambda place: place.offset)
    ends = [length] * len(ordered)
    open_: list[int] = []
    for number, place in enumerate(ordered):
        while open_ and ordered[open_[-1]].level >= place.level:
            ends[open_.pop()] = place.offset
        open_.append(number)
    return tuple(
        Section(kind, place.title, place.level, Span(place.offset, end))
        for place, end in zip(ordered, ends, strict=True)
    )


def pages(places: Iterable[Place], length: int) -> tuple[Section, ...]:
    """Pages that partition the text; text before the first mark is a page without a label."""
    starts = {place.offset: place.title for place in places}
    if not starts:
        return ()
    starts.setdefault(0, "")
    offsets = sorted(starts)
    return tuple(
        Section("page", starts[start], 1, Span(start, end))
        for start, end in zip(offsets, [*offsets[1:], length], strict=True)
    )


def title_at(text: str, offset: int) -> str:
    """The line of `text` that starts at `offset`."""
    end = text.find("\n", offset)
    return text[offset : len(text) if end < 0 else end][:_TITLE_LENGTH]
