"""``cleanbreak search``: find chunks in a world or a vault, each with its citation."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from cleanbreak.cli import console, hit_lines
from cleanbreak.cli.last_search import keep
from cleanbreak.cli.options import Database, Json, number_option
from cleanbreak.cli.passages import dim, marked, print_passage
from cleanbreak.cli.places import check_place
from cleanbreak.cli.progress import note_progress
from cleanbreak.core.checks import one_of
from cleanbreak.readers.controls import clean
from cleanbreak.retrieval import Hit
from cleanbreak.vaults import NoteHits, Vault
from cleanbreak.worlds import Hits, World


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
    limit: Annotated[int, number_option("--limit", "-n", help="Maximum number of hits.")] = 10,
    context: Annotated[
        int, number_option("--context", "-C", help="Chunks to show before and after each hit.")
    ] = 0,
    whole: Annotated[
        bool, typer.Option("--whole", help="Show whole chunks; with --context they always are.")
    ] = False,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="Format: text, lines (path:line: text, for editors), paths, or uri (obsidian:// links).",
        ),
    ] = "text",
    update: Annotated[
        bool,
        typer.Option(
            "--update/--no-update",
            help="Index the notes of a vault that changed before the search.",
        ),
    ] = True,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Find the chunks that match a query best, each with a citation.

    Example: `cleanbreak search shelf '"white whale" captain*' --limit 3`

    `cleanbreak show shelf 2` then shows the second hit with the text around it.
    """
    one_of("--format", form, (*hit_lines.FORMS, "text"))
    words = " ".join(query)
    if db is None:
        check_place(place)
    whole = whole or context > 0
    if World.exists(place) and db is None:
        found = World.open(place).search(words, limit=limit, context=context)
        keep(place, found)
        if not found.complete:
            _show_incomplete(found, whole=whole, as_json=as_json)
            return
        hits: list[Hit] = found
    else:
        hits = _search_notes(place, words, limit, context, db, update=update)
        if as_json and not hits.complete:
            lacking = hits.behind._asdict()
            console.print_json(
                {"complete": False, **lacking, "hits": [hit.as_dict() for hit in hits]}
            )
            return
    if not hits and not getattr(hits, "complete", True):
        return  # said already
    if form == "text" or as_json:
        console.show(hits, partial(_print_hits, whole=whole), as_json=as_json)
    else:
        hit_lines.print_lines(place, hits, form)


def _search_notes(
    place: Path, words: str, limit: int, context: int, db: Path | None, *, update: bool
) -> NoteHits:
    """The hits of a vault; a line on standard error says what its index does not know yet."""
    with note_progress(None) as counting:
        vault = Vault.open(place, db=db, fresh=update, on_note=counting)
    with vault:
        hits = vault.search(words, limit=limit, context=context)
    if not hits.complete:
        lacking = ", ".join(
            f"{len(paths):,} {kind}" for kind, paths in hits.behind._asdict().items() if paths
        )
        nothing = "" if hits else "No hits so far. "
        console.err.print(
            f"{nothing}Notes not searched as they are now: {lacking}; index the vault again."
        )
    return hits


def _show_incomplete(found: Hits, *, whole: bool, as_json: bool) -> None:
    """Show the hits of a world not all of whose books were searched, and say so."""
    if as_json:
        console.print_json(
            {
                "complete": False,
                "behind": list(found.behind),
                "unfinished": list(found.unfinished),
                "hits": [hit.as_dict() for hit in found],
            }
        )
        return
    missing = len(found.behind) + len(found.unfinished)
    were = "was" if missing == 1 else "were"
    rest = "; resume the world to finish it" if found.unfinished else ""
    nothing = "" if found else "No hits so far. "
    console.err.print(f"{nothing}{console.counted(missing, 'book')} {were} not searched{rest}.")
    for number, hit in enumerate(found, 1):
        _print_hit(number, hit, whole=whole)


def _print_hits(hits: list[Hit], *, whole: bool) -> None:
    if not hits:
        console.err.print("Nothing found.")
    for number, hit in enumerate(hits, 1):
        _print_hit(number, hit, whole=whole)


def _print_hit(number: int, hit: Hit, *, whole: bool) -> None:
    console.out.print(Text(f"{number}. ").append(clean(hit.citation)[0], "bold"))
    for neighbour in hit.context:
        if neighbour.number < hit.number:
            print_passage(dim(neighbour.text))
    print_passage(marked(hit.text, hit.marks) if whole else _snippet(hit))
    for neighbour in hit.context:
        if neighbour.number > hit.number:
            print_passage(dim(neighbour.text))
    console.out.print()


def _snippet(hit: Hit) -> Text:
    before = "…" if hit.snippet.start > hit.start else ""
    after = "…" if hit.snippet.start + len(hit.snippet.text) < hit.end else ""
    return Text(before).append_text(marked(hit.snippet.text, hit.snippet.marks)).append(after)
