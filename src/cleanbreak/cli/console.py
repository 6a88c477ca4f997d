"""What the command line prints, and where: results on standard output, all else on standard error."""

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cleanbreak.core.document import SourceWarning
from cleanbreak.errors import CleanbreakError
from cleanbreak.readers.controls import clean
from cleanbreak.worlds.records import WarningRecord


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


def print_json(value: Any) -> None:
    """Print one JSON document, readable and in the order given."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def print_error(error: CleanbreakError, *, as_json: bool) -> None:
    """Print an error on standard error: one sentence, or its code and details for a program."""
    if as_json:
        sys.stderr.write(json.dumps({"error": error.as_dict()}, ensure_ascii=False) + "\n")
    else:
        err.print(f"error: {error.message} ({error.code})", style="red")


def print_warning(name: str, warning: SourceWarning | WarningRecord) -> None:
    """Print on standard error what the reader of the source called `name` warns of, and where."""
    times = f"{warning.count:,} times" if warning.count > 1 else None
    place = warning.place if warning.place != name else None
    told = ", ".join(part for part in (warning.code, times, place) if part)
    err.print(f"{name}: {warning.message} ({told})")


def print_table(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a table whose cells are plain text: brackets in titles are not markup."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(_plain(cell) for cell in row))
    out.print(table, soft_wrap=False)


def _plain(cell: object) -> Text:
    """The cell as it is: no markup, and no controls that would write to the terminal as they like."""
    return Text("" if cell is None else clean(str(cell))[0])


def one_line(text: str, width: int = 60) -> str:
    """The start of `text` on one line, for a table."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"
