"""A line of a page with its box, and the signs that stand in its text until that is written."""

from typing import NamedTuple

BREAK = "\ufffe"
"""PDFium's character for a hyphen that breaks a word at the end of a line."""
CELL = "\t"
"""What separates the cells of a row of a table until the text is written, with a space for it."""

# Two lines are on one row if they overlap by this share of the smaller height. Lines of a paragraph
# overlap by a tenth at most.
_SHARED = 0.4


class Line(NamedTuple):
    """A line, or the part of one in its column. Coordinates are points, upwards and rightwards.

    ``text`` ends in `BREAK` if a hyphen breaks a word at its end. ``bottom`` and ``top`` are those
    of the font and not of the glyphs, so that lines in one font can be compared.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float


Boxed = tuple[str, float, float, float, float]
"""The fields of a `Line`."""


def on_one_row(one: Line, two: Line) -> bool:
    """Whether `two` starts to the right of `one` at about the same height.

    PDFium starts a line where the text is raised or lowered, as for the number of a note.
    """
    shared = min(one.top, two.top) - max(one.bottom, two.bottom)
    return one.left < two.left and shared > _SHARED * min(
        one.top - one.bottom, two.top - two.bottom
    )
