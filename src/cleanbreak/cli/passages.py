"""Text of books and notes on a terminal and in a pipe: marked, indented, words whole."""

from collections.abc import Iterable

from rich.padding import Padding
from rich.text import Text

from cleanbreak.cli import console
from cleanbreak.readers.controls import clean

_MARK = "bold yellow"
_INDENT = 3

Span = tuple[int, int]


def marked(text: str, marks: Iterable[Span]) -> Text:
    """The text with its marks in colour on a terminal, and between ** elsewhere."""
    pieces = Text()
    at = 0
    shown = console.out.is_terminal
    for start, end in marks:
        word = clean(text[start:end])[0]
        pieces.append(clean(text[at:start])[0])
        pieces.append(word if shown else f"**{word}**", _MARK if shown else "")
        at = end
    return pieces.append(clean(text[at:])[0])


def dim(text: str) -> Text:
    """The text of a neighbour."""
    return Text(clean(text)[0], "dim")


def print_passage(text: Text, *, blank_lines: bool = False) -> None:
    """Print text under its citation. A terminal wraps it between words, a pipe gets its lines."""
    lines = [line for line in text.split("\n") if blank_lines or line.plain.strip()]
    while lines and not lines[-1].plain.strip():
        lines.pop()
    for line in lines:
        if console.out.is_terminal:
            console.out.print(Padding(line, (0, 0, 0, _INDENT)), soft_wrap=False)
        else:
            console.out.print(Text(" " * _INDENT).append_text(line) if line.plain else line)
