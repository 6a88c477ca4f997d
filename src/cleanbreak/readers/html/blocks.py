"""What elements do to the text: breaks, cells, lists, quotations, formulas, pictures."""

from collections.abc import Callable  # noqa: TC003 (class bodies of Python 3.11 to 3.13 evaluate it)
from functools import partial
from typing import ClassVar

from cleanbreak.readers.html.elements import (
    BREAKS,
    CELLS,
    CONTROLS,
    DIVISION,
    FORMULAS,
    HEADINGS,
    NOT_SHOWN,
    ROWS,
    SKIPPED,
)
from cleanbreak.readers.html.formulas import JOINS, bracketed, join, root
from cleanbreak.readers.html.frame import INLINE, Attributes, Frame, Rule
from cleanbreak.readers.html.lists import Numbering, follows_no_number
from cleanbreak.readers.html.notes import is_mark
from cleanbreak.readers.html.pictures import as_words, stands_for_words
from cleanbreak.readers.html.quotes import opens_no_quotation, quotation_marks
from cleanbreak.readers.html.styles import Styles
from cleanbreak.readers.html.writer import (
    LINE,
    PARAGRAPH,
    SPACE,
    Mark,
    Prefix,
    Writer,
    collapsed,
)  # fmt: skip
from cleanbreak.readers.powers import end_of, is_number, signs_around

# A table cell with as many blocks lays out a page and is no cell of a row.
_LAYOUT_BLOCKS = 3
_TITLE_LENGTH = 200
# The namespaces of `epub:switch` that are read.
_KNOWN_NAMESPACES = ("MathML", "xhtml", "svg")


class Blocks(Writer):
    """A writer that knows what each element does when it starts and when it ends."""

    __slots__ = (
        "_figures",
        "_formulas",
        "_frame",
        "_headings",
        "_is_nav",
        "_language",
        "_links",
        "_links_seen",
        "_note_references",
        "_pictures",
        "_pres",
        "_quotations",
        "_rubies",
        "_skipping",
        "_special",
        "_styles",
    )  # fmt: skip

    def __init__(self, language: str, styles: Styles, *, is_nav: bool) -> None:
        super().__init__()
        self._styles = styles
        self._is_nav = is_nav
        self._language = language
        self._frame = Frame(INLINE, None, 0)
        # Text is special within formulas and preformatted text.
        self._special = self._formulas = self._pres = 0
        self._figures: list[Mark] = []
        # Nothing is read until the element ends that set this.
        self._skipping = False
        self._headings = self._quotations = self._links = self._links_seen = 0
        self._note_references = self._rubies = self._pictures = 0

    def _skip(self, _frame: Frame, _attributes: Attributes) -> None:
        self._skipping = True

    def _open_nav(self, _frame: Frame, _attributes: Attributes) -> None:
        self._skipping = self._is_nav

    # --- blocks ---

    def _open_heading(self, frame: Frame, _attributes: Attributes) -> None:
        mark = Mark("heading", "")
        mark.level = HEADINGS[frame.rule.tag]
        self._pending.append(mark)
        self._headings += 1

    def _close_heading(self, _frame: Frame) -> None:
        self._headings -= 1

    def _open_pre(self, _frame: Frame, _attributes: Attributes) -> None:
        self._pres += 1
        self._special += 1

    def _close_pre(self, _frame: Frame) -> None:
        self._pres -= 1
        self._special -= 1

    def _close_division(self, frame: Frame) -> None:
        if frame.children:
            self._request_break(PARAGRAPH)

    def _close_row(self, _frame: Frame) -> None:
        self._end_row()

    def _open_td(self, frame: Frame, _attributes: Attributes) -> None:
        self._frame = frame
        self._open_cell()

    def _close_td(self, frame: Frame) -> None:
        self._close_cell(is_layout=frame.children >= _LAYOUT_BLOCKS)

    def _open_root(self, _frame: Frame, attributes: Attributes) -> None:
        self._language = attributes.get("xml:lang") or attributes.get("lang") or self._language

    def _open_break(self, _frame: Frame, _attributes: Attributes) -> None:
        self._break()

    def _break(self) -> None:
        if self._cells:
            self._space = True
            self._cell_newlines = min(self._cell_newlines + 1, PARAGRAPH)
        else:
            self._newlines = min(self._newlines + 1, PARAGRAPH)

    def _open_control(self, _frame: Frame, _attributes: Attributes) -> None:
        """A control of a form has edges, so that its words are not joined with those beside it."""
        self._space = True

    def _close_control(self, _frame: Frame) -> None:
        self._space = True

    def _open_input(self, _frame: Frame, attributes: Attributes) -> None:
        """A field whose value a browser shows."""
        self._space = True
        value = collapsed((attributes.get("value") or "").strip(SPACE))
        if value and (attributes.get("type") or "text").lower() not in NOT_SHOWN:
            self._write(value)
            self._space = True

    def _open_tspan(self, _frame: Frame, attributes: Attributes) -> None:
        if "x" in attributes:
            self._request_break(LINE)

    # --- lists ---

    def _open_list(self, frame: Frame, attributes: Attributes) -> None:
        classes = (attributes.get("class") or "").split()
        if self._styles.numbers and self._styles.unnumbered.isdisjoint(classes):
            frame.detail = Numbering(attributes)

    def _open_item(self, frame: Frame, attributes: Attributes) -> None:
        frame.prefixes = len(self._prefixes)
        numbering = frame.parent.detail if frame.parent.rule.tag == "ol" else None
        if isinstance(numbering, Numbering) and (label := numbering.label(attributes.get("value"))):
            self._prefixes.append(Prefix(label, partial(follows_no_number, label)))

    def _drop_prefixes(self, frame: Frame) -> None:
        """Forget the number or sign of an element without words."""
        if len(self._parts) == frame.size:
            del self._prefixes[frame.prefixes :]

    # --- inline ---

    def _open_link(self, frame: Frame, attributes: Attributes) -> None:
        frame.detail = "#" in (attributes.get("href") or "")
        if frame.detail:
            self._links += 1
            self._links_seen += 1

    def _close_link(self, frame: Frame) -> None:
        self._links -= frame.detail is True

    def _open_ruby(self, _frame: Frame, _attributes: Attributes) -> None:
        self._rubies += 1

    def _open_quotation(self, frame: Frame, _attributes: Attributes) -> None:
        frame.prefixes = len(self._prefixes)
        opening, frame.detail = quotation_marks(self._language, self._quotations)
        if self._styles.quotes:
            self._prefixes.append(Prefix(opening, opens_no_quotation))
        self._quotations += 1

    def _close_quotation(self, frame: Frame) -> None:
        self._quotations -= 1
        opening = quotation_marks(self._language, self._quotations)[0]
        # After what stands before the words of the quotation: white space and other prefixes.
        if self._styles.quotes and opening in self._parts[frame.size : frame.size + 4]:
            self._parts.append(str(frame.detail))
        self._drop_prefixes(frame)

    def _open_raised(self, frame: Frame, _attributes: Attributes) -> None:
        frame.prefixes = len(self._prefixes)
        frame.state = self._state()
        frame.signs = ("", "")
        frame.detail = self._links_seen - (self._links > 0)
        parts = self._parts
        if parts and not (self._newlines or self._tabs or self._space):
            if frame.rule.tag == "sub" and parts[-1] in ("/", "⁄") and "^" in parts[-3:-2]:
                parts[-3] = " "  # the fraction in 1 1/2 is no power
            elif frame.rule.tag == "sub" and parts[-1][-1:].isdigit():
                self._prefixes.append(Prefix("_", is_number))
            elif frame.rule.tag == "sup":
                frame.signs = signs_around(end_of(parts))
                self._prefixes.append(Prefix(frame.signs[0], is_number))

    def _close_raised(self, frame: Frame) -> None:
        """Leave a link out that is raised and refers to a note."""
        if frame.rule.tag == "sup" and self._links_seen != frame.detail:
            text = self._written_since(frame.size).lstrip("^ [")
            if text and is_mark(text):
                self._take_back(frame.state)
                self._note_references += 1
        if frame.signs[1] and frame.signs[0] in self._parts[frame.size :]:
            self._parts.append(frame.signs[1])
        self._drop_prefixes(frame)

    # --- what is shown once ---

    def _open_switch(self, frame: Frame, _attributes: Attributes) -> None:
        self._frame = frame

    def _open_case(self, frame: Frame, attributes: Attributes) -> None:
        switch = frame.parent
        if switch.rule.tag != "switch":
            return
        namespace = attributes.get("required-namespace") or ""
        is_known = frame.rule.tag == "default" or any(
            known in namespace for known in _KNOWN_NAMESPACES
        )
        if switch.children or not is_known:
            self._skipping = True
        else:
            switch.children = 1

    # --- formulas ---

    def _open_formula(self, frame: Frame, attributes: Attributes) -> None:
        tag = frame.rule.tag
        parent = frame.parent
        frame.prefixes = len(self._prefixes)
        frame.detail = []  # where its operands start
        if parent.rule.tag in FORMULAS and isinstance(parent.detail, list):
            sign = join(parent.rule.tag, parent.children, tag)
            if parent.rule.tag == "mfenced" and parent.children:
                sign = parent.attributes.get("separators", ",") or ""
                sign = sign.strip()[:1]
            parent.detail.append(len(self._parts))
            parent.children += 1
            if sign:
                self._prefixes.append(Prefix(sign, _always))
        self._frame = frame
        if tag == "mfenced":
            frame.attributes = attributes
            opening = attributes.get("open", "(") or ""
            self._prefixes.append(Prefix(opening, _always))
        elif tag == "math":
            self._formulas += 1
            self._special += 1
            frame.attributes = attributes

    def _close_formula(self, frame: Frame) -> None:
        parts, tag = self._parts, frame.rule.tag
        if tag == "math":
            alternative = frame.attributes.get("alttext")
            if alternative and len(parts) == frame.size:
                self._write(collapsed(alternative.strip(SPACE)))
            self._formulas -= 1
            self._special -= 1
            return
        self._drop_prefixes(frame)
        first = self._first_piece(frame)
        if first == len(parts):
            return
        if tag == "mfenced":
            parts.append(frame.attributes.get("close", ")") or "")
        elif tag == "msqrt":
            self._rewrite(first, root(parts[first:]))
        elif tag == "mroot" and isinstance(frame.detail, list) and len(frame.detail) > 1:
            split = max(first, frame.detail[1])
            self._rewrite(first, root(parts[first:split], "".join(parts[split:])))
        if frame.parent.rule.tag in JOINS:
            self._rewrite(first, bracketed(parts[first:]))

    def _first_piece(self, frame: Frame) -> int:
        """The index of the first part that an operand wrote itself, after white space and signs."""
        parts, first = self._parts, frame.size
        while first < len(parts) and (parts[first].isspace() or parts[first] in "/^_"):
            first += 1
        return first

    # --- pictures ---

    def _picture(self, frame: Frame, attributes: Attributes) -> None:
        alt = collapsed((attributes.get("alt") or "").strip(SPACE))
        if attributes.get("role") in ("presentation", "none") or attributes.get("alt") == "":
            return  # decoration
        block = frame.parent
        after_words = bool(self._cells) or not self._newlines
        after_words &= len(self._parts) > block.size
        if stands_for_words(
            alt,
            attributes,
            in_heading=self._headings > 0,
            in_figure=bool(self._figures),
            after_words=after_words,
        ):
            self._write(as_words(alt))
            return
        self._pictures += 1
        if self._figures:
            figure = self._figures[-1]
            figure.title = figure.title or alt
        else:
            self._pending.append(Mark("figure", alt))

    def _open_figure(self, frame: Frame, _attributes: Attributes) -> None:
        frame.detail = self._pictures
        frame.mark = Mark("figure", "")
        self._pending.append(frame.mark)
        self._figures.append(frame.mark)

    def _close_figure(self, frame: Frame) -> None:
        self._figures.pop()
        frame.mark.end = len(self._parts)
        if frame.detail == self._pictures:
            frame.mark.title = ""  # a figure without a picture is text

    def _close_caption(self, frame: Frame) -> None:
        if self._figures and (caption := self._written_since(frame.size)):
            self._figures[-1].title = caption[:_TITLE_LENGTH]

    # What elements do at their start and at their end, beside the break that is around them.
    OPENING: ClassVar[dict[str, "Callable[[Blocks, Frame, Attributes], None]"]] = {
        "a": _open_link,
        "body": _open_root,
        "br": _open_break,
        "case": _open_case,
        "default": _open_case,
        "figure": _open_figure,
        "html": _open_root,
        "image": _picture,
        "img": _picture,
        "input": _open_input,
        "li": _open_item,
        "ol": _open_list,
        "pre": _open_pre,
        "nav": _open_nav,
        "q": _open_quotation,
        "ruby": _open_ruby,
        "sub": _open_raised,
        "sup": _open_raised,
        "switch": _open_switch,
        "tspan": _open_tspan,
        **dict.fromkeys(CELLS, _open_td),
        **dict.fromkeys(CONTROLS, _open_control),
        **dict.fromkeys(HEADINGS, _open_heading),
        **dict.fromkeys(FORMULAS, _open_formula),
        **dict.fromkeys(SKIPPED, _skip),
    }
    CLOSING: ClassVar[dict[str, "Callable[[Blocks, Frame], None]"]] = {
        "a": _close_link,
        "figcaption": _close_caption,
        "figure": _close_figure,
        "li": _drop_prefixes,
        "pre": _close_pre,
        "q": _close_quotation,
        "sub": _close_raised,
        "sup": _close_raised,
        DIVISION: _close_division,
        **dict.fromkeys(CELLS, _close_td),
        **dict.fromkeys(CONTROLS, _close_control),
        **dict.fromkeys(HEADINGS, _close_heading),
        **dict.fromkeys(FORMULAS, _close_formula),
        **dict.fromkeys(ROWS, _close_row),
    }


class Rules(dict[str, Rule | None]):
    """The rule of each name as it is written, with prefix and in any case; ``None`` for inline text."""

    def __missing__(self, name: str) -> Rule | None:
        rule = self[name] = _RULES.get(name.rpartition(":")[2].lower())
        return rule


_RULES = {
    tag: Rule(tag, BREAKS.get(tag, 0), Blocks.OPENING.get(tag), Blocks.CLOSING.get(tag))
    for tag in (*BREAKS, *Blocks.OPENING)
}


def _always(_words: str) -> bool:
    return True
