"""The body of an ODT file: paragraphs, spans, lists, tables, notes, frames."""

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from cleanbreak.readers.html.chapter import Chapter
from cleanbreak.readers.messages import Warnings
from cleanbreak.readers.office.numbering import Counter, Level
from cleanbreak.readers.office.writer import OfficeWriter
from cleanbreak.readers.xml import attribute, child, first, local, words

if TYPE_CHECKING:
    from collections.abc import Callable


class Styles(NamedTuple):
    """The names of styles that raise, lower and hide text, and the levels of lists."""

    raised: set[str]
    lowered: set[str]
    hidden: set[str]
    lists: dict[str, dict[int, Level]]


class Body:
    """Writes the blocks of a body in order."""

    def __init__(
        self, warnings: Warnings, styles: Styles, embedded: "Callable[[str], Any]"
    ) -> None:
        """`embedded` gives the root element of an embedded document by its href, or ``None``."""
        self._warnings = warnings
        self._styles = styles
        self._embedded = embedded
        self._writer = OfficeWriter()
        self._depth = -1
        self._counter: Counter | None = None
        self._label = ""
        self._last: dict[str, Counter] = {}  # of each style of list

    def chapter(self) -> Chapter:
        """What was written."""
        return self._writer.chapter()

    def write(self, container: Any) -> None:
        """The blocks in a body, a cell, a note, a box, and in what only groups blocks."""
        for element in container:
            name = local(element)
            if name in ("p", "h", "hidden-paragraph"):
                self._paragraph(element)
            elif (write := self._BLOCKS.get(name)) is not None:
                write(self, element)

    # --- blocks ---

    def _paragraph(self, element: Any) -> None:
        level = attribute(element, "outline-level")
        is_heading = local(element) == "h"
        self._writer.start_paragraph(int(level) if is_heading and level.isdigit() else is_heading)
        self._writer.text(self._label)
        self._label = ""
        if attribute(element, "style-name") in self._styles.hidden:
            self._warnings.add("HIDDEN_SKIPPED")
        else:
            self._inline(element)
        self._writer.end_paragraph()

    def _list(self, element: Any) -> None:
        outer = self._counter
        name = attribute(element, "style-name")
        if attribute(element, "continue-numbering") == "true" and name in self._last:
            self._counter = self._last[name]
        elif outer is None or name in self._styles.lists:
            self._counter = self._last[name] = Counter(self._styles.lists.get(name, {}))
        self._depth += 1
        for item in element:
            if local(item) == "list-item":
                self._label = self._counter.label(self._depth) if self._counter else ""
            self.write(item)
            self._label = ""
        self._depth -= 1
        self._counter = outer

    def _table(self, element: Any) -> None:
        self._writer.start_table()
        self._rows(element)
        self._writer.end_table()

    def _rows(self, container: Any) -> None:
        for element in container:
            if local(element) == "table-row":
                self._writer.start("tr")
                for cell in element:
                    if local(cell) == "table-cell":
                        self._writer.start("td")
                        self.write(cell)
                        self._writer.end()
                self._writer.end()
            elif local(element) in ("table-header-rows", "table-rows", "table-row-group"):
                self._rows(element)

    # --- inline ---

    def _inline(self, element: Any) -> None:
        self._writer.text(element.text or "")
        for inner in element:
            name = local(inner)
            if (write := self._PIECES.get(name)) is not None:
                write(self, inner)
            elif name and name not in _SKIPPED:
                self._inline(inner)
            self._writer.text(inner.tail or "")

    def _span(self, element: Any) -> None:
        name = attribute(element, "style-name")
        styles = self._styles
        if name in styles.hidden:
            self._warnings.add("HIDDEN_SKIPPED")
            return
        tag = "sup" if name in styles.raised else "sub" if name in styles.lowered else ""
        if tag:
            self._writer.start(tag)
        self._inline(element)
        if tag:
            self._writer.end()

    def _space(self, _element: Any) -> None:
        self._writer.text(" ")

    def _break(self, _element: Any) -> None:
        self._writer.element("br")

    def _note(self, element: Any) -> None:
        body = child(element, "note-body")
        self._warnings.add("NOTE_REFERENCE_SKIPPED")
        if body is not None:
            self._writer.later(partial(self._outside, body))

    def _outside(self, container: Any) -> None:
        """Blocks that are anchored in a list and are no items of it."""
        saved = self._counter, self._depth, self._label
        self._counter, self._depth, self._label = None, -1, ""
        self.write(container)
        self._counter, self._depth, self._label = saved

    def _comment(self, _element: Any) -> None:
        self._warnings.add("COMMENT_SKIPPED")

    def _hidden(self, _element: Any) -> None:
        self._warnings.add("HIDDEN_SKIPPED")

    def _ruby(self, element: Any) -> None:
        self._writer.element("ruby")  # which counts it
        base = child(element, "ruby-base")
        if base is not None:
            self._inline(base)

    def _frame(self, element: Any) -> None:
        """A picture, or a box of text, which is written after the paragraph."""
        box = child(element, "text-box")
        if box is not None:
            self._writer.later(partial(self._outside, box))
            return
        embedded = child(element, "object")
        formula = None if embedded is None else self._formula_of(embedded)
        if formula is not None:
            self._markup(formula)
            return
        described = child(element, "desc")
        described = child(element, "title") if described is None else described
        self._writer.picture("" if described is None else words(described))

    def _formula_of(self, embedded: Any) -> Any:
        """The formula that is embedded, in the same file or as a part of its own."""
        href = attribute(embedded, "href")
        return first(self._embedded(href) if href else embedded, "math")

    def _markup(self, element: Any) -> None:
        self._writer.start(local(element), **{k: str(v) for k, v in element.attrib.items()})
        self._writer.text(element.text or "")
        for inner in element:
            if local(inner):
                self._markup(inner)
            self._writer.text(inner.tail or "")
        self._writer.end()

    def _block_frame(self, element: Any) -> None:
        self._writer.start_paragraph()
        self._frame(element)
        self._writer.end_paragraph()

    _BLOCKS: ClassVar[dict[str, "Callable[[Body, Any], None]"]] = {
        "list": _list,
        "table": _table,
        "frame": _block_frame,
        # What only groups blocks.
        **dict.fromkeys(
            ("section", "table-of-content", "illustration-index", "table-index", "object-index",
             "user-index", "alphabetical-index", "bibliography", "index-body", "index-title",
             "numbered-paragraph", "list-header"),
            write,
        ),
    }  # fmt: skip
    _PIECES: ClassVar[dict[str, "Callable[[Body, Any], None]"]] = {
        "span": _span,
        "s": _space,
        "tab": _space,
        "line-break": _break,
        "note": _note,
        "annotation": _comment,
        "hidden-text": _hidden,
        "ruby": _ruby,
        "frame": _frame,
    }


# What is no text of the paragraph: the ends of comments, changes, marks, forms and scripts.
_SKIPPED = frozenset(("tracked-changes", "annotation-end", "script", "forms", "note-citation"))
