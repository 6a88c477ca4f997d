"""Lines typed on a page, among those printed on it: a field after its label, longer text at the end."""

from collections.abc import Sequence

from cleanbreak.readers.pdf.annotations import Typed
from cleanbreak.readers.pdf.boxes import Box
from cleanbreak.readers.pdf.columns import merged_pieces, pieces_of
from cleanbreak.readers.pdf.line import Boxed, Line, on_one_row

# Points: the height of a line in a field without an appearance, and of a note.
_HEIGHT = 10.0
# Points from one note to the next, so that each is a paragraph.
_APART = 40.0


def with_typed(lines: Sequence[Line], typed: Sequence[Typed], words: Sequence[Boxed]) -> list[Line]:
    """The lines in reading order, with what is typed on their page.

    Args:
        lines: the printed lines.
        typed: what is typed there.
        words: the words that its appearance adds to the page.
    """
    placed = list(lines)
    notes: list[str] = []
    for one in typed:
        drawn = [word for word in words if _is_in(word, one.box)]
        rows = list(merged_pieces(pieces_of(drawn), set(), set())) if drawn else _entry(one)
        if one.is_field and len(rows) == 1:
            placed.insert(_after_label(placed, rows[0]), rows[0])
        elif rows:
            notes.append(" ".join(row.text for row in rows))
    place = min((line.bottom for line in placed), default=0.0)
    for number, note in enumerate(notes, 1):
        low = place - _APART * number
        placed.append(Line(note, 0.0, _HEIGHT * len(note), low, low + _HEIGHT))
    return placed


def _is_in(word: Boxed, box: Box) -> bool:
    _, left, right, bottom, top = word
    return box[0] < (left + right) / 2 < box[2] and box[1] < (bottom + top) / 2 < box[3]


def _entry(one: Typed) -> list[Line]:
    """The lines of the value of its entry."""
    left, bottom, right, top = one.box
    height = max(1.0, min(_HEIGHT, top - bottom))
    rows = [row.strip() for row in one.text.splitlines() if row.strip()]
    return [
        Line(row, left, max(left + 1, right), top - height * number, top - height * (number - 1))
        for number, row in enumerate(rows, 1)
    ]


def _after_label(lines: Sequence[Line], field: Line) -> int:
    """The place after the label of a field: the line on its left, or else the one above it."""
    beside = [
        number
        for number, line in enumerate(lines)
        if on_one_row(line, field) and line.left < field.left
    ]
    if beside:
        return max(beside, key=lambda number: lines[number].left) + 1
    above = [
        number
        for number, line in enumerate(lines)
        if line.bottom >= field.bottom and line.left < field.right and field.left < line.right
    ]
    if above:
        return min(above, key=lambda number: lines[number].bottom) + 1
    return len(lines)
