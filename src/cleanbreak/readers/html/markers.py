"""Elements that are known by their attributes: page breaks, note references and anchors."""

import re
from collections.abc import Collection, Iterable
from typing import Any

_PAGE_BREAK = '[epub\\:type~="pagebreak"], [role~="doc-pagebreak"]'
_NOTE_REFERENCE = (
    '[epub\\:type~="noteref"], [role~="doc-noteref"], '
    '[epub\\:type~="backlink"], [role~="doc-backlink"]'
)
# Links inside the book that are raised. They refer to a note if their text is a `_NOTE_MARK`.
_RAISED_LINK = "sup a[href*='#'], a[href*='#'] sup"
_NOTE_MARK = re.compile(r"[\[(]?(?:\d{1,4}|[*†‡§]{1,3})[\])]?")
_LABEL_LENGTH = 30
_MARK_LENGTH = 16


class Markers:
    """The marked elements of a chapter, by their ids in the tree; looked up once.

    Asking each element for its attributes would cost more than everything else, so a kind of
    marker that the bytes cannot contain is not looked for.
    """

    def __init__(self, tree: Any, root: Any, utf8: bytes, anchors: Collection[str]) -> None:
        self.pages: dict[int, str] = {}
        self.note_references: set[int] = set()
        self.anchors: dict[int, str] = {}
        if b"pagebreak" in utf8:
            self.pages = {node.mem_id: _page_label(node) for node in tree.css(_PAGE_BREAK)}
        if b"noteref" in utf8 or b"backlink" in utf8:
            self._add_references(filter(_is_short, tree.css(_NOTE_REFERENCE)))
        if b"<sup" in utf8:
            self._add_references(filter(_is_note_mark, tree.css(_RAISED_LINK)))
        if anchors:
            for node in tree.css("[id], a[name]"):
                name = node.id or node.attributes.get("name")
                if name in anchors:
                    start = root if node.tag == "html" else node
                    self.anchors[start.mem_id] = name
        self.all = frozenset((*self.pages, *self.note_references, *self.anchors))

    def _add_references(self, nodes: Iterable[Any]) -> None:
        self.note_references.update(node.mem_id for node in nodes)


def holds_only_a_label(node: Any) -> bool:
    """Whether the text in a page break is at most a page's label, and not text of the chapter."""
    return len(_text(node, _LABEL_LENGTH + 1)) <= _LABEL_LENGTH


def _page_label(node: Any) -> str:
    """A page's number: its title, or the text in it, or what its id ends in."""
    attributes = node.attributes
    label = attributes.get("title") or attributes.get("aria-label") or _text(node, _LABEL_LENGTH)
    return label.strip() or re.sub(r"^\D*[_-]?", "", node.id or "")


def _is_short(node: Any) -> bool:
    """Whether a reference to a note is a mark, and not words of the text that lead to the note."""
    return len(_text(node, _MARK_LENGTH + 1)) <= _MARK_LENGTH


def _is_note_mark(node: Any) -> bool:
    return _NOTE_MARK.fullmatch(_text(node, 8)) is not None


def _text(node: Any, length: int) -> str:
    """The first characters of the text in `node`, with white space collapsed."""
    found = ""
    for inner in node.traverse(include_text=True):
        if inner.is_text_node:
            found += inner.text_content
            if len(found) >= 2 * length:
                break
    return " ".join(found.split())[:length]
