"""Write docs/cli.md from the commands themselves: ``python tools/make_cli_docs.py``."""

import sys
from pathlib import Path
from typing import Any

import typer

from cleanbreak.cli.app import PANELS, app

PAGE = Path(__file__).parents[1] / "docs" / "cli.md"

HEAD = """# The command line

`tools/make_cli_docs.py` writes this page from the commands; a test checks that it is up to date.

Results go to standard output, everything else to standard error. Colours respect `NO_COLOR`, and
progress is shown on a terminal only. With `--json` the output is JSON in UTF-8, errors too. Text is
written in the encoding of the terminal or pipe; a character that it lacks becomes an escape sequence
such as `\\u0444`.

| exit code | meaning |
|---|---|
| 0 | the work is done |
| 1 | the work failed; the message on standard error ends in the error's code |
| 2 | wrong usage: an unknown option, or a value that is refused |
| 130 | interrupted; what was finished is kept, and runs on worlds can be resumed |

`-h` or `--help` after a command shows its help.

The world or vault need not be named inside its folder, or if the environment variable `CLEANBREAK_PLACE` names it: if the first
argument is not a folder, that place is used (not by `ingest` and `split`). In a pipe, a table has one row a line, with tabs between
the cells and no head.
"""


def page() -> str:
    """The whole page."""
    group: Any = typer.main.get_command(app)
    parts = [HEAD]
    for panel in PANELS:
        parts.append(f"\n## {panel}\n")
        parts += [
            _command(name, command)
            for name, command in commands(group).items()
            if panel in (command.rich_help_panel, _panel_of_group(group, name))
        ]
    return "".join(parts)


def commands(group: Any) -> dict[str, Any]:
    """Every command by its full name; those of a group have two words."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        found |= {name: command} if inner is None else {f"{name} {n}": c for n, c in inner.items()}
    return found


def _panel_of_group(group: Any, name: str) -> str | None:
    first, _, second = name.partition(" ")
    panel: str | None = group.commands[first].rich_help_panel if second else None
    return panel


def _command(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and p.help]
    usage = " ".join(["cleanbreak", name, *(_placeholder(p) for p in arguments), "[OPTIONS]"])
    lines = [f"\n### {name}\n", f"`{usage}`\n", _unwrapped(command.help), ""]
    lines += [f"- `{_placeholder(p)}`: {_unwrapped(p.help)}" for p in arguments]
    for panel in dict.fromkeys(option.rich_help_panel for option in options):
        if panel:
            lines.append(f"\n{panel}:\n")
        lines += [_option(option) for option in options if option.rich_help_panel == panel]
    return "\n".join(lines) + "\n"


def _option(option: Any) -> str:
    default = option.show_default if isinstance(option.show_default, str) else option.default
    shown = f" [default: {default}]" if default else ""
    return f"- `{', '.join(option.opts)}`: {_unwrapped(option.help)}{shown}"


def _placeholder(argument: Any) -> str:
    name = argument.name.upper() + ("…" if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _unwrapped(text: str | None) -> str:
    """Paragraphs without the line breaks of the source code."""
    paragraphs = (text or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs).strip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    sys.stdout.write(f"wrote {PAGE.name}\n")
