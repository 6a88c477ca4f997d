"""Lines of scripts that are written from the right, such as Hebrew and Arabic."""

from collections.abc import Sequence

from cleanbreak.readers.pdf.line import Line

# In these blocks of Unicode all letters are written from the right; there are none below the first.
_BLOCKS = (("\u0590", "\u08ff"), ("\ufb1d", "\ufdff"), ("\ufe70", "\ufeff"))
_FIRST = _BLOCKS[0][0]


def reads_from_right(lines: Sequence[Line]) -> bool:
    """Whether most of these lines start in such a script."""
    # On most pages three lines are enough to know that none does.
    if all(lines[place].text[0] < _FIRST for place in (0, len(lines) // 2, -1)):
        return False
    heads = [line.text[0] for line in lines]
    from_right = sum(any(low <= head <= high for low, high in _BLOCKS) for head in heads)
    return 2 * from_right > len(heads)


def from_left(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines; those of a script from the right are mirrored, so that they too start at the left."""
    if not lines or not reads_from_right(lines):
        return lines
    return [line._replace(left=-line.right, right=-line.left) for line in lines]
