"""Lines that run across two columns, cut at the gutter between them.

If a file draws its columns row by row, PDFium makes one line of everything at about one height. A
gutter is a strip of white that several lines have at the same place, with prose on both sides. A
table has such strips too, but its cells are short or ragged; its rows stay whole.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple, Protocol

from cleanbreak.readers.pdf.page import BREAK, Boxed, Line

# Heights of a line: a wider gap may be a gutter. Gaps between justified words are rarely so wide.
_GAP = 0.75
_MIN_LINES = 3
# Heights of a line, about 12 letters: the median piece of prose beside a gutter is wider.
_MIN_WIDTH = 6.0
# Most lines of prose end near the gutter: the median line must fill this share of its column.
_MIN_FILL = 0.7
# At least this number of lines must have the gap for each line that runs across it.
_MAX_ACROSS = 3
# Least and most runs in the middle of the page, about three lines, that are checked before all words
# are read.
_WINDOW = 12
_MAX_WINDOW = 48


class Runs(Protocol):
    """What is read from a page: its words, and the boxes of some of its runs."""

    def words(self) -> Iterable[Boxed]:
        """All words, in content order."""

    def count_runs(self) -> int:
        """How many runs of text the page draws."""

    def runs(self, numbers: Iterable[int]) -> Iterator[tuple[float, float, float, float]]:
        """Left, top, right and bottom of the runs with these numbers."""


class _Piece(NamedTuple):
    """Words close together on one line, and whether the piece before is on the same line."""

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
    # Each gap within a line takes one run more than there are lines.
    if (
        len(lines) < _MIN_LINES
        or count < len(lines) + _MIN_LINES
        or not _may_have_gutter(page, count, 3 * count // len(lines))
    ):
        return lines
    pieces = _pieces(page.words())
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


def _may_have_gutter(page: Runs, count: int, window: int) -> bool:
    """Whether two lines in the middle of the page have a gap at one place, after wide text."""
    gaps = []
    start = right = bottom = top = 0.0
    window = min(max(window, _WINDOW), _MAX_WINDOW, count)
    middle = (count - window) // 2
    for left2, top2, right2, bottom2 in page.runs(range(middle, middle + window)):
        height = top - bottom
        if not (bottom2 < top and top2 > bottom and left2 >= right - height):
            start = left2
        elif left2 - right > _GAP * height:
            if right - start > _MIN_WIDTH * height:
                gaps.append(_Gap(0, right, left2))
            start = left2
        right, bottom, top = right2, bottom2, top2
    return len(gaps) > 1 and len(_most_aligned(gaps)) > 1


def _pieces(words: Iterable[Boxed]) -> list[_Piece]:
    """The pieces of the page, in content order."""
    pieces: list[_Piece] = []
    texts: list[str] = []
    follows = False
    start = right = bottom = top = 0.0
    for text, left2, right2, bottom2, top2 in words:
        height = top - bottom
        gap = left2 - right
        level = bottom < (bottom2 + top2) / 2 < top and texts[-1][-1] != BREAK
        if level and -height < gap < _GAP * height:
            texts.append(text)
            right = right2
            continue
        if texts:
            pieces.append(_Piece(Line(" ".join(texts), start, right, bottom, top), follows))
        follows = level and gap > 0
        texts = [text]
        start, right, bottom, top = left2, right2, bottom2, top2
    pieces.append(_Piece(Line(" ".join(texts), start, right, bottom, top), follows))
    return pieces


def _most_aligned(gaps: Sequence[_Gap]) -> list[_Gap]:
    """The gaps that a vertical line passes through, where it passes through the most."""
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
    narrow = min(median(line.right - line.left for line in side) for side in (before, after))
    edge = max(line.right for line in before)
    fill = median((line.right - line.left) / max(1.0, edge - line.left) for line in before)
    if narrow < _MIN_WIDTH * height or fill < _MIN_FILL:
        return False
    bottom, top = min(line.bottom for line in before), max(line.top for line in before)
    across = sum(line.left < edge < line.right and bottom < line.bottom < top for line, _ in pieces)
    return across * _MAX_ACROSS < len(crossing)


def _merged(pieces: Sequence[_Piece], gutters: set[int]) -> Iterator[Line]:
    """The pieces as lines: those on one line are joined, except at gutters."""
    line = pieces[0].line
    for number, piece in enumerate(pieces[1:], 1):
        if piece.follows and number not in gutters:
            line = line._replace(text=f"{line.text} {piece.line.text}", right=piece.line.right)
        else:
            yield line
            line = piece.line
    yield line
