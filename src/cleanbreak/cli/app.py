"""The application: its commands, and the one place where errors become exit codes."""

import sys
from typing import Annotated

import click
import typer

from cleanbreak._version import __version__
from cleanbreak.cli import console
from cleanbreak.cli.split import split
from cleanbreak.errors import CleanbreakError, RunInterruptedError, SettingsError

app = typer.Typer(
    name="cleanbreak",
    help="Cut books and notes into chunks you can trust, keep them, and find them again.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command()(split)

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with an honest exit code.

    0 fine; 1 an error of the work, with its code on standard error; 2 wrong usage; 130 interrupted
    and resumable.
    """
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run one command and give its exit code."""
    try:
        result = app(arguments, standalone_mode=False)
    except CleanbreakError as error:
        console.err.print(f"error: {error.message} ({error.code})", markup=False, style="red")
        return _exit_code(error)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        console.err.print("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe (`head`) has seen enough; that is not an error.
        sys.stderr.close()
        return 0
    return result if isinstance(result, int) else 0


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
        typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Cut books and notes into chunks you can trust, keep them, and find them again."""
