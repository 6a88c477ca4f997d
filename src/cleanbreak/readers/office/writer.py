"""What office documents have in common: paragraphs, tables, notes behind their paragraph."""

from collections.abc import Callable

from cleanbreak.readers.html.chapter import Chapter
from cleanbreak.readers.html.walker import Walker

_DEEPEST_HEADING = 6


class OfficeWriter:
    """Writes an office document by the rules for markup, so that equal stories give equal text.

    Notes and text boxes wait until the paragraph is over in which they are anchored, and the table
    around it. They may have notes of their own.
    """

    def __init__(self, language: str = "") -> None:
        self._walker = Walker(language=language)
        self._waiting: list[Callable[[], None]] = []
        self._tables = 0
        self._paragraphs = 0

    def chapter(self) -> Chapter:
        """What was written."""
        self._write_waiting()
        return self._walker.chapter()

    def start_paragraph(self, heading: int = 0) -> None:
        """A paragraph starts; a heading has a level from 1."""
        tag = f"h{min(heading, _DEEPEST_HEADING)}" if heading else "p"
        self._walker.start(tag, {})
        self._paragraphs += 1

    def end_paragraph(self) -> None:
        """The paragraph ends, and what waited for it is written."""
        self._walker.end()
        self._paragraphs -= 1
        self._write_waiting()

    def start_table(self) -> None:
        """A table starts."""
        self._walker.start("table", {})
        self._tables += 1

    def end_table(self) -> None:
        """The table ends, and what waited for it is written."""
        self._walker.end()
        self._tables -= 1
        self._write_waiting()

    def start(self, tag: str, **attributes: str) -> None:
        """An element of HTML starts, such as ``tr`` or ``sup``."""
        self._walker.start(tag, attributes)

    def end(self) -> None:
        """The last element that is open ends."""
        self._walker.end()

    def element(self, tag: str, **attributes: str) -> None:
        """An element without content, such as ``br`` or ``img``."""
        self._walker.start(tag, attributes)
        self._walker.end()

    def picture(self, description: str) -> None:
        """A picture, of which office documents have a description only."""
        self.element("img", role="img", **({"alt": description} if description else {}))

    def text(self, text: str) -> None:
        """Text of the paragraph."""
        if text:
            self._walker.text(text)

    def later(self, write: Callable[[], None]) -> None:
        """Have `write` called when the paragraph and the table around it are over."""
        self._waiting.append(write)

    def _write_waiting(self) -> None:
        while self._waiting and not (self._tables or self._paragraphs):
            waiting, self._waiting = self._waiting, []
            for write in waiting:
                write()
