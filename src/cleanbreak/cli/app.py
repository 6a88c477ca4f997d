"""The application: its commands, and the one place where errors become exit codes."""

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cleanbreak._version import __version__
from cleanbreak.cli import console, vaults, worlds
from cleanbreak.cli.search import search
from cleanbreak.cli.split import split
from cleanbreak.errors import CleanbreakError, RunInterruptedError, SettingsError

INTERRUPTED = 130


class ErrorBoundary(TyperGroup):
    """Runs a command and turns what it raises into one line and an exit code.

    0 fine; 1 an error of the work, with its code on standard error; 2 wrong usage; 130 interrupted
    and resumable. Typer itself answers for words it cannot parse (2).
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the words name."""
        try:
            return super().invoke(ctx)
        except CleanbreakError as error:
            console.print_error(error, as_json="--json" in sys.argv)
            raise typer.Exit(_exit_code(error)) from None
        except KeyboardInterrupt:
            console.err.print("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            # The reader of a pipe (`head`) has seen enough. Python would complain once more when
            # it flushes standard output at exit, so that is pointed elsewhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit from None


app = typer.Typer(
    name="cleanbreak",
    help="Cut books and notes into chunks you can trust, keep them, and find them again.",
    cls=ErrorBoundary,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command()(split)
app.command()(search)
for command in (*worlds.COMMANDS, *vaults.COMMANDS):
    app.command()(command)


def _exit_code(error: CleanbreakError) -> int:
    if isinstance(error, RunInterruptedError):
        return INTERRUPTED
    return 2 if isinstance(error, SettingsError) else 1


def _print_version(wanted: bool) -> None:
    if wanted:
        console.out.print(f"cleanbreak {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Cut books and notes into chunks you can trust, keep them, and find them again."""
