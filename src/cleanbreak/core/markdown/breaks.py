"""The places where a section of a note may be cut, cleanest level first."""

import re
from collections.abc import Callable
from itertools import pairwise

from cleanbreak.core.markdown.math import math_blocks
from cleanbreak.core.markdown.parser import Block, blocks

# What may stand between a colon that announces the next block and the end of its own.
_CLOSERS = "*_"
_COLONS = (":", "\uff1a")
# Characters before a block in which the end of the line before it is looked for.
_ENOUGH = 100

# Blocks nested deeper than this are cut like the prose around them.
_DEEPEST = 12

_LINED = frozenset({"fence", "code", "html", "table", "front matter"})
_NEWLINE = re.compile(r"\r\n|\n|\r")
_NOT_BLANK = re.compile(r"\S")
_DEFINITION = re.compile(r"(?<=[\r\n]) {0,3}\[")


def markdown_breaks(
    text: str,
    start: int,
    end: int,
    block_starts: list[int],
    may_exceed: Callable[[int, int], bool],
) -> list[list[int]]:
    """The breaks inside a section, coarsest level first, without the levels that have none.

    The levels are: starts of top-level blocks (`block_starts`); starts of nested blocks, one level
    for each depth; display math and the text beside it; groups of code lines between blank lines; rows and lines, first without and then
    with those that separate a table head or a fence line from its neighbour. Only a block for which
    `may_exceed` is true is searched for inner breaks. A block that the block before announces, with
    a colon at its end, starts one level below: both are one unit, which is divided if it does not fit.
    """
    breaks = _Breaks(text)
    found = _NOT_BLANK.search(text, start, end)
    content = found.start() if found else end
    for first, last in pairwise([start, *block_starts, end]):
        if first > start:
            breaks.add_start(0, first)
        # Blank text before the first block can be no chunk, so the block must have room for it.
        with_blanks = start if first <= content else first
        if may_exceed(with_blanks, last):
            breaks.add_block(first, last)
    return [offsets for offsets in breaks.levels() if offsets]


class _Breaks:
    """Breaks by level, collected in the order of the text."""

    __slots__ = ("_groups", "_inner_lines", "_lines", "_math", "_nested", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        # For each depth: the starts of blocks, and those of blocks that the one before announces.
        self._nested: list[list[int]] = [[] for _ in range(2 * _DEEPEST)]
        self._math: list[int] = []
        self._groups: list[int] = []
        self._inner_lines: list[int] = []
        self._lines: list[int] = []

    def levels(self) -> list[list[int]]:
        """All levels, coarsest first."""
        lines = [sorted(offsets) for offsets in (self._inner_lines, self._lines)]
        return [*self._nested, self._math, self._groups, *lines]

    def add_block(self, start: int, end: int) -> None:
        """Add the breaks inside one top-level block and the text beside it."""
        last = end_of_last = start
        for block in blocks(self._text, start, end):
            if block.depth == 0:
                self._add_definitions(end_of_last, block.start)
                # The parser counts definitions that follow a list as part of it, but of no item.
                end_of_last = block.start if block.kind == "list" else block.end
            elif block.depth == 1 and block.kind == "item":
                end_of_last = block.end
            if block.start > last and block.depth < _DEEPEST and block.kind != "row":
                self.add_start(block.depth, block.start, is_item=block.kind == "item")
                last = block.start
            if block.kind in _LINED:
                self._add_lines(block)
        self._add_definitions(end_of_last, end)
        self._add_math(start, end)

    def add_start(self, depth: int, start: int, *, is_item: bool = False) -> None:
        """Add the start of a block. An item of a list is announced by no other item."""
        line = self._text[max(0, start - _ENOUGH) : start].rstrip().rstrip(_CLOSERS)
        is_announced = not is_item and line.endswith(_COLONS)
        self._nested[2 * depth + is_announced].append(start)

    def _add_math(self, start: int, end: int) -> None:
        """Add display math, which the parser counts as part of the text beside it, and its lines."""
        for first, last in math_blocks(self._text, start, end):
            self._math += [edge for edge in (first, last) if start < edge < end]
            newlines = _NEWLINE.finditer(self._text, first, last)
            starts = [newline.end() for newline in newlines if newline.end() < last]
            self._inner_lines += starts[1:-1]
            self._lines += starts

    def _add_lines(self, block: Block) -> None:
        newlines = _NEWLINE.finditer(self._text, block.start, block.end)
        starts = [newline.end() for newline in newlines if newline.end() < block.end]
        if block.kind == "table":
            starts = starts[1:]  # the head and the line under it are one row
        self._lines.extend(starts)
        self._inner_lines.extend(starts[slice(*self._beside_edges(block, starts))])
        for before, start in pairwise(starts):
            if self._text[before:start].isspace():
                self._groups.append(start)

    def _beside_edges(self, block: Block, starts: list[int]) -> tuple[int, int]:
        """The slice of `starts` without the line after the opening one and without the closing one."""
        if block.kind not in {"table", "fence"} or not starts:
            return 0, len(starts)
        is_closing = not self._text[starts[-1] : block.end].strip(" \t\r\n>`~")
        return 1, len(starts) - (block.kind == "fence" and is_closing)

    def _add_definitions(self, start: int, end: int) -> None:
        """Add link reference definitions: the parser reports no blocks for them."""
        if not self._text[start:end].strip():
            return
        starts = [found.start() for found in _DEFINITION.finditer(self._text, start, end)]
        self._nested[0].extend(starts[:1])
        self._lines.extend(starts[1:])
