"""What is read of a chapter."""

from typing import NamedTuple

from cleanbreak.readers.html.writer import Mark


class PageMark(NamedTuple):
    """A page of the printed book starts here."""

    label: str
    offset: int


class HeadingMark(NamedTuple):
    """A heading starts here."""

    level: int
    offset: int


class FigureMark(NamedTuple):
    """A picture, with its caption or what stands for it. Its span is that of the caption."""

    title: str
    start: int
    end: int


class Counts(NamedTuple):
    """What was left out of the text, by kind."""

    note_references: int = 0
    soft_hyphens: int = 0
    rubies: int = 0
    pictures: int = 0
    hidden: int = 0


class Chapter(NamedTuple):
    """The text of a chapter, the places in it that were asked for, and what was left out.

    Offsets are code points of ``text``.
    """

    text: str
    anchors: dict[str, int]
    pages: list[PageMark]
    headings: list[HeadingMark]
    figures: list[FigureMark]
    left_out: Counts


def chapter(parts: list[str], marks: list[Mark], starts: list[int], left_out: Counts) -> Chapter:
    """The chapter of these parts; a mark names the part it stands at, `starts` where each begins."""
    made = Chapter("".join(parts), {}, [], [], [], left_out)
    for mark in marks:
        at = starts[mark.part]
        if mark.kind == "anchor":
            made.anchors[mark.title] = at
        elif mark.kind == "page":
            made.pages.append(PageMark(mark.title, at))
        elif mark.kind == "heading":
            made.headings.append(HeadingMark(mark.level, at))
        elif mark.title:
            # What was in the figure may have been left out again, or be in fewer parts.
            last = min(max(mark.part, mark.end), len(parts))
            made.figures.append(FigureMark(mark.title, at, starts[last]))
    return made
