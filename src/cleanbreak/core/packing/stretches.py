"""The stretches of a note that chunks keep to: what lies between its headings, some joined."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from cleanbreak.core.document import Document, Section, Span
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.text.characters import is_blank
from cleanbreak.core.text.graphemes import is_boundary

# Characters before a heading that decide whether it starts at a whole character.
_LONGEST_CLUSTER = 1000

# A line, perhaps with the line under it that makes it a heading, and blank text.
_bare_heading = re.compile(
    r"\s*+([^\r\n]++)(?>((?:\r\n?|\n) {0,3}(?:=++|-++)[ \t]*+(?=[\r\n]|\Z))?)\s*+"
).match


def stretches(
    document: Document,
    chapters: Collection[int],
    counter: Counter,
    limit: int,
    merge_small: int,
) -> Iterator[tuple[int, int]]:
    """The stretches in order; together they are the text.

    One that is smaller than `merge_small` is joined with the next one while both fit in a chunk, but
    not over the start of one of the `chapters`.
    """
    begun = done = 0
    for start, end in _between(document.text, _heading_starts(document) | set(chapters)):
        if start > begun and not (
            merge_small
            and start not in chapters
            and counter.count(begun, start) < merge_small
            and counter.count(begun, end) <= limit
        ):
            yield begun, start
            begun = start
        done = end
    yield begun, done


def join_bare_headings(document: Document, chapters: Collection[int]) -> Document:
    """The document in which a section starts with the headings right above it that have no text.

    So they go with what follows, and a chunk that starts with them has the heading path of its text.
    """
    text = document.text
    headings = [section for section in document.sections if section.kind == "heading"]
    titles = {section.span.start: section.title for section in headings}
    moved: dict[int, int] = {}
    first = -1  # the first of the bare headings right above
    for start, end in _between(text, titles.keys() | set(chapters)):
        if start in chapters:
            first = -1
        if first != -1:
            moved[start] = first
        is_bare = start in titles and _is_bare(text, start, end, titles[start])
        first = (start if first == -1 else first) if is_bare else -1
    if not moved:
        return document
    last_moved = {start: max(s for s in moved if moved[s] == start) for start in moved.values()}
    sections = (_moved(section, moved, last_moved) for section in document.sections)
    return replace(document, sections=tuple(section for section in sections if section))


def _moved(section: Section, moved: dict[int, int], last_moved: dict[int, int]) -> Section | None:
    """The section with its start moved; ``None`` if it then ends before the text it leads to."""
    if section.kind != "heading":
        return section
    start, end = section.span
    begin = moved.get(start, start)
    if begin in last_moved and end <= last_moved[begin]:
        return None
    return section if begin == start else replace(section, span=Span(begin, end))


def _is_bare(text: str, start: int, end: int, title: str) -> bool:
    """Whether a section is nothing but its heading, in Markdown or as plain text."""
    found = _bare_heading(text, start, end)
    if not found or found.end() != end:
        return False
    line, underline = found.groups()
    return underline is not None or line.startswith("#") or line.split() == title.split()


def _heading_starts(document: Document) -> set[int]:
    return {section.span.start for section in document.sections if section.kind == "heading"}


def _between(text: str, starts: set[int]) -> Sequence[tuple[int, int]]:
    """What lies between the starts; blank text goes to what stands before it."""
    edges = sorted(start for start in starts if 0 < start < len(text))
    edges = [at for at in edges if is_boundary(text, at, max(0, at - _LONGEST_CLUSTER))]
    spans = pairwise([0, *edges, len(text)])
    begun = [start for start, end in spans if not is_blank(text[start:end])]
    return list(pairwise([0, *begun[1:], len(text)]))
