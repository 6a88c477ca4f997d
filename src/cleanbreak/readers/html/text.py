"""The text of one chapter: its blocks become lines and paragraphs, as a reader would see them.

What a browser shows with space around it (paragraphs, headings, lists, a division that holds other
blocks) is set apart by a blank line; what merely starts on a new line (``br``, ``li``, ``tr``, a
division with nothing but words in it, as verse often is) by a newline; cells of a row by a tab.
White space is collapsed as HTML does it, so no-break and ideographic spaces stay.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, NamedTuple

from cleanbreak.readers.html.markup import Markup

LINE, PARAGRAPH = 1, 2

_BREAKS = dict.fromkeys(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "details",
        "dialog",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "ul",
        "level",
        "level1",
        "level2",
        "level3",
        "level4",
        "level5",
        "level6",
        "frontmatter",
        "bodymatter",
        "rearmatter",
        "doctitle",
        "docauthor",
        "note",
        "sidebar",
        "poem",
        "linegroup",
    ],
    PARAGRAPH,
)
_BREAKS |= dict.fromkeys(
    [
        "caption",
        "dd",
        "div",
        "dt",
        "li",
        "line",
        "optgroup",
        "option",
        "tr",
        "mtr",
        "text",
        "legend",
        "tbody",
        "thead",
        "tfoot",
    ],
    LINE,
)
"""HTML, and what DTBook, MathML and SVG have besides."""
_DIVISION = "div"
_CELLS = ("td", "th", "mtd")
_JOINED = {"mfrac": "/", "msup": "^", "msub": "_"}
"""What to write between the parts of a formula, that 1/2 may not read 12."""

_TELLING = frozenset((*_BREAKS, *_CELLS, "ruby", "tspan"))
"""The elements whose start or end means something. Most are inline and mean nothing here."""

_SKIPPED = frozenset(
    [
        "head",
        "script",
        "style",
        "template",
        "noscript",
        "iframe",
        "audio",
        "video",
        "rt",
        "rp",
        "rtc",
        "annotation",
        "annotation-xml",
        "title",
        "desc",
        "metadata",
        "-comment",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HTML_SPACE = " \t\n\r\f"
_SOFT_HYPHEN = "\u00ad"

_PAGE_BREAK = '[epub\\:type~="pagebreak"], [role~="doc-pagebreak"]'
_NOTE_REFERENCE = (
    '[epub\\:type~="noteref"], [role~="doc-noteref"], '
    '[epub\\:type~="backlink"], [role~="doc-backlink"]'
)
_NOTE_MARK = re.compile(r"[\[(]?(?:\d{1,4}|[*†‡§]{1,3})[\])]?")
"""What is taken for the mark of a note where a raised link says no more."""

_ROWS = ("tr", "mtr")
_LABEL_LENGTH = 30
_MARK_LENGTH = 16
_LAYOUT_BLOCKS = 3
"""A table cell with as many blocks lays out a page and is no cell of a row."""


class PageMark(NamedTuple):
    """A page of the printed book starts here."""

    label: str
    offset: int


class HeadingMark(NamedTuple):
    """A heading starts here."""

    level: int
    offset: int


class Chapter(NamedTuple):
    """The text of a chapter, the places in it that were asked for, and what was left out."""

    text: str
    anchors: dict[str, int]
    pages: list[PageMark]
    headings: list[HeadingMark]
    note_references: int
    soft_hyphens: int
    rubies: int


def read_chapter(markup: Markup, anchors: Collection[str] = (), *, is_nav: bool = False) -> Chapter:
    """The text of `markup` and the offsets of the ids in `anchors`.

    Of a navigation document that is itself read, the lists for the machine are left out.
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(markup.utf8)
    root = tree.body or tree.root
    return _Reader(_Specials(tree, root, markup.utf8, anchors), is_nav=is_nav).read(root)


class _Specials:
    """The elements that need more than their name to be known, looked up once a chapter.

    Asking every element for its attributes would cost more than all the rest, so what the bytes
    cannot hold is not looked for.
    """

    def __init__(self, tree: Any, root: Any, utf8: bytes, anchors: Collection[str]) -> None:
        self.pages: dict[int, str] = {}
        self.skipped: set[int] = set()
        self.anchors: dict[int, str] = {}
        if b"pagebreak" in utf8:
            self.pages = {node.mem_id: _label(node) for node in tree.css(_PAGE_BREAK)}
        if b"noteref" in utf8 or b"backlink" in utf8:
            self._skip(filter(_is_short, tree.css(_NOTE_REFERENCE)))
        if b"<sup" in utf8:
            self._skip(filter(_is_note_mark, tree.css("sup a[href*='#'], a[href*='#'] sup")))
        if anchors:
            for node in tree.css("[id], a[name]"):
                name = node.id or node.attributes.get("name")
                if name in anchors:
                    start = root if node.tag == "html" else node
                    self.anchors[start.mem_id] = name
        self.all = frozenset((*self.pages, *self.skipped, *self.anchors))

    def _skip(self, nodes: Any) -> None:
        self.skipped.update(node.mem_id for node in nodes)


class _Frame:
    """An element that is open: what is left of its children, and what it has held so far."""

    __slots__ = ("holds_blocks", "nodes", "start", "tag", "undo_cell")

    def __init__(self, node: Any, tag: str, start: int) -> None:
        self.nodes: Iterator[Any] = node.iter(include_text=True)
        self.tag = tag
        self.start = start
        self.holds_blocks = False
        self.undo_cell = False


class _Reader:
    """Walks a chapter once, in order, without recursion: markup may nest as deep as it likes."""

    __slots__ = (
        "_awaiting", "_break", "_cells", "_found", "_is_nav", "_length", "_note_references",
        "_parts", "_pres", "_rubies", "_soft_hyphens", "_space", "_specials", "_tabs",
    )  # fmt: skip

    def __init__(self, specials: _Specials, *, is_nav: bool) -> None:
        self._specials = specials
        self._is_nav = is_nav
        self._parts: list[str] = []
        self._length = 0
        self._break = 0  # newlines owed before the next word
        self._tabs = 0  # owed before the next cell of this row
        self._space = False  # owed before the next word of this line
        self._cells = self._pres = 0  # open ones
        self._awaiting: list[Callable[[int], None]] = []  # told where the next word starts
        self._found = Chapter("", {}, [], [], 0, 0, 0)
        self._note_references = self._soft_hyphens = self._rubies = 0

    def read(self, root: Any) -> Chapter:
        """The chapter under `root`."""
        frame = _Frame(root, "body", 0)
        stack: list[_Frame] = []
        special = self._specials.all
        if root.mem_id in special:
            self._left_out(root.mem_id, root)
        while True:
            for node in frame.nodes:
                if node.is_text_node:
                    text = node.text_content
                    # Most text nodes are but the white space between elements.
                    if text.strip(_HTML_SPACE) or self._pres:
                        self._text(text)
                    else:
                        self._space = True
                    continue
                tag = node.tag
                if tag in _SKIPPED or (tag == "nav" and self._is_nav):
                    continue
                if special and (key := node.mem_id) in special and self._left_out(key, node):
                    continue
                if tag == "br":
                    self._owe(min(self._break + 1, PARAGRAPH))
                    continue
                inner = _Frame(node, tag, self._length)
                if tag in _TELLING or frame.tag in _JOINED:
                    self._enter(node, inner, frame)
                stack.append(frame)
                frame = inner
                break
            else:
                if frame.tag in _TELLING:
                    self._leave(frame)
                if not stack:
                    break
                frame = stack.pop()
        self._settle(self._length)
        return self._found._replace(
            text="".join(self._parts),
            note_references=self._note_references,
            soft_hyphens=self._soft_hyphens,
            rubies=self._rubies,
        )

    # --- elements ---

    def _left_out(self, key: int, node: Any) -> bool:
        """Note what is special about an element, and whether its words are no part of the text."""
        specials = self._specials
        if (anchor := specials.anchors.get(key)) is not None:
            self._awaiting.append(partial(self._found.anchors.__setitem__, anchor))
        if (label := specials.pages.get(key)) is not None:
            self._awaiting.append(lambda at: self._found.pages.append(PageMark(label, at)))
            return len(_words(node, _LABEL_LENGTH + 1)) <= _LABEL_LENGTH
        if key in specials.skipped:
            self._note_references += 1
            return True
        return False

    def _enter(self, node: Any, frame: _Frame, parent: _Frame) -> None:
        tag = frame.tag
        if (level := _BREAKS.get(tag)) is not None:
            if parent.tag == _DIVISION and not parent.holds_blocks and parent.start == self._length:
                level = PARAGRAPH  # the division turns out to hold blocks
            parent.holds_blocks = True
            self._owe(level)
            if tag in _HEADINGS:
                self._begin_heading(_HEADINGS[tag])
            elif tag == "pre":
                self._pres += 1
        elif tag in _CELLS:
            frame.undo_cell = not _is_layout(node)
            self._cells += frame.undo_cell
        elif tag == "ruby":
            self._rubies += 1
        elif tag == "tspan" and "x" in node.attributes:
            self._owe(LINE)
        elif parent.tag in _JOINED and self._length > parent.start:
            self._space = False
            self._write(_JOINED[parent.tag])

    def _leave(self, frame: _Frame) -> None:
        tag = frame.tag
        if (level := _BREAKS.get(tag)) is not None:
            self._owe(PARAGRAPH if tag == _DIVISION and frame.holds_blocks else level)
            if tag in _ROWS:
                self._tabs = 0
            elif tag == "pre":
                self._pres -= 1
        elif frame.undo_cell:
            self._cells -= 1
            self._space = False
            if not self._cells:
                self._tabs += 1

    def _owe(self, newlines: int) -> None:
        if self._cells:
            self._space = True  # a row stays one line
        elif newlines > self._break:
            self._break = newlines

    def _begin_heading(self, level: int) -> None:
        headings = self._found.headings
        self._awaiting.append(lambda at: headings.append(HeadingMark(level, at)))

    # --- words ---

    def _text(self, text: str) -> None:
        if _SOFT_HYPHEN in text:
            self._soft_hyphens += text.count(_SOFT_HYPHEN)
            text = text.replace(_SOFT_HYPHEN, "")
        if self._pres:
            if text:
                self._write(text.replace("\r\n", "\n").replace("\r", "\n"))
            return
        words = text.strip(_HTML_SPACE)
        if not words:
            self._space = True
            return
        if text[0] in _HTML_SPACE:
            self._space = True
        self._write(_collapsed(words))
        if text[-1] in _HTML_SPACE:
            self._space = True

    def _write(self, words: str) -> None:
        """Put words down behind whatever is owed before them."""
        if self._break or self._tabs:
            lead = ("\n" * self._break if self._length else "") + "\t" * self._tabs
            self._break = self._tabs = 0
        else:
            lead = " " if self._space and self._length else ""
        self._space = False
        if lead:
            self._parts.append(lead)
            self._length += len(lead)
        if self._awaiting:
            self._settle(self._length)
        self._parts.append(words)
        self._length += len(words)

    def _settle(self, offset: int) -> None:
        for tell in self._awaiting:
            tell(offset)
        self._awaiting.clear()


def _collapsed(words: str) -> str:
    """Every run of HTML's white space as one space, by replacing alone, which is fastest."""
    for space in "\n\t\r\f":
        if space in words:
            words = words.replace(space, " ")
    while "  " in words:
        words = words.replace("  ", " ")
    return words


def _is_layout(cell: Any) -> bool:
    return sum(child.tag in _BREAKS for child in cell.iter()) >= _LAYOUT_BLOCKS


def _is_short(node: Any) -> bool:
    """Whether what refers to a note is a mark, and not words of the text that lead to it."""
    return len(_words(node, _MARK_LENGTH + 1)) <= _MARK_LENGTH


def _is_note_mark(node: Any) -> bool:
    return _NOTE_MARK.fullmatch(_words(node, 8)) is not None


def _label(node: Any) -> str:
    """A page's number: its title, or the words in it, or what its id ends in."""
    attributes = node.attributes
    label = attributes.get("title") or attributes.get("aria-label") or _words(node, _LABEL_LENGTH)
    return label.strip() or re.sub(r"^\D*[_-]?", "", node.id or "")


def _words(node: Any, enough: int) -> str:
    """The text in `node`, up to about `enough` characters, its white space collapsed."""
    found = ""
    for inner in node.traverse(include_text=True):
        if inner.is_text_node:
            found += inner.text_content
            if len(found) >= 2 * enough:
                break
    return " ".join(found.split())[:enough]
