"""Puts a text together: words, what stands between them, and the places in it that are marked."""

from collections.abc import Callable
from itertools import accumulate
from typing import Literal, NamedTuple

SPACE = " \t\n\r\f"
"""What HTML collapses; no-break and ideographic spaces are text."""
LINE, PARAGRAPH = 1, 2
"""Newlines before and after the content of a block."""


class Mark:
    """A place in the text. ``end`` is set for a mark that has a length."""

    __slots__ = ("end", "kind", "level", "part", "title")

    def __init__(self, kind: Literal["anchor", "page", "heading", "figure"], title: str) -> None:
        self.kind = kind
        self.title = title
        self.level = 1
        # Indexes of the parts of the text, as a part may still be rewritten.
        self.part = -1
        self.end = -1


class Prefix(NamedTuple):
    """Text that stands directly before the next words, if it fits them."""

    text: str
    fits: Callable[[str], bool]


class State(NamedTuple):
    """How far a text was at a moment, so that it can be taken back to it."""

    size: int
    newlines: int
    tabs: int
    space: bool
    cell_newlines: int
    cell_tabs: int
    prefixes: tuple[Prefix, ...]


class Writer:
    """A text that grows by words. What is between two words is written with the second.

    In a cell of a table white space is undecided until the cell ends: a cell of words is a piece of
    a line, a cell of blocks lays out a page. `parts` then holds the first form, `_cells` the other.
    """

    __slots__ = (
        "_cell_newlines",
        "_cell_tabs",
        "_cells",
        "_marks",
        "_newlines",
        "_parts",
        "_pending",
        "_prefixes",
        "_space",
        "_tabs",
    )  # fmt: skip

    def __init__(self) -> None:
        self._parts: list[str] = []
        # What is to be written before the next words.
        self._newlines = 0
        self._tabs = 0
        self._space = False
        self._prefixes: list[Prefix] = []
        # The same as if no cell were open, and for each open cell what it would be between words.
        self._cell_newlines = 0
        self._cell_tabs = 0
        self._cells: list[dict[int, str]] = []
        self._pending: list[Mark] = []
        self._marks: list[Mark] = []

    # --- words ---

    def _write(self, words: str) -> None:
        """Append words, after the newlines, tabs or space that are due."""
        parts = self._parts
        if self._cells:
            self._write_lead_in_cell()
        elif self._newlines or self._tabs:
            lead = ("\n" * self._newlines if parts else "") + "\t" * self._tabs
            self._newlines = self._tabs = 0
            if lead:
                parts.append(lead)
        elif self._space and parts:
            parts.append(" ")
        self._space = False
        if self._pending:
            self._place_marks()
        if self._prefixes:
            self._write_prefixes(words)
        parts.append(words)

    def _write_lead_in_cell(self) -> None:
        parts = self._parts
        lead = _lead(self._newlines, self._tabs, space=self._space, first=not parts)
        other = _lead(self._cell_newlines, self._cell_tabs, space=self._space, first=not parts)
        self._newlines = self._tabs = self._cell_newlines = self._cell_tabs = 0
        if lead or other:
            if lead != other:
                self._cells[-1][len(parts)] = other
            parts.append(lead)

    def _write_prefixes(self, words: str) -> None:
        for prefix in self._prefixes:
            if prefix.fits(words):
                self._parts.append(prefix.text)
        self._prefixes.clear()

    def _request_break(self, newlines: int) -> None:
        """Have at least this many newlines before the next words."""
        if self._cells:
            self._space = True  # a row stays one line
            self._cell_newlines = max(self._cell_newlines, newlines)
        elif newlines > self._newlines:
            self._newlines = newlines

    # --- cells ---

    def _open_cell(self) -> None:
        if not self._cells:
            self._cell_newlines, self._cell_tabs = self._newlines, self._tabs
        self._cells.append({})

    def _close_cell(self, *, is_layout: bool) -> None:
        leads = self._cells.pop()
        outer = self._cells[-1] if self._cells else None
        if is_layout and outer is not None:
            outer.update(leads)
        elif is_layout:
            for part, lead in leads.items():
                self._parts[part] = lead
            self._newlines, self._tabs = self._cell_newlines, self._cell_tabs
        elif outer is not None:
            self._space = True
            self._cell_tabs += 1
        else:
            self._space = False
            self._tabs += 1

    def _end_row(self) -> None:
        self._cell_tabs = 0
        if not self._cells:
            self._tabs = 0

    # --- taking back ---

    def _state(self) -> State:
        return State(
            len(self._parts), self._newlines, self._tabs, self._space,
            self._cell_newlines, self._cell_tabs, tuple(self._prefixes),
        )  # fmt: skip

    def _rewrite(self, size: int, text: str) -> None:
        """Put `text` in place of all that was written since there were `size` parts."""
        self._parts[size:] = [text]
        for mark in reversed(self._marks):
            if mark.part <= size:
                break
            mark.part = size
        self._forget_cells(size)

    def _written_since(self, size: int) -> str:
        return " ".join("".join(self._parts[size:]).split())

    def _take_back(self, state: State) -> None:
        """Leave out what was written since `state`; marks that lie in it move to the next words."""
        size, self._newlines, self._tabs, self._space = state[:4]
        self._cell_newlines, self._cell_tabs = state.cell_newlines, state.cell_tabs
        self._prefixes[:] = state.prefixes
        del self._parts[size:]
        self._forget_cells(size)
        moved = []
        while self._marks and self._marks[-1].part >= size:
            moved.append(mark := self._marks.pop())
            mark.end = -1
        self._pending[:0] = reversed(moved)

    def _forget_cells(self, size: int) -> None:
        for leads in self._cells:
            for part in [part for part in leads if part >= size]:
                del leads[part]

    # --- places ---

    def _place_marks(self) -> None:
        size = len(self._parts)
        for mark in self._pending:
            mark.part = size
        self._marks += self._pending
        self._pending.clear()

    def _offsets(self) -> list[int]:
        """The offset at which each part starts, and the length of the text."""
        return list(accumulate(map(len, self._parts), initial=0))


def _lead(newlines: int, tabs: int, *, space: bool, first: bool) -> str:
    if newlines or tabs:
        return ("" if first else "\n" * newlines) + "\t" * tabs
    return " " if space and not first else ""


def collapsed(words: str) -> str:
    """The text with each run of HTML's white space as one space. Plain replacing is fastest."""
    for space in "\n\t\r\f":
        if space in words:
            words = words.replace(space, " ")
    while "  " in words:
        words = words.replace("  ", " ")
    return words
