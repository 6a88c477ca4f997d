"""The body of a DOCX file: paragraphs, runs, tables, notes, text boxes, formulas."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from cleanbreak.readers.html.chapter import Chapter
from cleanbreak.readers.messages import Warnings
from cleanbreak.readers.office.docx_fields import checked, chosen
from cleanbreak.readers.office.docx_parts import Numbering, Style, is_on, paragraph_style
from cleanbreak.readers.office.numbering import Counter
from cleanbreak.readers.office.writer import OfficeWriter
from cleanbreak.readers.xml import attribute, child, descendants, first, local

# Elements of OfficeMath and those of MathML that say the same.
_FORMULAS = {
    "f": "mfrac", "sSup": "msup", "sSub": "msub", "sSubSup": "msubsup",
    "limLow": "munder", "limUpp": "mover", "num": "mrow", "den": "mrow", "e": "mrow", "sup": "mrow",
    "sub": "mrow", "lim": "mrow", "deg": "mrow", "mr": "mtr",
}  # fmt: skip
_SIGNS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|\S")
_UNMAPPED = "\ufffd"
_PRIVATE = range(0xE000, 0xF900)


class Body:
    """Writes the blocks of a body in order, without recursion deeper than the tables and boxes."""

    def __init__(
        self,
        warnings: Warnings,
        styles: Mapping[str, Style],
        numbering: Numbering,
        notes: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self._warnings = warnings
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._writer = OfficeWriter()
        self._counters: dict[str, Counter] = {}
        self._written_notes: set[Any] = set()
        self._is_open = False
        self._is_hidden = False

    def chapter(self) -> Chapter:
        """What was written."""
        return self._writer.chapter()

    def write(self, container: Any) -> None:
        """The blocks in a body, a cell, a note or a text box, and in what only groups blocks."""
        for element in container:
            name = local(element)
            if name == "p":
                self._paragraph(element)
            elif name == "tbl":
                self._end_paragraph()
                self._table(element)
            elif name == "AlternateContent":
                self.write(_one_of(element))
            elif name == "altChunk":
                self._warnings.add("EMBEDDED_SKIPPED")
            elif name in _GROUPS:
                self.write(element)
        self._end_paragraph()

    # --- blocks ---

    def _paragraph(self, paragraph: Any) -> None:
        properties = child(paragraph, "pPr")
        own = paragraph_style(properties)
        named = None if properties is None else child(properties, "pStyle")
        style = self._styles.get("" if named is None else attribute(named, "val"), Style())
        list_id = own.list_id or style.list_id
        if not self._is_open:
            self._writer.start_paragraph(own.heading or style.heading)
            self._is_open = True
            if list_id in self._numbering.levels:
                self._number(list_id, own.depth if own.list_id else style.depth)
        self._is_hidden = bool(style.hidden)
        self._inline(paragraph)
        if _has_deleted_end(properties):
            self._writer.text(" ")  # so that the words of two paragraphs are not one
        elif not _is_drop_capital(properties):
            self._end_paragraph()

    def _end_paragraph(self) -> None:
        if self._is_open:
            self._is_open = False
            self._writer.end_paragraph()

    def _number(self, list_id: str, depth: int) -> None:
        shared = self._numbering.shared[list_id]
        counter = self._counters.get(shared)
        if counter is None:
            counter = self._counters[shared] = Counter(self._numbering.levels[list_id])
        self._writer.text(counter.label(depth))

    def _table(self, table: Any) -> None:
        self._writer.start_table()
        for row in _inside(table, "tr"):
            if child(_properties(row, "trPr"), "del") is not None:
                continue  # a tracked change took the row away
            self._writer.start("tr")
            for cell in _inside(row, "tc"):
                self._writer.start("td")
                self.write(cell)
                self._writer.end()
            self._writer.end()
        self._writer.end_table()

    # --- inline ---

    def _inline(self, container: Any) -> None:
        for element in container:
            name = local(element)
            if name == "r":
                self._run(element)
            elif name == "AlternateContent":
                self._inline(_one_of(element))
            elif name in ("oMath", "oMathPara"):
                self._formula(element)
            elif name == "ruby":
                self._ruby(element)
            elif name in _INLINE_GROUPS:
                self._inline(element)

    def _run(self, run: Any) -> None:
        properties = _properties(run, "rPr")
        if self._vanishes(properties):
            self._warnings.add("HIDDEN_SKIPPED")
            return
        raised = child(properties, "vertAlign")
        tag = {"superscript": "sup", "subscript": "sub"}.get(
            "" if raised is None else attribute(raised, "val"), ""
        )
        if tag:
            self._writer.start(tag)
        self._pieces(run)
        if tag:
            self._writer.end()

    def _vanishes(self, properties: Any) -> bool:
        """Whether a run is hidden, by itself or by its style or that of the paragraph."""
        own, named = child(properties, "vanish"), child(properties, "rStyle")
        if own is not None:
            return is_on(own)
        style = Style() if named is None else self._styles.get(attribute(named, "val"), Style())
        return self._is_hidden if style.hidden is None else style.hidden

    def _pieces(self, container: Any) -> None:
        for element in container:
            name = local(element)
            if name == "t":
                self._writer.text(element.text or "")
            elif name == "AlternateContent":
                self._pieces(_one_of(element))
            elif (write := self._PIECES.get(name)) is not None:
                write(self, element)

    def _space(self, _element: Any) -> None:
        self._writer.text(" ")

    def _break(self, _element: Any) -> None:
        self._writer.element("br")

    def _hyphen(self, _element: Any) -> None:
        self._writer.text("\u2011")

    def _soft_hyphen(self, _element: Any) -> None:
        self._writer.text("\u00ad")

    def _symbol(self, element: Any) -> None:
        code = attribute(element, "char")
        try:
            value = int(code, 16)
        except ValueError:
            return
        if value in _PRIVATE or not 31 < value < 0x110000 or 0xD800 <= value < 0xE000:
            self._warnings.add("GLYPH_UNMAPPED")
            self._writer.text(_UNMAPPED)
        else:
            self._writer.text(chr(value))

    def _ruby(self, element: Any) -> None:
        self._writer.element("ruby")  # which counts it
        for base in descendants(element, "rubyBase"):
            self._inline(base)

    def _comment(self, _element: Any) -> None:
        self._warnings.add("COMMENT_SKIPPED")

    def _note(self, element: Any) -> None:
        kind = local(element).removesuffix("Reference")
        note = self._notes[kind].get(attribute(element, "id"))
        self._warnings.add("NOTE_REFERENCE_SKIPPED")
        if note is not None and note not in self._written_notes:
            self._written_notes.add(note)
            self._writer.later(partial(self.write, note))

    def _drawing(self, element: Any) -> None:
        """A picture, or boxes of text, which are written after the paragraph."""
        boxes = [
            box for box in descendants(element, "txbxContent") if not _is_doubled(box, element)
        ]
        for box in boxes:
            self._writer.later(partial(self.write, box))
        if not boxes:
            described = first(element, "docPr")
            self._writer.picture("" if described is None else attribute(described, "descr"))

    def _form_field(self, element: Any) -> None:
        """A check box, or what was chosen from a list; the text of other fields follows in runs."""
        data = child(element, "ffData")
        if data is None:
            return
        for kind, shown in (("checkBox", checked), ("ddList", chosen)):
            if (control := child(data, kind)) is not None:
                self._writer.text(shown(control))

    # --- formulas ---

    def _formula(self, formula: Any) -> None:
        self._writer.start("math")
        self._formula_parts(formula)
        self._writer.end()

    def _formula_parts(self, container: Any) -> None:
        for element in container:
            name = local(element)
            if name == "t":
                for sign in _SIGNS.findall(element.text or ""):
                    self._writer.start("mi")
                    self._writer.text(sign)
                    self._writer.end()
            elif name == "rad":
                degree = child(element, "deg")
                has_degree = degree is not None and first(degree, "t") is not None
                self._operands("mroot" if has_degree else "msqrt", element, "e", "deg")
            elif name == "nary":
                self._sum(element)
            elif name == "d":
                properties = _properties(element, "dPr")
                opening, closing = child(properties, "begChr"), child(properties, "endChr")
                self._writer.start(
                    "mfenced",
                    open="(" if opening is None else attribute(opening, "val"),
                    close=")" if closing is None else attribute(closing, "val"),
                )
                self._formula_parts(element)
                self._writer.end()
            elif name in _FORMULAS:
                self._writer.start(_FORMULAS[name])
                self._formula_parts(element)
                self._writer.end()
            elif name and not name.endswith("Pr"):
                self._formula_parts(element)

    def _sum(self, element: Any) -> None:
        """A sum, an integral or the like: the sign with its bounds, then what it is of."""
        sign = child(_properties(element, "naryPr"), "chr")
        self._writer.start("munderover")
        self._writer.start("mi")
        self._writer.text("∫" if sign is None else attribute(sign, "val"))
        self._writer.end()
        self._rows(element, "sub", "sup")
        self._writer.end()
        self._rows(element, "e")

    def _operands(self, tag: str, element: Any, *names: str) -> None:
        self._writer.start(tag)
        self._rows(element, *names)
        self._writer.end()

    def _rows(self, element: Any, *names: str) -> None:
        for name in names:
            part = child(element, name)
            if part is not None and (name == "e" or first(part, "t") is not None):
                self._writer.start("mrow")
                self._formula_parts(part)
                self._writer.end()

    _PIECES: ClassVar[dict[str, "Callable[[Body, Any], None]"]] = {
        "tab": _space,
        "ptab": _space,
        "br": _break,
        "cr": _break,
        "noBreakHyphen": _hyphen,
        "softHyphen": _soft_hyphen,
        "sym": _symbol,
        "ruby": _ruby,
        "footnoteReference": _note,
        "endnoteReference": _note,
        "commentReference": _comment,
        "fldChar": _form_field,
        "drawing": _drawing,
        "pict": _drawing,
        "object": _drawing,
    }


# What holds blocks or runs without being one; deleted text and what was moved away are not among them.
_GROUPS = frozenset(("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag", "txbxContent"))
_INLINE_GROUPS = _GROUPS | {"hyperlink", "fldSimple", "dir", "bdo", "subDoc"}


def _inside(container: Any, name: str) -> list[Any]:
    """The rows of a table or the cells of a row, also in what only groups them."""
    found = []
    for element in container:
        if local(element) == name:
            found.append(element)
        elif local(element) in _GROUPS:
            found += _inside(element, name)
    return found


def _one_of(alternatives: Any) -> Any:
    """The first alternative that has text, or else the first: all of them say the same."""
    choices = [element for element in alternatives if local(element) in ("Choice", "Fallback")]
    for choice in choices:
        if first(choice, "t") is not None:
            return choice
    return choices[0] if choices else ()


def _is_doubled(box: Any, within: Any) -> bool:
    """Whether a box lies in another one, or in the fallback of a drawing."""
    for outer in box.iterancestors():
        if outer is within:
            return False
        if local(outer) in ("txbxContent", "Fallback"):
            return True
    return False


def _properties(element: Any, name: str) -> Any:
    found = child(element, name)
    return () if found is None else found


def _is_drop_capital(properties: Any) -> bool:
    frame = None if properties is None else child(properties, "framePr")
    return frame is not None and attribute(frame, "dropCap") in ("drop", "margin")


def _has_deleted_end(properties: Any) -> bool:
    """Whether a tracked change took the end of the paragraph away."""
    mark = None if properties is None else child(properties, "rPr")
    return mark is not None and child(mark, "del") is not None
