"""The text of a whole PDF from its pages, and the offset in it of a place on a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from cleanbreak.readers.pdf.furniture import PageParts
from cleanbreak.readers.pdf.hyphens import Resolved, resolve
from cleanbreak.readers.pdf.line import BREAK, CELL, Line
from cleanbreak.readers.pdf.paragraphs import LINE, PARAGRAPH, joined, separators
from cleanbreak.readers.pdf.turns import Body, Turn, turn


class Piece(NamedTuple):
    """Text in its place. ``line`` is None if it is of another page, or a running head or foot."""

    text: str
    line: Line | None


@dataclass(frozen=True, slots=True)
class PdfText:
    """The pages as one text.

    What stands between the halves of a paragraph that continues on the next page comes after it:
    running heads and feet, notes, captions. They then belong to the page where it ends.
    """

    pages: Sequence[Sequence[Piece]]
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
        place = start = self.raw_starts[page]
        first = True
        for text, line in self.pages[page]:
            if line is not None:
                if top is None or (line.bottom + line.top) / 2 < top:
                    return self.resolved.offset(start if first else place)
                first = False
            place += len(text)
        return self.resolved.offset(start if first else self.raw_starts[page + 1])


def flow(pages: Sequence[PageParts]) -> PdfText:
    """The text of the pages. They partition it: what separates two pages belongs to the first.

    A running head or foot is a paragraph in square brackets. A word broken at the end of a page
    belongs to the page where it starts.
    """
    placed = _placed(pages)
    texts = ["".join([text for text, _ in page]) for page in placed]
    starts = [0, *accumulate(map(len, texts))]
    return PdfText(placed, resolve("".join(texts)), starts)


def _placed(pages: Sequence[PageParts]) -> list[list[Piece]]:
    """The pieces of each page."""
    numbers = [number for number, page in enumerate(pages) if page.body]
    bodies = [Body(pages[n].body, separators(pages[n].body)) for n in numbers]
    placed: list[list[Piece]] = [[] for _ in pages]
    waiting: list[Piece] = []  # what comes after a paragraph that continues
    turned = Turn(PARAGRAPH)
    for count, (number, body) in enumerate(zip(numbers, bodies, strict=True), 1):
        before, turned = turned, Turn(PARAGRAPH)
        aside, body = _cut(body, before.head)
        if count < len(numbers):
            turned = turn(body, bodies[count])
        text, notes = _cut(body, len(body.lines) - turned.tail)
        if turned.separator == BREAK and count < len(numbers):
            text, bodies[count], turned = _with_whole_word(text, bodies[count], turned)
        pieces = placed[number]
        heads = [*_bracketed(pages[number].head), *_pieces(aside, PARAGRAPH)]
        (waiting if before.separator != PARAGRAPH else pieces).extend(heads)
        for piece in _pieces(text, turned.separator):
            pieces.append(piece)
            if waiting and piece.text.endswith(PARAGRAPH):
                pieces += waiting
                waiting = []
        feet = [*_pieces(notes, PARAGRAPH), *_bracketed(pages[number].foot)]
        if turned.separator == PARAGRAPH:
            pieces += feet
        else:
            waiting = [Piece(text, None) for text, _ in (*waiting, *feet)]
    if numbers:
        end = placed[numbers[-1]]
        end[-1] = end[-1]._replace(text=end[-1].text.removesuffix(PARAGRAPH))
    return placed


def _cut(body: Body, place: int) -> tuple[Body, Body]:
    """The lines before and from a place, with what separates them."""
    lines, between = body
    return (
        Body(lines[:place], between[: max(0, place - 1)]),
        Body(lines[place:], between[place:]),
    )


def _with_whole_word(page: Body, following: Body, turned: Turn) -> tuple[Body, Body, Turn]:
    """Two pages, and their turn, with the word that is broken between them whole on the first."""
    head = turned.head
    last, first = page.lines[-1], following.lines[head]
    half, _, rest = first.text.partition(" ")
    if not rest:
        return page, following, turned
    start = last.text if last.text[-1] == BREAK else last.text[:-1] + BREAK
    return (
        page._replace(lines=[*page.lines[:-1], last._replace(text=f"{start}{half}")]),
        following._replace(
            lines=[
                *following.lines[:head],
                first._replace(text=rest),
                *following.lines[head + 1 :],
            ]
        ),
        turned._replace(separator=" "),
    )


def _pieces(body: Body, after: str) -> Iterator[Piece]:
    if body.lines:
        yield from map(Piece, joined(body.lines, [*body.separators, after]), body.lines)


def _bracketed(lines: Sequence[Line]) -> Iterator[Piece]:
    if lines:
        texts = [line.text.replace(CELL, " ") for line in lines]
        yield Piece(LINE.join(f"[{text}]" for text in texts) + PARAGRAPH, None)
