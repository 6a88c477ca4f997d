"""Lines that run across two columns, cut at the gutter between them; and rows of tables, marked.

If a file draws its columns row by row, PDFium makes one line of everything at about one height. A
gutter is a strip of white that several lines have at the same place, with prose on both sides: several
words that end near the edge of the column, as the next word did not fit. A table has such strips too,
but its cells are short or ragged. Its rows stay whole, with `CELL` between their cells.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple, Protocol

from cleanbreak.readers.pdf.boxes import Box
from cleanbreak.readers.pdf.line import BREAK, CELL, Boxed, Line
from cleanbreak.readers.pdf.paragraphs import first_word, is_unspaced

# Heights of a line: a wider gap may be a gutter. Gaps between justified words are rarely so wide.
_GAP = 0.75
_MIN_LINES = 3
# Heights of a line, about 12 letters: the median piece of prose beside a gutter is wider.
_MIN_WIDTH = 6.0
# Most lines of prose end near the gutter: the median line must fill this share of its column.
_MIN_FILL = 0.7
# Words: the median piece of prose has as many. In scripts without spaces these letters are a word.
_MIN_WORDS = 2
_LETTERS = 4
# Share of the lines of prose in which the first word of the next one has no room.
_MIN_WRAPPED = 0.6
# Words of the median piece of a sentence, and share of pieces that start in lower case in sentences.
_SENTENCE_WORDS = 4
_CONTINUED = 0.4
# Letters: the number of an item has fewer, with its bracket or full stop.
_MARKER = 5
# At least this number of lines must have the gap for each line that runs across it.
_MAX_ACROSS = 3
# Least and most runs, about three lines, that are looked at in the middle of the page for gutters, and
# also further up and down for tables, before all words are read.
_WINDOW = 12
_MAX_WINDOW = 48


class Runs(Protocol):
    """What is read from a page: its words, and the boxes of some of its runs."""

    def words(self) -> Iterable[Boxed]:
        """All words, in content order."""

    def count_runs(self) -> int:
        """How many runs of text the page draws."""

    def runs(self, start: int, count: int) -> Sequence[Box]:
        """The boxes of runs, from a number on."""


class Piece(NamedTuple):
    """Words close together on one line, and whether the piece before is on the same line."""

    line: Line
    follows: bool


class _Gap(NamedTuple):
    piece: int
    """The number of the piece on its right."""
    left: float
    right: float


def split_columns(lines: list[Line], page: Runs) -> list[Line]:
    """The lines, each cut where a gutter passes through it, and with `CELL` between cells."""
    count = page.count_runs()
    # Each gap within a line takes one run more than there are lines.
    if len(lines) < _MIN_LINES or count < len(lines) + _MIN_LINES:
        return lines
    window = min(max(3 * count // len(lines), _WINDOW), _MAX_WINDOW, count)
    middle = page.runs((count - window) // 2, window)
    prose = _has_aligned(middle, _MIN_WIDTH)
    if not prose and not _has_aligned(middle, 0):
        others = ((count - window) // 6, 5 * (count - window) // 6)
        if not any(_has_aligned(page.runs(start, window), 0) for start in others):
            return lines
    pieces = pieces_of(page.words())
    gaps = [
        _Gap(number, one.line.right, two.line.left)
        for number, (one, two) in enumerate(pairwise(pieces), 1)
        if two.follows
    ]
    gutters: set[int] = set()
    cells: set[int] = set()
    while len(crossing := _most_aligned(gaps)) >= _MIN_LINES:
        taken = {gap.piece for gap in crossing}
        gaps = [gap for gap in gaps if gap.piece not in taken]
        if _runs_across(crossing, pieces):
            continue
        if prose and _is_gutter(crossing, pieces):
            gutters |= taken
        elif not all(_is_marker(pieces[gap.piece - 1].line) for gap in crossing):
            cells |= taken
    if gutters:
        return list(merged_pieces(pieces, gutters, cells))
    return _with_cells(lines, pieces, sorted(cells))


def _has_aligned(runs: Sequence[Box], width: float) -> bool:
    gaps = list(_gaps(runs, width))
    return len(gaps) > 1 and len(_most_aligned(gaps)) > 1


def _gaps(runs: Iterable[Box], width: float) -> Iterator[_Gap]:
    """The gaps between runs of one line, after text that is wider than a number of line heights."""
    start = right = bottom = top = 0.0
    for left2, bottom2, right2, top2 in runs:
        height = top - bottom
        if not (bottom2 < top and top2 > bottom and left2 >= right - height):
            start = left2
        elif left2 - right > _GAP * height:
            if right - start > width * height:
                yield _Gap(0, right, left2)
            start = left2
        right, bottom, top = right2, bottom2, top2


def pieces_of(words: Iterable[Boxed]) -> list[Piece]:
    """The pieces of the page, in content order."""
    pieces: list[Piece] = []
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
            pieces.append(Piece(Line(" ".join(texts), start, right, bottom, top), follows))
        follows = level and gap > 0
        texts = [text]
        start, right, bottom, top = left2, right2, bottom2, top2
    if texts:
        pieces.append(Piece(Line(" ".join(texts), start, right, bottom, top), follows))
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


def _runs_across(crossing: Sequence[_Gap], pieces: Sequence[Piece]) -> bool:
    """Whether too many lines between those with the gap have text at its place."""
    before = [pieces[gap.piece - 1].line for gap in crossing]
    edge = max(line.right for line in before)
    bottom, top = min(line.bottom for line in before), max(line.top for line in before)
    across = sum(line.left < edge < line.right and bottom < line.bottom < top for line, _ in pieces)
    return across * _MAX_ACROSS >= len(crossing)


def _is_gutter(crossing: Sequence[_Gap], pieces: Sequence[Piece]) -> bool:
    before = [pieces[gap.piece - 1].line for gap in crossing]
    after = [pieces[gap.piece].line for gap in crossing]
    height = median(line.top - line.bottom for line in before)
    narrow = min(median(line.right - line.left for line in side) for side in (before, after))
    edge = max(line.right for line in before)
    fill = median((line.right - line.left) / max(1.0, edge - line.left) for line in before)
    if narrow < _MIN_WIDTH * height or fill < _MIN_FILL:
        return False
    return _is_wrapped(before) and (_is_wrapped(after) or _is_sentence(after))


def _is_wrapped(lines: Sequence[Line]) -> bool:
    """Whether these pieces are lines of several words that end where the next word had no room."""
    if median(map(_words, lines)) < _MIN_WORDS:
        return False
    edge = sorted(line.right for line in lines)[len(lines) * 4 // 5]
    letter = median((line.right - line.left) / len(line.text) for line in lines)
    wrapped = sum(
        one.right + letter * (first_word(two.text) + 1) >= edge for one, two in pairwise(lines)
    )
    return wrapped >= _MIN_WRAPPED * (len(lines) - 1)


def _is_sentence(lines: Sequence[Line]) -> bool:
    """Whether these pieces, which may run on into a third column, continue each other."""
    continued = sum(line.text[0].islower() for line in lines)
    return median(map(_words, lines)) >= _SENTENCE_WORDS and continued >= _CONTINUED * len(lines)


def _is_marker(line: Line) -> bool:
    """Whether it is a bullet or the number of an item, which a gap follows but no cell."""
    return len(line.text) < _MARKER or not any(map(str.isalnum, line.text))


def _words(line: Line) -> int:
    if is_unspaced(line.text[0]):
        return len(line.text) // _LETTERS
    return line.text.count(" ") + 1


def merged_pieces(pieces: Sequence[Piece], gutters: set[int], cells: set[int]) -> Iterator[Line]:
    """The pieces as lines: those on one line are joined, except at gutters."""
    line = pieces[0].line
    for number, piece in enumerate(pieces[1:], 1):
        if piece.follows and number not in gutters:
            sign = CELL if number in cells else " "
            line = line._replace(text=f"{line.text}{sign}{piece.line.text}", right=piece.line.right)
        else:
            yield line
            line = piece.line
    yield line


def _with_cells(lines: list[Line], pieces: Sequence[Piece], cells: Sequence[int]) -> list[Line]:
    """The lines with `CELL` for the space before each piece with one of these numbers."""
    marked = list(lines)
    place = 0
    for number in cells:
        before = pieces[number - 1].line
        pair = f"{before.text} {pieces[number].line.text}"
        for at in range(place, len(marked)):
            line = marked[at]
            if pair in (plain := line.text.replace(CELL, " ")):
                cut = plain.index(pair) + len(before.text)
                marked[at] = line._replace(text=f"{line.text[:cut]}{CELL}{line.text[cut + 1 :]}")
                place = at
                break
    return marked
