"""``cleanbreak search``: find chunks in a world or a vault, each with its citation."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from cleanbreak.cli import console, hit_lines
from cleanbreak.cli.answers import as_data, print_notes
from cleanbreak.cli.last_search import keep
from cleanbreak.cli.options import Database, Json, book_number, number_option
from cleanbreak.cli.passages import dim, marked, print_passage
from cleanbreak.cli.places import check_place
from cleanbreak.cli.progress import note_progress
from cleanbreak.core.checks import one_of
from cleanbreak.errors import SettingsError
from cleanbreak.readers.controls import clean
from cleanbreak.retrieval import Hit
from cleanbreak.vaults import NoteHits, Vault
from cleanbreak.worlds import MODES, Hits, World


def search(
    place: Annotated[
        Path, typer.Argument(help="The folder of a world or of notes.", show_default=False)
    ],
    query: Annotated[
        list[str],
        typer.Argument(
            help='Words, "phrases", pre*, author:x, page:12, tag:y, AND, OR, NOT.',
            show_default=False,
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
    book: Annotated[
        list[int] | None,
        number_option(
            "--book", parser=book_number, help="Search this book only, by its number; repeatable."
        ),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            help="In a world: words; vectors, by meaning alone; hybrid, both together; auto, which is "
            "hybrid where the world has vectors.",
            autocompletion=lambda: list(MODES),
        ),
    ] = "auto",
    min_similarity: Annotated[
        float | None,
        typer.Option(
            "--min-similarity",
            help="The lowest cosine by which meaning may find a chunk, from -1 to 1.",
            metavar="<cosine>",
            show_default="none",
        ),
    ] = None,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Find the chunks that match a query best, each with a citation.

    Example: `cleanbreak search shelf '"white whale" captain*' --limit 3`

    `cleanbreak show shelf 2` then shows the second hit with the text around it.
    """
    one_of("--format", form, (*hit_lines.FORMS, "text"))
    one_of("--mode", mode, MODES)
    words = " ".join(query)
    if db is None:
        check_place(place)
    found: Hits | NoteHits
    if World.exists(place) and db is None:
        found = World.open(place).search(
            words,
            mode=mode,
            limit=limit,
            context=context,
            book=book or None,
            min_similarity=min_similarity,
        )
        keep(place, found)
    elif book:
        raise SettingsError("--book", book[0], "left out in a vault, which has no books")
    elif mode in ("vectors", "hybrid"):
        raise SettingsError("--mode", mode, "words in a vault, which has no vectors")
    else:
        found = _search_notes(place, words, limit, context, db, update=update)
        keep(place, found)
    if as_json:
        console.print_json(as_data(found))
        return
    print_notes(found)
    if form != "text":
        hit_lines.print_lines(place, found, form)
        return
    for number, hit in enumerate(found, 1):
        _print_hit(number, hit, whole=whole or context > 0)


def _search_notes(
    place: Path, words: str, limit: int, context: int, db: Path | None, *, update: bool
) -> NoteHits:
    with note_progress(None) as counting:
        vault = Vault.open(place, db=db, fresh=update, on_note=counting)
    with vault:
        return vault.search(words, limit=limit, context=context)


def _print_hit(number: int, hit: Hit, *, whole: bool) -> None:
    console.out.print(Text(f"{number}. ").append(clean(hit.citation)[0], "bold"))
    if hit.scores:
        print_passage(dim(_found_by(hit)))
    for neighbour in hit.context:
        if neighbour.number < hit.number:
            print_passage(dim(neighbour.text))
    print_passage(marked(hit.text, hit.marks) if whole else _snippet(hit))
    for neighbour in hit.context:
        if neighbour.number > hit.number:
            print_passage(dim(neighbour.text))
    console.out.print()


def _found_by(hit: Hit) -> str:
    """Which side found a hit and how well: the score of its words, the cosine of its passage."""
    found = []
    if "words" in hit.scores:
        found.append(f"words {hit.scores['words']:.2f}")
    if hit.passage is not None:
        start, end = hit.passage
        found.append(f"meaning {hit.scores['vectors']:.2f} (characters {start}-{end})")
    return ", ".join(found)


def _snippet(hit: Hit) -> Text:
    before = "…" if hit.snippet.start > hit.start else ""
    after = "…" if hit.snippet.start + len(hit.snippet.text) < hit.end else ""
    return Text(before).append_text(marked(hit.snippet.text, hit.snippet.marks)).append(after)
