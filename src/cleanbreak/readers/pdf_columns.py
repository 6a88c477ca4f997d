"""Lines that run across two columns, cut at the gutter between them.

PDFium makes one line of all that stands at about one height when a file draws its columns row by
row. A gutter is a strip of white that several lines leave at the same place, with prose on both
sides. A table leaves such strips too, but its cells are short or ragged; its rows stay whole.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple, Protocol

from cleanbreak.readers.pdf_page import Line

_GAP = 0.75
"""Of the height of a line: what is wider may be a gutter. Justified words rarely stand so far apart."""
_MIN_LINES = 3
_MIN_WIDTH = 6.0
"""Heights of a line, some 12 letters: the median piece of prose beside a gutter is wider."""
_MIN_FILL = 0.7
"""Lines of prose mostly end near the gutter; the median line must fill this much of its column."""
_WINDOW = 10
"""Runs looked at, at a third and at two thirds of the page, before all words are."""


class Runs(Protocol):
    """What is asked of a page: its words, and the boxes of some of its runs."""

    def words(self) -> list[Line]:
        """All words, in content order."""

    def count_runs(self) -> int:
        """How often the drawing starts anew."""

    def runs(self, numbers: Iterable[int]) -> Iterator[tuple[float, float, float, float]]:
        """Left, top, right and bottom of the runs of these numbers."""


class _Piece(NamedTuple):
    """Words that stand close together on one line, and whether the piece before is on it too."""

    line: Line
    follows: bool


class _Gap(NamedTuple):
    piece: int
    """The number of the piece on its right."""
    left: float
    right: float


def split_columns(lines: list[Line], page: Runs) -> list[Line]:
    """The lines, each cut where a gutter passes through it."""
    count = page.count_runs()
    # A gap within a line needs one run more than there are lines.
    if (
        len(lines) < _MIN_LINES
        or count < len(lines) + _MIN_LINES
        or not _may_have_gutter(page, count)
    ):
        return lines
    pieces = list(_pieces(page.words()))
    gaps = [
        _Gap(number, one.line.right, two.line.left)
        for number, (one, two) in enumerate(pairwise(pieces), 1)
        if two.follows
    ]
    gutters: set[int] = set()
    while len(crossing := _most_aligned(gaps)) >= _MIN_LINES:
        taken = {gap.piece for gap in crossing}
        gaps = [gap for gap in gaps if gap.piece not in taken]
        if _is_gutter(crossing, pieces):
            gutters |= taken
    return list(_merged(pieces, gutters)) if gutters else lines


def _may_have_gutter(page: Runs, count: int) -> bool:
    """Whether two lines of a small sample leave gaps at one place."""
    gaps = []
    for start in (count // 3, 2 * count // 3):
        last_bottom = last_right = last_top = 0.0
        for left, top, right, bottom in page.runs(range(start, min(start + _WINDOW, count))):
            if (
                left - last_right > _GAP * (last_top - last_bottom)
                and bottom < last_top
                and top > last_bottom
            ):
                gaps.append(_Gap(0, last_right, left))
            last_top, last_right, last_bottom = top, right, bottom
    return len(gaps) > 1 and len(_most_aligned(gaps)) > 1


def _pieces(words: Sequence[Line]) -> Iterator[_Piece]:
    line = words[0]
    texts = [line.text]
    follows = False
    for word in words[1:]:
        height = line.top - line.bottom
        gap = word.left - line.right
        level = line.bottom < (word.bottom + word.top) / 2 < line.top
        if level and -height < gap < _GAP * height and not line.broken:
            texts.append(word.text)
            line = line._replace(right=word.right, broken=word.broken)
            continue
        yield _Piece(line._replace(text=" ".join(texts)), follows)
        follows = level and gap >= _GAP * height and not line.broken
        line, texts = word, [word.text]
    yield _Piece(line._replace(text=" ".join(texts)), follows)


def _most_aligned(gaps: Sequence[_Gap]) -> list[_Gap]:
    """The most gaps that one upright line passes through."""
    edges = sorted([(gap.left, 1) for gap in gaps] + [(gap.right, -1) for gap in gaps])
    best = depth = 0
    place = 0.0
    for edge, step in edges:
        depth += step
        if depth > best:
            best, place = depth, edge
    return [gap for gap in gaps if gap.left <= place < gap.right]


def _is_gutter(crossing: Sequence[_Gap], pieces: Sequence[_Piece]) -> bool:
    before = [pieces[gap.piece - 1].line for gap in crossing]
    after = [pieces[gap.piece].line for gap in crossing]
    height = median(line.top - line.bottom for line in before)
    edge = max(line.right for line in before)
    widths = [line.right - line.left for line in before]
    fill = median((line.right - line.left) / max(1.0, edge - line.left) for line in before)
    other = median(line.right - line.left for line in after)
    return min(median(widths), other) > _MIN_WIDTH * height and fill > _MIN_FILL


def _merged(pieces: Sequence[_Piece], gutters: set[int]) -> Iterator[Line]:
    """The pieces as lines; those on one line belong together but for the gutters."""
    line = pieces[0].line
    for number, piece in enumerate(pieces[1:], 1):
        if piece.follows and number not in gutters:
            line = line._replace(
                text=f"{line.text} {piece.line.text}",
                right=piece.line.right,
                broken=piece.line.broken,
            )
        else:
            yield line
            line = piece.line
    yield line
