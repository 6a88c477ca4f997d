"""The body of an RTF file: groups, control words and text, in one pass without recursion."""

import re
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from cleanbreak.readers.html.chapter import Chapter
from cleanbreak.readers.messages import Warnings
from cleanbreak.readers.office.rtf_tables import (
    CHARACTERS,
    FURNITURE,
    READ_IF_OPTIONAL,
    SKIPPED,
    SYMBOLS,
    codec,
    fonts,
    headings,
)  # fmt: skip
from cleanbreak.readers.office.writer import OfficeWriter

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>[^a-zA-Z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\"
)
_BRACE = re.compile(rb"[{}]")
_CONTROL = re.compile(rb"\\[a-zA-Z]+-?\d* ?|\\'..|[{}\r\n]")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_DEEPEST = 10_000


class State(NamedTuple):
    """What a group inherits from the group around it."""

    skips: bool = False
    fallback: int = 1
    """Characters after a Unicode character that stand in for it."""
    font: int = -1
    raised: str = ""
    hidden: bool = False
    heading: int = 0
    in_table: bool = False


class Body:
    """Writes the text of one file."""

    def __init__(self, warnings: Warnings) -> None:
        self._warnings = warnings
        self._writer = OfficeWriter()
        self._state = State()
        self._codec = "cp1252"
        self._fonts: dict[int, str] = {}
        self._headings: dict[int, int] = {}
        self._bytes = bytearray()
        self._text: list[str] = []
        self._ignored = 0
        self._is_optional = False
        self._is_first = False  # nothing of the group came yet
        self._raised = ""
        self._in_paragraph = self._in_table = self._in_row = self._in_cell = False
        self.info = b""
        """The group with the title and the author."""

    def chapter(self) -> Chapter:
        """What was written."""
        self._end_paragraph()
        self._end_table()
        return self._writer.chapter()

    def write(self, data: bytes, outer: State | None = None) -> bool:
        """Write all that is in `data`; return whether each of its groups ends."""
        self._state = outer or State()
        stack: list[tuple[State, str, int]] = []
        opened, captured = "", 0  # a destination that is read as a whole, and where it starts
        at, size = 0, len(data)
        while at < size:
            token = _TOKEN.match(data, at)
            if token is None:
                at += 1
                continue
            start, at = at, token.end()
            kind = token.lastgroup
            if kind == "brace":
                self._flush()
                self._ignored = 0
                self._is_optional = False
                self._is_first = data[start] == ord("{")
                if data[start] == ord("{"):
                    if len(stack) >= _DEEPEST:
                        return False
                    stack.append((self._state, opened, captured))
                elif stack:
                    self._close(opened, data[captured:start] if opened else b"", stack[-1])
                    self._state, opened, captured = stack.pop()
                    if outer is None and not stack and not _BRACE.search(data, at):
                        break  # what is behind the last group is no text, such as NUL
                continue
            if kind in ("word", "number"):
                word = token["word"].decode("ascii")
                number = int(token["number"]) if token["number"] else None
                if word == "bin":
                    at += max(0, number or 0)
                elif not self._state.skips and word in self._WHOLE:
                    self._flush()
                    opened, captured = word, at
                    self._state = self._state._replace(skips=True)
                else:
                    self._word(word, number)
            elif not self._state.skips and kind is not None:
                self._characters(kind, token[kind])
            self._is_first &= kind is None
        self._flush()
        return not stack

    # --- groups ---

    def _close(self, opened: str, content: bytes, outer: tuple[State, str, int]) -> None:
        """A group ends that may be a destination which is read as a whole."""
        state, around, _ = outer
        if opened and opened != around:
            self._WHOLE[opened](self, content, state)

    def _take_fonts(self, content: bytes, _state: State) -> None:
        self._fonts = fonts(content)

    def _take_styles(self, content: bytes, _state: State) -> None:
        self._headings = headings(content)

    def _take_info(self, content: bytes, _state: State) -> None:
        self.info = content

    def _note(self, content: bytes, _state: State) -> None:
        self._warnings.add("NOTE_REFERENCE_SKIPPED")
        self._box(content, _state)

    def _box(self, content: bytes, state: State) -> None:
        self._writer.later(partial(self._write_later, content, State(fallback=state.fallback)))

    def _write_later(self, content: bytes, state: State) -> None:
        saved = self._state, self._in_paragraph, self._in_table, self._raised
        self._in_paragraph = self._in_table = False
        self._raised = ""
        self.write(content, state)
        self._end_paragraph()
        self._end_table()
        self._state, self._in_paragraph, self._in_table, self._raised = saved

    def _comment(self, _content: bytes, _state: State) -> None:
        self._warnings.add("COMMENT_SKIPPED")

    def _picture(self, _content: bytes, _state: State) -> None:
        self._start_paragraph()
        self._writer.picture("")

    def _label(self, content: bytes, _state: State) -> None:
        """The number of a list item; a bullet is no text."""
        label = _CONTROL.sub(b"", content).decode("latin-1").strip()
        if any(map(str.isalnum, label)):
            self._text.append(f"{label} ")

    # --- control words ---

    def _word(self, word: str, number: int | None) -> None:
        if self._is_optional:
            self._is_optional = False
            if word not in READ_IF_OPTIONAL:
                self._flush()
                self._state = self._state._replace(skips=True)
                return
        if word == "ud":
            self._state = self._state._replace(skips=False)
        if self._state.skips:
            return
        if word == "u":
            self._unicode(number or 0)
        elif word in CHARACTERS:
            self._add(CHARACTERS[word])
        elif word in SKIPPED:
            self._flush()
            self._state = self._state._replace(skips=True)
        elif word in FURNITURE:
            self._flush()
            self._warnings.add("FURNITURE_SKIPPED")
            self._state = self._state._replace(skips=True)
        elif (change := self._WORDS.get(word)) is not None:
            self._flush()
            change(self, number)

    def _unicode(self, number: int) -> None:
        self._decode()
        code = number + 65536 if number < 0 else number
        if 0 <= code < 0x110000:
            self._text.append(chr(code))
        self._ignored = self._state.fallback

    def _code_page(self, number: int | None) -> None:
        self._codec = codec(number or 1252)

    def _mac(self, _number: int | None) -> None:
        self._codec = "mac_roman"

    def _dos(self, _number: int | None) -> None:
        self._codec = "cp437"

    def _fallback(self, number: int | None) -> None:
        self._state = self._state._replace(fallback=max(0, min(number or 0, 16)))

    def _font(self, number: int | None) -> None:
        self._state = self._state._replace(font=number or 0)

    def _raise(self, number: int | None) -> None:
        self._state = self._state._replace(raised="" if number == 0 else "sup")

    def _lower(self, number: int | None) -> None:
        self._state = self._state._replace(raised="" if number == 0 else "sub")

    def _level(self, _number: int | None) -> None:
        self._state = self._state._replace(raised="")

    def _plain(self, _number: int | None) -> None:
        self._state = self._state._replace(raised="", hidden=False, font=-1)

    def _hide(self, number: int | None) -> None:
        if number != 0:
            self._warnings.add("HIDDEN_SKIPPED")
        self._state = self._state._replace(hidden=number != 0)

    def _delete(self, number: int | None) -> None:
        self._state = self._state._replace(hidden=number != 0)

    def _reset(self, _number: int | None) -> None:
        self._state = self._state._replace(heading=0, in_table=False)

    def _into_table(self, number: int | None) -> None:
        self._state = self._state._replace(in_table=number != 0)

    def _style(self, number: int | None) -> None:
        self._state = self._state._replace(heading=self._headings.get(number or 0, 0))

    def _outline(self, number: int | None) -> None:
        level = -1 if number is None else number
        self._state = self._state._replace(heading=level + 1 if 0 <= level < 9 else 0)

    def _break(self, _number: int | None) -> None:
        if self._in_paragraph:
            self._writer.element("br")

    def _paragraph(self, _number: int | None) -> None:
        self._end_paragraph()

    def _cell(self, _number: int | None) -> None:
        self._start_cell()
        self._end_paragraph()
        self._writer.end()
        self._in_cell = False

    def _row(self, _number: int | None) -> None:
        if self._in_row:
            if self._in_cell:
                self._cell(None)
            self._writer.end()
            self._in_row = False

    # --- text ---

    def _characters(self, kind: str, value: bytes) -> None:
        if kind == "symbol":
            character = value.decode("latin-1")
            if character == "*":
                self._is_optional = self._is_first  # elsewhere it means nothing
            elif character in "\r\n":
                self._word("par", None)
            elif character in SYMBOLS:
                self._add(SYMBOLS[character])
            return
        found = bytes([int(value, 16)]) if kind == "byte" else value
        if self._ignored:
            dropped = min(self._ignored, len(found))
            self._ignored -= dropped
            found = found[dropped:]
        if found and self._text:
            self._flush()
        self._bytes += found

    def _add(self, text: str) -> None:
        if self._ignored:
            self._ignored -= 1
            return
        self._decode()
        self._text.append(text)

    def _decode(self) -> None:
        if self._bytes:
            name = self._fonts.get(self._state.font, self._codec)
            text = self._bytes.decode(name, "replace")
            self._warnings.add("TEXT_DAMAGED", None, text.count("\ufffd"))
            self._text.append(text)
            self._bytes.clear()

    def _flush(self) -> None:
        """Write the text so far; what comes next may look otherwise."""
        self._decode()
        if not self._text:
            return
        text = "".join(self._text)
        self._text.clear()
        if self._state.skips or self._state.hidden:
            return
        text = _SURROGATES.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)  # fmt: skip
        if self._in_paragraph or text.strip():
            self._start_paragraph()
            self._raise_to(self._state.raised)
            self._writer.text(text)

    def _raise_to(self, tag: str) -> None:
        if tag != self._raised:
            if self._raised:
                self._writer.end()
            if tag:
                self._writer.start(tag)
            self._raised = tag

    # --- blocks ---

    def _start_paragraph(self) -> None:
        if self._in_paragraph:
            return
        if self._state.in_table:
            self._start_cell()
        else:
            self._end_table()
        self._writer.start_paragraph(self._state.heading)
        self._in_paragraph = True

    def _end_paragraph(self) -> None:
        if self._in_paragraph:
            self._raise_to("")
            self._in_paragraph = False
            self._writer.end_paragraph()

    def _start_cell(self) -> None:
        if not self._in_table:
            self._end_paragraph()
            self._writer.start_table()
            self._in_table = True
        if not self._in_row:
            self._writer.start("tr")
            self._in_row = True
        if not self._in_cell:
            self._writer.start("td")
            self._in_cell = True

    def _end_table(self) -> None:
        if self._in_table:
            self._row(None)
            self._in_table = False
            self._writer.end_table()

    _WHOLE: ClassVar[dict[str, "Callable[[Body, bytes, State], None]"]] = {
        "annotation": _comment,
        "fonttbl": _take_fonts,
        "footnote": _note,
        "info": _take_info,
        "listtext": _label,
        "pntext": _label,
        "pict": _picture,
        "shptxt": _box,
        "stylesheet": _take_styles,
    }
    _WORDS: ClassVar[dict[str, "Callable[[Body, int | None], None]"]] = {
        "ansicpg": _code_page,
        "cell": _cell,
        "deleted": _delete,
        "f": _font,
        "intbl": _into_table,
        "line": _break,
        "lbr": _break,
        "mac": _mac,
        "nestcell": _paragraph,
        "nestrow": _paragraph,
        "nosupersub": _level,
        "outlinelevel": _outline,
        "page": _paragraph,
        "par": _paragraph,
        "pard": _reset,
        "pc": _dos,
        "plain": _plain,
        "row": _row,
        "s": _style,
        "sect": _paragraph,
        "sub": _lower,
        "super": _raise,
        "uc": _fallback,
        "v": _hide,
    }
