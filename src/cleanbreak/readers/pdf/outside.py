"""Text outside the visible page: printer's slugs, and the other half of a spread cut by its crop box."""

from collections.abc import Callable, Iterable, Sequence

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
