"""The text of one chapter: its blocks become lines and paragraphs, as a reader would see them.

What a browser shows with space around it (paragraphs, headings, lists, a division that holds other
blocks) is set off by a blank line; what merely starts on a new line (``br``, ``li``, ``tr``, a
division that holds only words, as verse often is) by a newline; cells of a row by a tab. White
space is collapsed as HTML does it, so no-break and ideographic spaces stay.
"""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, NamedTuple

from cleanbreak.readers.html.elements import (
    BREAKS,
    CELLS,
    DIVISION,
    HANDLED,
    HEADINGS,
    JOINED,
    LINE,
    PARAGRAPH,
    ROWS,
    SKIPPED,
)
from cleanbreak.readers.html.markers import Markers, holds_only_a_label
from cleanbreak.readers.html.markup import Markup

_HTML_SPACE = " \t\n\r\f"
_SOFT_HYPHEN = "\u00ad"

# A table cell with as many blocks lays out a page and is no cell of a row.
_LAYOUT_BLOCKS = 3


class PageMark(NamedTuple):
    """A page of the printed book starts here."""

    label: str
    offset: int


class HeadingMark(NamedTuple):
    """A heading starts here."""

    level: int
    offset: int


class Chapter(NamedTuple):
    """The text of a chapter, the places in it that were asked for, and what was left out.

    Offsets are code points of ``text``; the last three fields count what was left out.
    """

    text: str
    anchors: dict[str, int]
    pages: list[PageMark]
    headings: list[HeadingMark]
    note_references: int
    soft_hyphens: int
    rubies: int


def read_chapter(markup: Markup, anchors: Collection[str] = (), *, is_nav: bool = False) -> Chapter:
    """The text of `markup` and the offsets of the ids in `anchors`.

    With `is_nav`, for a navigation document that is a chapter too, its lists are left out.
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(markup.utf8)
    root = tree.body or tree.root
    return _Reader(Markers(tree, root, markup.utf8, anchors), is_nav=is_nav).read(root)


class _Frame:
    """An open element: the children still to be read, and what it has contained so far."""

    __slots__ = ("holds_blocks", "nodes", "start", "tag", "undo_cell")

    def __init__(self, node: Any, tag: str, start: int) -> None:
        self.nodes: Iterator[Any] = node.iter(include_text=True)
        self.tag = tag
        self.start = start
        self.holds_blocks = False
        self.undo_cell = False


class _Reader:
    """Walks a chapter once, in order, without recursion: markup may be nested to any depth."""

    __slots__ = (
        "_found", "_is_nav", "_length", "_markers", "_note_references", "_open_cells", "_open_pres",
        "_parts", "_pending_marks", "_pending_newlines", "_pending_space", "_pending_tabs",
        "_rubies", "_soft_hyphens",
    )  # fmt: skip

    def __init__(self, markers: Markers, *, is_nav: bool) -> None:
        self._markers = markers
        self._is_nav = is_nav
        self._parts: list[str] = []
        self._length = 0
        self._open_cells = self._open_pres = 0
        # What is to be written before the next text: newlines, tabs between cells, or a space.
        self._pending_newlines = 0
        self._pending_tabs = 0
        self._pending_space = False
        # Called with the offset at which the next text starts.
        self._pending_marks: list[Callable[[int], None]] = []
        self._found = Chapter("", {}, [], [], 0, 0, 0)
        self._note_references = self._soft_hyphens = self._rubies = 0

    def read(self, root: Any) -> Chapter:
        """The chapter under `root`."""
        frame = _Frame(root, "body", 0)
        stack: list[_Frame] = []
        marked = self._markers.all
        if root.mem_id in marked:
            self._is_left_out(root.mem_id, root)
        while True:
            for node in frame.nodes:
                if node.is_text_node:
                    text = node.text_content
                    # Most text nodes are only the white space between elements.
                    if text.strip(_HTML_SPACE) or self._open_pres:
                        self._add_text(text)
                    else:
                        self._pending_space = True
                    continue
                tag = node.tag
                if tag in SKIPPED or (tag == "nav" and self._is_nav):
                    continue
                if marked and (key := node.mem_id) in marked and self._is_left_out(key, node):
                    continue
                if tag == "br":
                    self._request_break(min(self._pending_newlines + 1, PARAGRAPH))
                    continue
                inner = _Frame(node, tag, self._length)
                if tag in HANDLED or frame.tag in JOINED:
                    self._enter(node, inner, frame)
                stack.append(frame)
                frame = inner
                break
            else:
                if frame.tag in HANDLED:
                    self._leave(frame)
                if not stack:
                    break
                frame = stack.pop()
        self._place_marks(self._length)
        return self._found._replace(
            text="".join(self._parts),
            note_references=self._note_references,
            soft_hyphens=self._soft_hyphens,
            rubies=self._rubies,
        )

    # --- elements ---

    def _is_left_out(self, key: int, node: Any) -> bool:
        """Record a marked element; return whether what is in it is left out of the text."""
        markers = self._markers
        if (anchor := markers.anchors.get(key)) is not None:
            self._pending_marks.append(partial(self._found.anchors.__setitem__, anchor))
        if (label := markers.pages.get(key)) is not None:
            self._pending_marks.append(lambda at: self._found.pages.append(PageMark(label, at)))
            return holds_only_a_label(node)
        if key in markers.note_references:
            self._note_references += 1
            return True
        return False

    def _enter(self, node: Any, frame: _Frame, parent: _Frame) -> None:
        tag = frame.tag
        if (level := BREAKS.get(tag)) is not None:
            if parent.tag == DIVISION and not parent.holds_blocks and parent.start == self._length:
                level = PARAGRAPH  # the division turns out to hold blocks
            parent.holds_blocks = True
            self._request_break(level)
            if tag in HEADINGS:
                self._begin_heading(HEADINGS[tag])
            elif tag == "pre":
                self._open_pres += 1
        elif tag in CELLS:
            frame.undo_cell = not _is_layout(node)
            self._open_cells += frame.undo_cell
        elif tag == "ruby":
            self._rubies += 1
        elif tag == "tspan" and "x" in node.attributes:
            self._request_break(LINE)
        elif parent.tag in JOINED and self._length > parent.start:
            self._pending_space = False
            self._write(JOINED[parent.tag])

    def _leave(self, frame: _Frame) -> None:
        tag = frame.tag
        if (level := BREAKS.get(tag)) is not None:
            self._request_break(PARAGRAPH if tag == DIVISION and frame.holds_blocks else level)
            if tag in ROWS:
                self._pending_tabs = 0
            elif tag == "pre":
                self._open_pres -= 1
        elif frame.undo_cell:
            self._open_cells -= 1
            self._pending_space = False
            if not self._open_cells:
                self._pending_tabs += 1

    def _request_break(self, newlines: int) -> None:
        """Have at least this many newlines before the next text."""
        if self._open_cells:
            self._pending_space = True  # a row stays one line
        elif newlines > self._pending_newlines:
            self._pending_newlines = newlines

    def _begin_heading(self, level: int) -> None:
        headings = self._found.headings
        self._pending_marks.append(lambda at: headings.append(HeadingMark(level, at)))

    # --- text ---

    def _add_text(self, text: str) -> None:
        if _SOFT_HYPHEN in text:
            self._soft_hyphens += text.count(_SOFT_HYPHEN)
            text = text.replace(_SOFT_HYPHEN, "")
        if self._open_pres:
            if text:
                self._write(text.replace("\r\n", "\n").replace("\r", "\n"))
            return
        words = text.strip(_HTML_SPACE)
        if not words:
            self._pending_space = True
            return
        if text[0] in _HTML_SPACE:
            self._pending_space = True
        self._write(_collapsed(words))
        if text[-1] in _HTML_SPACE:
            self._pending_space = True

    def _write(self, words: str) -> None:
        """Append text, after the newlines, tabs or space that are pending."""
        if self._pending_newlines or self._pending_tabs:
            newlines = self._pending_newlines if self._length else 0
            lead = "\n" * newlines + "\t" * self._pending_tabs
            self._pending_newlines = self._pending_tabs = 0
        else:
            lead = " " if self._pending_space and self._length else ""
        self._pending_space = False
        if lead:
            self._parts.append(lead)
            self._length += len(lead)
        if self._pending_marks:
            self._place_marks(self._length)
        self._parts.append(words)
        self._length += len(words)

    def _place_marks(self, offset: int) -> None:
        for place in self._pending_marks:
            place(offset)
        self._pending_marks.clear()


def _collapsed(words: str) -> str:
    """The text with each run of HTML's white space as one space. Plain replacing is fastest."""
    for space in "\n\t\r\f":
        if space in words:
            words = words.replace(space, " ")
    while "  " in words:
        words = words.replace("  ", " ")
    return words


def _is_layout(cell: Any) -> bool:
    return sum(child.tag in BREAKS for child in cell.iter()) >= _LAYOUT_BLOCKS
