"""The lines of a text, in code points and in bytes: tree-sitter counts bytes."""

import re
from bisect import bisect_right

from cleanbreak.core.text.utf8 import code_point_at, encoded

_LINE = re.compile(r"\r\n|\n|\r")
_LINE_IN_BYTES = re.compile(rb"\r\n|\n|\r")
_CONTENT = re.compile(r"(?>\r\n|\n|\r)(?=[^\S\r\n]*[^\s])")
_PARAGRAPH = re.compile(r"(?>\r\n|\n|\r)[^\S\r\n]*(?>\r\n|\n|\r)(?=[^\S\r\n]*[^\s])")


class Lines:
    """The lines of one text; LF, CR LF and CR end a line."""

    __slots__ = ("_byte_starts", "_long", "code_point", "starts", "text", "utf8")

    def __init__(self, text: str, long: int) -> None:
        self.text = text
        self.utf8 = encoded(text)
        self.starts = [0, *(found.end() for found in _LINE.finditer(text))]
        self._byte_starts = self.starts
        if not text.isascii():
            self._byte_starts = [0, *(found.end() for found in _LINE_IN_BYTES.finditer(self.utf8))]
        self.code_point = code_point_at(text)
        ends = [*self.starts[1:], len(text)]
        lengths = enumerate(map(int.__sub__, ends, self.starts))
        self._long = frozenset(line for line, length in lengths if length > long)

    def line_of(self, byte: int) -> int:
        """The line in which a byte is, from 0."""
        return bisect_right(self._byte_starts, byte) - 1

    def line_begun_by(self, byte: int) -> int | None:
        """The line on which a byte is the first that is not blank; ``None`` if it is not the first."""
        line = self.line_of(byte)
        before = self.utf8[self._byte_starts[line] : byte]
        return line if not before or before.isspace() else None

    def newlines(self, between: bytes) -> int:
        """The number of line ends in some bytes."""
        return len(_LINE_IN_BYTES.findall(between))

    def is_long(self, line: int) -> bool:
        """Whether the line has more code points than was asked."""
        return line in self._long

    def start_with_blank_lines(self, line: int) -> int:
        """Where the line starts, or the blank lines right above it."""
        starts = self.starts
        while line and not self.text[starts[line - 1] : starts[line]].strip():
            line -= 1
        return starts[line]


def line_starts(text: str) -> list[int]:
    """Where the lines after the first start that are not blank."""
    return [found.end() for found in _CONTENT.finditer(text)]


def paragraph_starts(text: str) -> list[int]:
    """Where the lines start that follow a blank line and are not blank."""
    return [found.end() for found in _PARAGRAPH.finditer(text)]
