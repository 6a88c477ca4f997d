"""``cleanbreak mcp``: let an assistant search and read in worlds and vaults."""

from pathlib import Path
from typing import Annotated

import typer

from cleanbreak.cli.places import check_place
from cleanbreak.errors import DependencyMissingError


def mcp(
    places: Annotated[
        list[Path],
        typer.Argument(help="Worlds and vaults that the assistant may read.", show_default=False),
    ],
) -> None:
    """Serve worlds and vaults to an assistant, by the Model Context Protocol.

    It speaks over standard input and output. An assistant starts this command itself;
    docs/assistants.md has the lines for its settings.

    The assistant can search, read, list books and chapters, and follow links of notes, in these
    places only. It can change nothing.

    Example: `cleanbreak mcp shelf ~/notes`
    """
    try:
        from cleanbreak.mcp import make_server
        from cleanbreak.mcp.shelf import Shelf
    except ImportError:
        raise DependencyMissingError(
            "The server for assistants needs the package mcp; install it: pip install "
            "'cleanbreak[mcp]'",
            package="mcp",
            extra="mcp",
        ) from None
    for place in places:
        check_place(place)
    make_server(Shelf(places)).run()
