"""The rules by which markup becomes text, fed by events: an element starts or ends, text comes.

What a browser shows with space around it (paragraphs, headings, lists, a division that holds other
blocks) is set off by a blank line; what merely starts on a new line (``br``, ``li``, ``tr``, a
division that holds only words, as verse often is) by a newline; cells of a row by a tab. White
space is collapsed as HTML does it, so no-break and ideographic spaces stay.
"""

from collections.abc import Collection

from cleanbreak.readers.html.blocks import Blocks, Rules
from cleanbreak.readers.html.chapter import Chapter, Counts, chapter
from cleanbreak.readers.html.elements import DIVISION
from cleanbreak.readers.html.frame import DEEPEST, INLINE, Attributes, Frame, TooDeep
from cleanbreak.readers.html.lighten import BLANK, BREAK, TURN, laid_out, pieces
from cleanbreak.readers.html.marked import Marked, is_note, page_label, what_is
from cleanbreak.readers.html.notes import is_mark
from cleanbreak.readers.html.styles import PLAIN, Styles
from cleanbreak.readers.html.writer import PARAGRAPH, SPACE, Mark, collapsed

_SOFT_HYPHEN = "\u00ad"
# A page break that holds more is text of the chapter.
_LABEL_LENGTH = 30
# What can mark an element, besides its id.
_MARKING = frozenset(("epub:type", "role", "hidden", "style"))


class Walker(Blocks):
    """Reads one chapter. `end` must be called for each `start`, of void elements as well.

    With `is_nav`, for a navigation document that is a chapter too, its lists are left out.
    """

    __slots__ = ("_anchors", "_hidden", "_rules", "_soft_hyphens", "_stack")

    def __init__(
        self,
        anchors: Collection[str] = (),
        *,
        is_nav: bool = False,
        language: str = "",
        styles: Styles = PLAIN,
    ) -> None:
        super().__init__(language, styles, is_nav=is_nav)
        self._rules = Rules()
        self._anchors = anchors
        self._stack: list[Frame | None] = []
        self._soft_hyphens = self._hidden = 0

    @property
    def anchors(self) -> Collection[str]:
        """The ids whose places are asked for."""
        return self._anchors

    @property
    def hidden_classes(self) -> frozenset[str]:
        """The classes of elements that are not shown."""
        return self._styles.hidden

    def chapter(self) -> Chapter:
        """What was read."""
        self._place_marks()
        left_out = Counts(
            self._note_references, self._soft_hyphens, self._rubies, self._pictures, self._hidden
        )
        return chapter(self._parts, self._marks, self._offsets(), left_out)

    # --- events ---

    def start(self, name: str, attributes: Attributes) -> None:
        """An element starts. Its name may have a prefix, and be in any case.

        Raises:
            TooDeep: if too many elements are open.
        """
        stack = self._stack
        if self._skipping:
            stack.append(None)
            return
        rule = self._rules[name]
        marked = None
        if attributes:
            if self._anchors:
                self._mark_anchor(attributes)
            if not _MARKING.isdisjoint(attributes):
                marked = what_is(attributes)
            if self._styles.hidden and "class" in attributes:
                marked = self._hidden_by_class(attributes, marked)
        if rule is None:
            if marked is None:
                stack.append(None)
                return
            rule = INLINE
        parent = self._frame
        frame = Frame(rule, parent, len(self._parts))
        stack.append(frame)
        if len(stack) > DEEPEST:
            raise TooDeep
        if level := rule.level:
            if (
                parent.rule.tag == DIVISION
                and not parent.children
                and parent.size == len(self._parts)
            ):
                level = PARAGRAPH  # the division turns out to hold blocks
            parent.children += 1
            self._frame = frame
            if level > self._newlines or self._cells:
                self._request_break(level)
        if marked is not None:
            self._open_marked(frame, marked, attributes)
        if (opening := rule.opening) is not None and not self._skipping:
            opening(self, frame, attributes)

    def end(self, _name: str = "") -> None:
        """The element that started last, of those that are open, ends."""
        frame = self._stack.pop()
        if frame is None:
            return
        rule = frame.rule
        if self._skipping:
            self._skipping = False
        elif (closing := rule.closing) is not None:
            closing(self, frame)
        self._frame = frame.parent
        if (level := rule.level) and (level > self._newlines or self._cells):
            self._request_break(level)
        if frame.marked is not None:
            self._close_marked(frame)

    def text(self, text: str) -> None:
        """Text, or a piece of it."""
        if self._skipping:
            return
        if not self._pres:
            for space in "\n\t\r\f":
                if space in text:
                    text = text.replace(space, " ")
        self.hyphenated_text(text)

    def hyphenated_text(self, text: str) -> None:
        """Text with soft hyphens, in which, if not preformatted, white space is spaces only."""
        if self._skipping:
            return
        if _SOFT_HYPHEN in text:
            self._soft_hyphens += text.count(_SOFT_HYPHEN)
            text = text.replace(_SOFT_HYPHEN, "")
        if text:
            self.flat_text(text)

    def flat_text(self, text: str) -> None:
        """Text without soft hyphens, in which, if not preformatted, white space is spaces only.

        Breaks are `BREAK` and `TURN` if the markup was lightened.
        """
        if self._skipping or self._special:
            self._special_text(text)
            return
        if BREAK in text or TURN in text:
            self._broken_text(text)
            return
        if text == " ":
            self._space = True
            return
        words = text.strip(" ")
        if not words:
            self._space = True
            return
        if "  " in words:
            words = collapsed(words)
        if text[0] == " ":
            self._space = True
        if self._cells or self._pending or self._prefixes or self._newlines or self._tabs:
            self._write(words)
        elif self._space and self._parts:
            self._parts.append(" " + words)
        else:
            self._parts.append(words)
        self._space = text[-1] == " "

    def _broken_text(self, text: str) -> None:
        """Text in which characters stand for breaks; nearly always several whole paragraphs."""
        words = text.strip(BLANK)
        if not words or self._cells:
            self._read_breaks(text)
            return
        start = len(text) - len(text.lstrip(BLANK))
        self._read_breaks(text[:start])
        self._frame.parent.children += words.count(TURN)
        self._write(laid_out(words))
        self._read_breaks(text[start + len(words) :])

    def _read_breaks(self, text: str) -> None:
        """The same, one piece after the other."""
        for piece in pieces(text):
            if piece == BREAK:
                self._break()
            elif piece == TURN:
                # The frame of the last paragraph serves the next one too.
                frame = self._frame
                frame.parent.children += 1
                frame.size = len(self._parts)
                self._request_break(PARAGRAPH)
            elif piece:
                self.flat_text(piece)

    def _special_text(self, text: str) -> None:
        if self._skipping:
            return
        if self._pres:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
            if len(self._parts) == self._frame.size:
                text = text.lstrip("\n")  # of which an HTML parser drops one, and none is shown
            if text:
                self._write(text)
            return
        # White space between the elements of a formula is not shown.
        words = collapsed(text.strip(SPACE))
        if words:
            self._write(words)

    # --- marked elements ---

    def _mark_anchor(self, attributes: Attributes) -> None:
        for key in ("id", "name"):
            if (name := attributes.get(key)) is not None and name in self._anchors:
                self._pending.append(Mark("anchor", name))

    def _hidden_by_class(self, attributes: Attributes, marked: Marked | None) -> Marked | None:
        classes = (attributes["class"] or "").split()
        is_shown = self._styles.hidden.isdisjoint(classes) or marked is Marked.PAGE
        return marked if is_shown or is_note(attributes) else Marked.HIDDEN

    def _open_marked(self, frame: Frame, marked: Marked, attributes: Attributes) -> None:
        frame.marked = marked
        if marked is Marked.HIDDEN:
            self._hidden += 1
            self._skipping = True
            return
        frame.state = self._state()
        if marked is Marked.PAGE:
            frame.attributes = attributes
            frame.page = Mark("page", "")
            self._pending.append(frame.page)

    def _close_marked(self, frame: Frame) -> None:
        if frame.marked is Marked.HIDDEN:
            return
        text = self._written_since(frame.size)
        if frame.marked is Marked.PAGE:
            frame.page.title = page_label(frame.attributes, text[:_LABEL_LENGTH])
            # At most a page's label is no text of the chapter.
            if len(text) <= _LABEL_LENGTH:
                self._take_back(frame.state)
        elif text and is_mark(text):
            self._take_back(frame.state)
            self._note_references += 1
