"""Commands whose errors become one line on standard error and an exit code."""

import os
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from cleanbreak.cli import console
from cleanbreak.cli.places import default_place, is_place
from cleanbreak.errors import CleanbreakError, RunInterruptedError, SettingsError

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130

# What people type who know other programs, and what we call it.
_MEANT = {
    "add": "ingest",
    "cat": "show",
    "delete": "remove",
    "find": "search",
    "import": "ingest",
    "list": "books",
    "ls": "books",
    "open": "show",
    "read": "show",
    "rm": "remove",
}

# What a splitter calls the value of --overlap, and the unit that a message then has to name.
_OVERLAP_UNITS = {
    "overlap_percent": "percent of a chunk",
    "overlap_tokens": "tokens",
    "overlap_size": "characters or units of --measure",
}


class Command(TyperCommand):
    """One command. Errors of the work are printed with their code, as JSON if ``--json`` is given."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except CleanbreakError as error:
            if isinstance(error, SettingsError):
                _name_the_option(error, self.params, ctx.params)
            console.print_error(error, as_json=ctx.params.get("as_json", False))
            raise typer.Exit(_exit_code(error)) from None


class PlaceCommand(Command):
    """A command on a world or vault, which need not be named where there is a default one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default place before the arguments if they do not start with a folder."""
        options, words = self._sorted(args, self.get_params(ctx))
        if self._lacks_place(words, self.get_params(ctx)) and (place := default_place()):
            words.insert(0, str(place))
        return super().parse_args(ctx, [*options, "--", *words] if words else options)

    def _sorted(self, args: list[str], params: Iterable[Any]) -> tuple[list[str], list[str]]:
        return _options_and_words(args, params, unknown_are_words=False)

    @staticmethod
    def _lacks_place(words: list[str], params: Iterable[Any]) -> bool:
        arguments = [param for param in params if param.param_type_name == "argument"]
        most = sum(param.nargs for param in arguments)
        is_full = all(param.nargs > 0 for param in arguments) and len(words) >= most
        if not words:
            return True
        needed = sum(param.required for param in arguments)
        folder = Path(words[0])
        if os.path.isdir(folder):  # noqa: PTH112 (Path raises for a query too long for a name)
            return len(words) < needed and not is_place(folder)
        return not is_full


class SearchCommand(PlaceCommand):
    """A command with a query, in which ``-old`` is a word that may not be found."""

    def _sorted(self, args: list[str], params: Iterable[Any]) -> tuple[list[str], list[str]]:
        return _options_and_words(args, params, unknown_are_words=True)


class Commands(TyperGroup):
    """All commands. It ends quietly on Ctrl-C, and when the reader of a pipe has left."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; the words of other programs lead to ours."""
        name = args[0]
        if name in _MEANT and self.get_command(ctx, name) is None:
            ctx.fail(f"No such command {name!r}. Did you mean {_MEANT[name]!r}?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is named."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            console.err.print("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # `head` has what it wants. Python flushes standard output at exit and would complain
            # again, so the rest goes to the null device.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit from None


def _options_and_words(
    args: list[str], params: Iterable[Any], *, unknown_are_words: bool
) -> tuple[list[str], list[str]]:
    """The options with their values, and the words.

    A long option that is not known stays among the options, as it is rather misspelt than a word;
    so does a short one unless `unknown_are_words`.
    """
    takes_value = {
        name: not getattr(param, "is_flag", False)
        for param in params
        if param.param_type_name == "option"
        for name in (*param.opts, *param.secondary_opts)
    }
    options: list[str] = []
    words: list[str] = []
    left = iter(args)
    for arg in left:
        if arg == "--":
            words += left
        elif arg in takes_value:
            options += [arg, *(islice(left, 1) if takes_value[arg] else ())]
        elif (
            arg.startswith("--")
            or (takes_value.get(arg[:2]) and arg[2:].isdecimal())
            or (arg.startswith("-") and arg != "-" and not unknown_are_words)
        ):
            options.append(arg)
        else:
            words.append(arg)
    return options, words


def _exit_code(error: CleanbreakError) -> int:
    if isinstance(error, RunInterruptedError):
        return INTERRUPTED
    return WRONG_USAGE if isinstance(error, SettingsError) else FAILED


def _name_the_option(error: SettingsError, options: Iterable[Any], given: dict[str, Any]) -> None:
    """Let the message name the option as it is typed, if the setting came from an option."""
    field = str(error.details.get("field"))
    unit = f" (in {_OVERLAP_UNITS[field]})" if field in _OVERLAP_UNITS else ""
    typed = "--overlap" if unit else f"--{field.replace('_', '-')}"
    is_given = any(typed in option.opts and given[option.name] is not None for option in options)
    if is_given and error.message.startswith(f"{field} "):
        error.message = f"{typed}{unit}{error.message.removeprefix(field)}"
