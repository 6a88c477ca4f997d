"""Text outside the visible page: printer's slugs, and the other half of a spread cut by its crop box."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from cleanbreak.readers.pdf.boxes import Box
from cleanbreak.readers.pdf.columns import Piece, merged_pieces, pieces_of
from cleanbreak.readers.pdf.line import Boxed, Line

# Heights of a line: a line that is longer than the page by less was set too long by mistake.
_TOO_LONG = 3.0


def visible_lines(
    lines: Sequence[Line], words: Callable[[], Iterable[Boxed]], box: Box
) -> tuple[list[Line], list[Line]]:
    """The lines that are in the box, and those that are not.

    A line that runs across the edge is cut at the gap there. If there is none, it stays whole: words
    of a line that is too long are not lost.
    """
    kept: list[Line] = []
    hidden: list[Line] = []
    for line in lines:
        (kept if _is_visible(line, box) else hidden).append(line)
    if any(_sticks_out(line, box) for line in kept):
        pieces, cut_off = _visible_pieces(pieces_of(words()), box)
        if _size(cut_off) > _size(hidden):
            return pieces, cut_off
    return kept, hidden


def without_hidden(words: Iterable[Boxed], hidden: Sequence[Line], box: Box) -> Iterator[Boxed]:
    """The words that are not part of these lines, which are hidden by the edges of the box."""
    left, bottom, right, top = box
    # No hidden line reaches further into the page than its own height; most words are further in.
    height = max(line.top - line.bottom for line in hidden)
    low, high, start, end = bottom + height, top - height, left + height, right - height
    for word in words:
        _, left2, right2, bottom2, top2 = word
        inside = start < left2 and right2 < end and low < bottom2 and top2 < high
        if inside or not any(_covers(line, word) for line in hidden):
            yield word


def _covers(line: Line, word: Boxed) -> bool:
    _, left, right, bottom, top = word
    return (
        line.left <= left and right <= line.right and line.bottom <= (bottom + top) / 2 < line.top
    )


def _size(lines: Iterable[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _visible_pieces(pieces: Iterable[Piece], box: Box) -> tuple[list[Line], list[Line]]:
    kept: list[Piece] = []
    hidden: list[Line] = []
    follows = False
    for piece in pieces:
        if _is_visible(piece.line, box):
            kept.append(piece._replace(follows=piece.follows and follows))
            follows = True
        else:
            hidden.append(piece.line)
            follows = False
    return (list(merged_pieces(kept, set(), set())) if kept else []), hidden


def _is_visible(line: Line, box: Box) -> bool:
    left, bottom, right, top = box
    wide = min(right, line.right) - max(left, line.left)
    height = line.top - line.bottom
    return (
        wide >= min(height, (line.right - line.left) / 2)
        and bottom <= (line.bottom + line.top) / 2 <= top
    )


def _sticks_out(line: Line, box: Box) -> bool:
    allowed = _TOO_LONG * (line.top - line.bottom)
    return line.left < box[0] - allowed or line.right > box[2] + allowed
