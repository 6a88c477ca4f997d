"""Display math between ``$$`` at line starts: one block, also with blank lines and marks in it."""

import re
from collections.abc import Iterator

_LINE_START = r"(?<![^\r\n])(?!(?<=\r)\n)"
# Indentation, quote marks and list markers.
_MARKERS = r"[ \t]*(?>(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+|>)*)"
_FENCE = r"(?P<fence>`{3,}(?=[^`\r\n]*(?:[\r\n]|\Z))|~{3,})"

_opening = re.compile(rf"{_LINE_START}{_MARKERS}(?:{_FENCE}|\$\$(?P<rest>[^\r\n]*))").search
# What may end the search from a line with nothing but "$$". Math has no blank line before a "#",
# so that a "$$" that nobody closed hides no section.
_after_bare = re.compile(
    rf"\$\$|{_LINE_START}(?:{_MARKERS}{_FENCE}|[ \t]*(?:\r\n|\n|\r(?!\n)) {{0,3}}\#{{1,6}}[ \t])"
).search
# Math that starts behind "$$" on its line has no blank lines, as in TeX.
_after_text = re.compile(rf"\$\$|{_LINE_START}[ \t>]*(?:[\r\n]|\Z)").search
# What may follow the closing mark: punctuation, a label, the id of a block.
_rest_of_line = re.compile(
    r"\$\$[ \t]*(?:[.,;:]|\{[^}\r\n]*\}|\^[\w-]+)?[ \t]*(?=[\r\n]|\Z)(?:\r\n|\n|\r)?"
).match
_newline = re.compile(r"[\r\n]")


def math_blocks(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    r"""The blocks of display math of several lines, from the start of the first to that of the next.

    Not inside fences. Unclosed math is none: ``$$`` pairs with the next ``$$``, which ends its line.

    >>> list(math_blocks("a\n\n$$\nx\n# y\n$$\n"))
    [(3, 15)]
    """
    end = len(text) if end is None else end
    if text.find("$$", start, end) == -1:
        return
    at = start
    while opening := _opening(text, at, end):
        at = opening.end()
        if fence := opening["fence"]:
            at = _fence_end(text, fence, at, end)
        elif "$$" not in opening["rest"]:
            stop = (_after_text if opening["rest"].strip() else _after_bare)(text, at, end)
            at = stop.start() if stop else end
            if closing := _rest_of_line(text, at, end):
                at = closing.end()
                yield opening.start(), at


def without_newlines_in_math(text: str) -> str:
    """The text with spaces for the line ends of math, so that a parser takes it for one paragraph.

    Every offset stays as it is, also in bytes.
    """
    pieces, done = [], 0
    for start, end in math_blocks(text):
        last = len(text[start:end].rstrip("\r\n")) + start
        pieces += [text[done:start], _newline.sub(" ", text[start:last])]
        done = last
    return "".join([*pieces, text[done:]]) if pieces else text


def _fence_end(text: str, fence: str, start: int, end: int) -> int:
    """Where the fence that was opened is closed; the end if it is not."""
    closing = re.compile(rf"{_LINE_START}[ \t>]*{fence[0]}{{{len(fence)},}}[ \t]*(?=[\r\n]|\Z)")
    found = closing.search(text, start, end)
    return found.end() if found else end
