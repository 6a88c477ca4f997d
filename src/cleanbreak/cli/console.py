"""What the command line prints: results on standard output, everything else on standard error."""

import io
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cleanbreak.errors import CleanbreakError
from cleanbreak.readers.controls import clean

T = TypeVar("T")

# What would break a row of a table that is piped.
_BREAKS = re.compile(r"[\t\r\n]+")

# Spaces between two columns.
_BETWEEN_COLUMNS = 1


class _PlainConsole(Console):
    """Prints strings as they are: brackets are no markup, and controls never reach the terminal.

    File names and titles come from anywhere, so this is done here and not by each caller.
    """

    def print(self, *objects: Any, **options: Any) -> None:
        """Print, as `rich.console.Console` does."""
        plain = (_plain(value) if isinstance(value, str) else value for value in objects)
        super().print(*plain, **options)


# Rich leaves colours out where NO_COLOR is set or the stream is not a terminal.
out = _PlainConsole(highlight=False, soft_wrap=True)
err = _PlainConsole(stderr=True, highlight=False, soft_wrap=True)


def show(value: T, render: Callable[[T], None], *, as_json: bool) -> None:
    """Show a result: as JSON to a program, as `render` prints it to a person."""
    if as_json:
        print_json(value)
    else:
        render(value)


def print_json(value: Any) -> None:
    """Print one JSON document, indented, with its fields in the order given."""
    document = json.dumps(_as_data(value), ensure_ascii=False, indent=2)
    in_utf8(sys.stdout).write(document + "\n")


def print_error(error: CleanbreakError, *, as_json: bool) -> None:
    """Print an error on standard error: one sentence, or its code and details for a program."""
    if as_json:
        document = json.dumps({"error": error.as_dict()}, ensure_ascii=False)
        in_utf8(sys.stderr).write(document + "\n")
    else:
        err.print(f"error: {error.message} ({error.code})", style="red")


def print_warning(name: str, warning: Any) -> None:
    """Print on standard error a warning of the reader of the source `name`, and its place.

    `warning` comes fresh from the reader or was stored by a world.
    """
    times = f"{warning.count:,} times" if warning.count > 1 else None
    place = warning.place if warning.place != name else None
    details = ", ".join(part for part in (warning.code, times, place) if part)
    err.print(f"{name}: {warning.message} ({details})")


def print_table(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a table whose cells are plain text: brackets in titles are not markup.

    To a pipe or file, each row is one line with tabs between the cells, and there is no title. A
    terminal too narrow for the longest words gets one line a row as well, which it wraps itself: no
    word is broken by us.
    """
    cells = [[_plain(cell) for cell in row] for row in rows]
    if not out.is_terminal:
        for row in cells:
            # Not by Rich, which would turn tabs into spaces.
            line = "\t".join(_BREAKS.sub(" ", cell.plain) for cell in row)
            out.file.write(line.rstrip() + "\n")
    elif _is_too_wide(cells):
        if title:
            out.print(title, style="italic")
        for row in cells:
            out.print(Text("  ").join(cell for cell in row if cell.plain))
    else:
        table = Table(title=title, title_justify="left", box=None, pad_edge=False)
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in cells:
            table.add_row(*row)
        out.print(table, soft_wrap=False)


def _is_too_wide(rows: list[list[Text]]) -> bool:
    """Whether the longest word of each column, side by side, is wider than the terminal."""
    if not rows:
        return False
    longest = [
        max((cell_len(word) for cell in column for word in cell.plain.split()), default=0)
        for column in zip(*rows, strict=True)
    ]
    return sum(longest) + _BETWEEN_COLUMNS * (len(longest) - 1) > out.width


def in_utf8(stream: TextIO) -> TextIO:
    """The stream, set to UTF-8, the encoding of JSON in every locale.

    A lone surrogate, from a file name that is not Unicode, becomes a JSON escape sequence.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


def can_ask() -> bool:
    """Whether a person is there who can answer a question."""
    return sys.stdin.isatty()


def one_line(text: str, width: int = 60) -> str:
    """The start of `text` on one line, for a table."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def quoted(path: Path | str) -> str:
    """A path as a person types it in a shell."""
    return shlex.quote(str(path))


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 book``, ``1,200 chunks``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _as_data(value: Any) -> Any:
    """A result as plain data."""
    if isinstance(value, list):
        return [_as_data(item) for item in value]
    if hasattr(value, "as_dict"):
        return value.as_dict()
    return value._asdict() if hasattr(value, "_asdict") else value


def _plain(cell: object) -> Text:
    """The cell as it is, without the control characters by which it could change the terminal."""
    return Text("" if cell is None else clean(str(cell))[0])
