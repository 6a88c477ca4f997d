"""``cleanbreak serve``: the local page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cleanbreak.cli import console
from cleanbreak.cli.options import Json, number_option
from cleanbreak.cli.places import default_place
from cleanbreak.errors import DependencyMissingError

if TYPE_CHECKING:
    from cleanbreak.web.server import Opened


def serve(
    places: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Worlds, folders of notes, and files to cut.",
            show_default="the world or notes of the current folder",
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = True,
    port: Annotated[
        int, number_option("--port", help="Port to listen on; 0 is one that is free.")
    ] = 0,
    host: Annotated[
        str,
        typer.Option("--host", help="Address to listen on; others can reach all but the default."),
    ] = "127.0.0.1",
    as_json: Json = False,
) -> None:
    """Show cuts, books, notes and searches in the browser, until Ctrl-C. Needs the extra `web`.

    Example: `cleanbreak serve book.epub`

    Example: `cleanbreak serve shelf notes --no-open --port 8765`
    """
    try:
        from cleanbreak.web.server import is_loopback
        from cleanbreak.web.server import serve as serve_page
    except ModuleNotFoundError as error:
        raise DependencyMissingError(
            "The page needs the extra `web`: pip install 'cleanbreak[web]'.",
            package=error.name,
            extra="web",
        ) from None
    from cleanbreak.web.opening import new_desk

    desk = new_desk(places or [], default=None if places else default_place())
    if not is_loopback(host):
        console.err.print(
            f"warning: {host} can be reached from the network; who has the token can read and "
            "remove your books, and the connection is not encrypted."
        )

    def show(opened: "Opened") -> None:
        if as_json:
            console.print_json({"url": opened.access.url, "token_file": str(opened.token_file)})
            console.out.file.flush()
            return
        console.err.print(f"The page is at {opened.access.url} (Ctrl-C ends it).")
        if not open_browser:
            console.err.print(f'To enter: {opened.access.url}?token=$(cat "{opened.token_file}")')

    serve_page(desk, host=host, port=port, open_browser=open_browser, on_open=show)
