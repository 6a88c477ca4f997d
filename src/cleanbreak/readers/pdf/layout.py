"""Reading order of a page's lines: the order of the content, or by box if that is clearly wrong.

The order of the content is that in which the author's program wrote it. It is mostly right where
boxes mislead: tables, forms, captions. It is not used if it jumps back, to a line above that is not
in a later column. Then lines below each other form a block, and blocks are read from the top down
and, if there is a gutter between them, column by column.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from cleanbreak.readers.pdf.direction import reads_from_right
from cleanbreak.readers.pdf.line import Line, on_one_row
from cleanbreak.readers.pdf.paragraphs import is_unspaced

# Heights of a line: a line further below a block does not belong to it.
_NEAR = 1.0
# How many of the last blocks a line may join; content drawn row by row alternates between columns.
_RECENT = 6
# Heights of a line: in any font letters are wider on average.
_UPRIGHT = 0.2
_MAX_DEPTH = 32
# Heights of a letter: columns of vertical writing start at about one height, indented or not.
_SAME_TOP = 4.0


class _Block(NamedTuple):
    lines: list[Line]
    left: float
    right: float
    bottom: float
    top: float


def reading_order(lines: list[Line], *, split: bool = False) -> list[Line]:
    """The lines in the order in which a person reads them.

    Args:
        lines: in content order.
        split: lines were cut at a gutter, so content order is known to be row by row.
    """
    vertical = is_unspaced(lines[-1].text[0])
    if not split and not vertical and not _rises(lines):
        return lines
    if 2 * sum(map(_is_upright, lines)) > len(lines):
        return _columns_from_right(lines) if vertical else lines
    from_right = reads_from_right(lines)
    if not split and not _jumps_back(lines, from_right=from_right):
        return lines
    ordered = _ordered(_blocks(lines), _MAX_DEPTH, from_right=from_right)
    return [line for block in ordered for line in block.lines]


def _columns_from_right(lines: Sequence[Line]) -> list[Line]:
    """The lines of vertical writing, which is read from the right, if they were drawn from the left."""
    runs: list[list[Line]] = []
    for line in lines:
        last = runs[-1][-1] if runs else line
        near = abs(line.top - last.top) < _SAME_TOP * (line.top - line.bottom)
        if runs and near and line.left > last.left:
            runs[-1].append(line)
        else:
            runs.append([line])
    return [line for run in runs for line in reversed(run)]


def _rises(lines: Sequence[Line]) -> bool:
    """Whether a line is above the one before it. On most pages none is."""
    floor = inf
    for _, _, _, bottom, top in lines:
        if bottom >= floor:
            return True
        floor = top
    return False


def _is_upright(line: Line) -> bool:
    """Whether it is written down or up the page, so that it is as narrow as a letter."""
    count = len(line.text)
    return count > 3 and line.right - line.left < _UPRIGHT * (line.top - line.bottom) * count


def _jumps_back(lines: Sequence[Line], *, from_right: bool) -> bool:
    """Whether a line is above the one before it, and not in a later column."""
    for one, two in pairwise(lines):
        if two.bottom < one.top:
            continue
        further = two.right <= one.left if from_right else two.left >= one.right
        if not further:
            return True
    return False


def _blocks(lines: Iterable[Line]) -> list[_Block]:
    blocks: list[_Block] = []
    for line in lines:
        for number in range(len(blocks) - 1, max(-1, len(blocks) - 1 - _RECENT), -1):
            if _continues(blocks[number], line):
                block = blocks.pop(number)
                block.lines.append(line)
                blocks.append(_around(block, line))
                break
        else:
            blocks.append(_Block([line], line.left, line.right, line.bottom, line.top))
    return blocks


def _continues(block: _Block, line: Line) -> bool:
    """Whether the line is directly below the last line of the block, or continues it."""
    last = block.lines[-1]
    height = max(last.top - last.bottom, line.top - line.bottom)
    if on_one_row(last, line):
        return line.left - last.right < height
    if not -0.5 * height < last.bottom - line.top < _NEAR * height:
        return False
    shared = min(block.right, line.right) - max(block.left, line.left)
    return shared > 0.5 * min(block.right - block.left, line.right - line.left)


def _around(block: _Block, line: Line) -> _Block:
    return _Block(
        block.lines,
        min(block.left, line.left),
        max(block.right, line.right),
        min(block.bottom, line.bottom),
        max(block.top, line.top),
    )


def _ordered(blocks: list[_Block], depth: int, *, from_right: bool) -> list[_Block]:
    """Blocks from the top down, column by column.

    The page is cut at every horizontal strip of white. Neighbouring bands with a common gutter
    belong to the same columns, and are joined again before the columns are read.
    """
    if len(blocks) < 2 or not depth:
        return blocks
    columns = _parts(blocks, "left", "right")
    if len(columns) > 1:
        if from_right:
            columns.reverse()
        return [
            block
            for column in columns
            for block in _ordered(column, depth - 1, from_right=from_right)
        ]
    bands = _joined(_bands(blocks))
    if len(bands) == 1:
        return sorted(blocks, key=lambda block: (-block.top, block.left))
    return [block for band in bands for block in _ordered(band, depth - 1, from_right=from_right)]


def _bands(blocks: Sequence[_Block]) -> list[list[_Block]]:
    return _parts(blocks, "bottom", "top")[::-1]


def _parts(blocks: Sequence[_Block], low: str, high: str) -> list[list[_Block]]:
    """The blocks grouped by the strips of white between their intervals, lowest first.

    Neighbours may overlap by a tenth of the shorter one: boxes of fonts are larger than the glyphs.
    """
    parts: list[list[_Block]] = []
    edge = 0.0
    for block in sorted(blocks, key=lambda block: float(getattr(block, low))):
        start, end = getattr(block, low), getattr(block, high)
        if parts and start < edge - 0.1 * min(end - start, edge - start + 10):
            parts[-1].append(block)
            edge = max(edge, end)
        else:
            parts.append([block])
            edge = end
    return parts


def _joined(bands: Iterable[list[_Block]]) -> list[list[_Block]]:
    joined: list[list[_Block]] = []
    for band in bands:
        if joined and len(band) > 1 and len(_parts(joined[-1], "left", "right")) > 1:
            both = joined[-1] + band
            if len(_parts(both, "left", "right")) > 1:
                joined[-1] = both
                continue
        joined.append(band)
    return joined
