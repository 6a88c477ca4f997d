"""Write docs/cli.md from the commands themselves: ``python tools/make_cli_docs.py``."""

import sys
from pathlib import Path
from typing import Any

import typer

from cleanbreak.cli.app import app

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"

HEAD = """# The command line

Written by `tools/make_cli_docs.py` from the commands themselves; a test keeps it in step.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 1 an error of
the work (its code on standard error), 2 wrong usage, 130 interrupted and resumable. Colours respect
`NO_COLOR`, progress is shown on a terminal only, and with `--json` errors are JSON too.
"""


def page() -> str:
    """The whole page."""
    group: Any = typer.main.get_command(app)
    return HEAD + "".join(_command(name, command) for name, command in group.commands.items())


def _command(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    usage = " ".join(["cleanbreak", name, *(_placeholder(p) for p in arguments), "[OPTIONS]"])
    lines = [f"\n## {name}\n", f"`{usage}`\n", _unwrapped(command.help)]
    lines += ["", *(f"- `{', '.join(p.opts)}`: {_unwrapped(p.help)}" for p in options if p.help)]
    return "\n".join(lines) + "\n"


def _placeholder(argument: Any) -> str:
    return argument.name.upper() + ("…" if argument.nargs == -1 else "")


def _unwrapped(text: str | None) -> str:
    """Paragraphs without the line breaks that the source has for its own sake."""
    paragraphs = (text or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs).strip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    sys.stdout.write(f"wrote {PAGE.name}\n")
