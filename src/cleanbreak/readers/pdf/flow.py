"""The text of a whole PDF from its pages, and the offset in it of a place on a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from cleanbreak.readers.pdf.furniture import PageParts
from cleanbreak.readers.pdf.hyphens import Resolved, resolve
from cleanbreak.readers.pdf.page import BREAK, Line
from cleanbreak.readers.pdf.paragraphs import LINE, PARAGRAPH, across, joined


@dataclass(frozen=True, slots=True)
class PdfText:
    """The pages as one text.

    A running head or foot is a paragraph in square brackets, so that neither a person nor a
    splitter reads it as part of the sentence that it interrupts.
    """

    pages: Sequence[PageParts]
    resolved: Resolved = field(repr=False)
    raw_starts: Sequence[int]
    """The offset at which each page starts before hyphens are resolved; the last is the end."""

    @property
    def text(self) -> str:
        """The whole text."""
        return self.resolved.text

    @property
    def starts(self) -> list[int]:
        """The offset at which each page starts; the last is the end of the text."""
        return [self.resolved.offset(start) for start in self.raw_starts]

    def offset(self, page: int, top: float | None) -> int:
        """The offset of the first line, in reading order, below a height on a page.

        For None, and for the first line, it is the start of the page, so that a running head
        belongs to the text below it.
        """
        parts = self.pages[page]
        start = self.raw_starts[page]
        if top is None or not parts.body or _is_under(parts.body[0], top):
            return self.resolved.offset(start)
        place = start + sum(map(len, _bracketed(parts.head, PARAGRAPH)))
        for line, piece in zip(parts.body, joined(parts.body), strict=True):
            if _is_under(line, top):
                return self.resolved.offset(place)
            place += len(piece)
        return self.resolved.offset(self.raw_starts[page + 1])


def _is_under(line: Line, top: float) -> bool:
    return (line.bottom + line.top) / 2 < top


def flow(pages: Sequence[PageParts]) -> PdfText:
    """The text of the pages. They partition it: what separates two pages belongs to the first.

    A word broken at the end of a page belongs to the page where it starts.
    """
    pages = _with_whole_words(pages)
    texts = [
        "".join(_page(parts, after))
        for parts, after in zip(pages, _separators_after(pages), strict=True)
    ]
    starts = [0, *accumulate(map(len, texts))]
    return PdfText(pages, resolve("".join(texts)), starts)


def _with_whole_words(pages: Sequence[PageParts]) -> list[PageParts]:
    """The pages with each word that is broken between two of them whole on the first."""
    whole = list(pages)
    for number, (page, following) in enumerate(pairwise(pages)):
        if not page.body or not following.body:
            continue
        last, first = whole[number].body[-1], following.body[0]
        half, _, rest = first.text.partition(" ")
        if not rest or across(last, first) != BREAK:
            continue
        start = last.text if last.text[-1] == BREAK else last.text[:-1] + BREAK
        ending = last._replace(text=start + half)
        whole[number] = whole[number]._replace(body=[*whole[number].body[:-1], ending])
        whole[number + 1] = following._replace(
            body=[first._replace(text=rest), *following.body[1:]]
        )
    return whole


def _page(parts: PageParts, after: str) -> Iterator[str]:
    if not parts.body:
        return
    yield from _bracketed(parts.head, PARAGRAPH)
    yield from joined(parts.body, PARAGRAPH if parts.foot else after)
    yield from _bracketed(parts.foot, after)


def _bracketed(lines: Sequence[Line], after: str) -> Iterator[str]:
    for line in lines:
        yield f"[{line.text}]{after if line is lines[-1] else LINE}"


def _separators_after(pages: Sequence[PageParts]) -> list[str]:
    """What separates each page from the next one with text.

    It is as between lines, unless there is a running head or foot or a blank page between them.
    """
    found = [""] * len(pages)
    later: int | None = None
    for number in range(len(pages) - 1, -1, -1):
        page = pages[number]
        if not page.body:
            continue
        if later is not None:
            following = pages[later]
            interrupted = page.foot or following.head or later > number + 1
            found[number] = PARAGRAPH if interrupted else across(page.body[-1], following.body[0])
        later = number
    return found
