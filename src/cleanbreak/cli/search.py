"""``cleanbreak search``: find chunks in a world or a vault, each with its citation."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from cleanbreak.cli import console
from cleanbreak.readers.controls import clean
from cleanbreak.retrieval import Hit
from cleanbreak.vaults import Vault
from cleanbreak.worlds import World

_MARK = "bold yellow"


def search(
    place: Annotated[
        Path, typer.Argument(help="The folder of a world or of notes.", show_default=False)
    ],
    query: Annotated[
        list[str],
        typer.Argument(
            help='Words, "phrases", pre*, tag:x, path:y, AND, OR, NOT.', show_default=False
        ),
    ],
    limit: Annotated[int, typer.Option("--limit", "-n", help="The most hits to show.")] = 10,
    context: Annotated[
        int, typer.Option("--context", "-C", help="Show so many chunks around each hit.")
    ] = 0,
    db: Annotated[
        Path | None, typer.Option("--db", help="The index of a vault, if kept elsewhere.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array.")] = False,
) -> None:
    """Find the chunks that fit a query best, each with a citation to check it by.

    Example: `cleanbreak search shelf '"white whale" captain*' --limit 3`
    """
    words = " ".join(query)
    if World.exists(place) and db is None:
        hits = World.open(place).search(words, limit=limit, context=context)
    else:
        with Vault.open(place, db=db) as vault:
            hits = vault.search(words, limit=limit, context=context)
    if as_json:
        console.print_json([hit.as_dict() for hit in hits])
    elif hits:
        for number, hit in enumerate(hits, 1):
            _show(number, hit)
    else:
        console.err.print("Nothing found.")


def _show(number: int, hit: Hit) -> None:
    console.out.print(Text(f"{number}. ").append(_shown(hit.citation), "bold"))
    for neighbour in hit.context:
        if neighbour.number < hit.number:
            _show_text(Text(_shown(neighbour.text), "dim"))
    _show_text(_marked(hit))
    for neighbour in hit.context:
        if neighbour.number > hit.number:
            _show_text(Text(_shown(neighbour.text), "dim"))
    console.out.print()


def _shown(text: str) -> str:
    """Without the controls by which a note could write to the terminal as it likes."""
    return clean(text)[0]


def _marked(hit: Hit) -> Text:
    """The snippet, its marks in colour on a terminal and between ** elsewhere."""
    before = "…" if hit.snippet.start > hit.start else ""
    after = "…" if hit.snippet.start + len(hit.snippet.text) < hit.end else ""
    if not console.out.is_terminal:
        return Text(_shown(f"{before}{hit.snippet.marked()}{after}"))
    shown = Text(before).append(_shown(hit.snippet.text)).append(after)
    for mark in hit.snippet.marks:
        shown.stylize(_MARK, mark.start + len(before), mark.end + len(before))
    return shown


def _show_text(text: Text) -> None:
    for line in text.split("\n"):
        if line.plain.strip():
            console.out.print(Text("   ").append_text(line))
