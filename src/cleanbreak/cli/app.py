"""The application and its commands."""

from collections.abc import Callable
from typing import Annotated

import typer

from cleanbreak._version import __version__
from cleanbreak.cli import books, console, vaults, worlds
from cleanbreak.cli.command import Command, Commands, PlaceCommand, SearchCommand
from cleanbreak.cli.embed import embed
from cleanbreak.cli.keys import keys
from cleanbreak.cli.mcp import mcp
from cleanbreak.cli.models import models
from cleanbreak.cli.search import search
from cleanbreak.cli.serve import serve
from cleanbreak.cli.split import split

# The panels of `cleanbreak --help`, in the order shown.
PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Cutting": (split,),
    "Books": (*worlds.COMMANDS, *books.COMMANDS),
    "Notes": vaults.COMMANDS,
    "Books and notes": (search, mcp),
    "Models": (embed,),
    "Serving": (serve,),
}

# Commands with commands of their own, such as `models list`, by the panel where they are shown.
GROUPS = {"Models": (models, keys)}


def _kind(command: Callable[..., None]) -> type[Command]:
    """What reads the arguments of a command. Some name files, or any number of places."""
    if command is search:
        return SearchCommand
    return Command if command in (split, serve, worlds.ingest, mcp) else PlaceCommand


app = typer.Typer(
    name="cleanbreak",
    help="Cut books and notes into exact chunks, keep them, and find them again with citations.",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for panel, commands in PANELS.items():
    for command in commands:
        app.command(cls=_kind(command), rich_help_panel=panel)(command)
for panel, groups in GROUPS.items():
    for group in groups:
        app.add_typer(group, rich_help_panel=panel)


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
    pass
