"""The commands that read books and notes: books, show, export; and rename."""

import shutil
import webbrowser
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated

import typer

from cleanbreak.cli import console
from cleanbreak.cli.options import (
    Database,
    Json,
    Overwrite,
    WorldFolder,
    book_number,
    number_option,
)
from cleanbreak.cli.passages import dim, marked, print_passage
from cleanbreak.cli.places import check_place
from cleanbreak.cli.where import RULE, find_in_vault, find_place
from cleanbreak.vaults import NoteExcerpt, Vault
from cleanbreak.vaults.uri import note_uri
from cleanbreak.worlds import BookInfo, Excerpt, World

_ONE_BOOK = "Only this book, by its number."


def books(world: WorldFolder, as_json: Json = False) -> None:
    """List the books of a world with titles and authors, and every warning in words.

    Example: `cleanbreak books shelf`
    """
    console.show(World.open(world).books(), _print_books, as_json=as_json)


def show(
    place: Annotated[
        Path, typer.Argument(help="The folder of a world or of notes.", show_default=False)
    ],
    where: Annotated[
        str,
        typer.Argument(
            help=f"{RULE[0].upper()}{RULE[1:]}; in a vault also a note, or NOTE#HEADING.",
            show_default=False,
        ),
    ],
    context: Annotated[
        int, number_option("--context", "-C", help="Chunks to show before and after.")
    ] = 1,
    open_file: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Open a copy of the book in its viewer, at the page if it can, or the note itself.",
        ),
    ] = False,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Read on at a hit or citation: the passage, marked, with the text around it.

    Example: `cleanbreak show shelf 2` shows the second hit of the last search

    Example: `cleanbreak show shelf 3:1200-2100 -C 2`

    Example: `cleanbreak show ~/notes "Deep Work#Rules"`
    """
    if db is None:
        check_place(place)
    if db is not None or not World.exists(place):
        _show_note(place, where, context, db, open_file=open_file, as_json=as_json)
        return
    world = World.open(place)
    found = find_place(world, place, where)
    excerpt = world.excerpt(found.book, found.start, found.end, around=context)
    if as_json:
        console.print_json(excerpt)
    else:
        _print_excerpt(excerpt, found.marks)
    if open_file:
        _open(world, excerpt)


def _show_note(
    folder: Path, where: str, context: int, db: Path | None, *, open_file: bool, as_json: bool
) -> None:
    with Vault.open(folder, db=db) as vault:
        excerpt, marks = find_in_vault(vault, folder, where, context)
    if as_json:
        console.print_json(excerpt)
    else:
        _print_excerpt(excerpt, marks)
    if open_file:
        is_of_obsidian = (folder / ".obsidian").is_dir()
        typer.launch(
            note_uri(folder, excerpt.path) if is_of_obsidian else str(folder / excerpt.path)
        )


def export(
    world: WorldFolder,
    output: Annotated[
        Path,
        typer.Argument(
            help="The .jsonl, .sqlite or .parquet file; a database gets a table.",
            show_default=False,
        ),
    ],
    book: Annotated[int | None, number_option("--book", parser=book_number, help=_ONE_BOOK)] = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Write the chunks of a world, or of one book, to a file.

    Example: `cleanbreak export shelf chunks.parquet`
    """
    count = World.open(world).export(output, book=book, overwrite=overwrite)
    console.err.print(f"{console.counted(count, 'chunk')} in {output.name}")
    if as_json:
        console.print_json({"output": output.name, "chunks": count})


def rename(
    world: WorldFolder,
    name: Annotated[str, typer.Argument(help="The new name.", show_default=False)],
    book: Annotated[
        int | None,
        number_option("--book", parser=book_number, help="Rename this book, by its number."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Give a world another name, or with `--book` one of its books another path.

    Example: `cleanbreak rename shelf "Sea stories"`
    """
    World.open(world).rename(name, book=book)
    what = "the world" if book is None else f"book {book}"
    console.show(
        {"name": name, "book": book},
        lambda _: console.out.print(f"{what} is called {name!r} now"),
        as_json=as_json,
    )


def _print_books(found: list[BookInfo]) -> None:
    rows = (
        (book.number, book.title, ", ".join(book.authors), book.source_path, f"{book.chunks:,}")
        for book in found
    )
    console.print_table("", ("book", "title", "authors", "source", "chunks"), rows)
    for book in found:
        for warning in book.warnings:
            console.print_warning(book.source_path, warning)


def _print_excerpt(excerpt: Excerpt | NoteExcerpt, marks: tuple[tuple[int, int], ...]) -> None:
    console.out.print(excerpt.citation, style="bold")
    text, start, end = excerpt.text, excerpt.start - excerpt.first, excerpt.end - excerpt.first
    whole = dim(text[:start])
    whole.append_text(marked(text[start:end], marks)).append_text(dim(text[end:]))
    print_passage(whole, blank_lines=True)


def _open(world: World, excerpt: Excerpt) -> None:
    """Open a copy, as a viewer may write into the file that it shows."""
    source = world.source(excerpt.book_number)
    copy = Path(shutil.copy(source, mkdtemp(prefix="cleanbreak-")))
    page = _page(world, excerpt) if copy.suffix.lower() == ".pdf" else None
    if page is None:
        typer.launch(str(copy))
    else:
        webbrowser.open(f"{copy.as_uri()}#page={page}")


def _page(world: World, excerpt: Excerpt) -> int | None:
    """The place of the passage's page among all pages, from 1."""
    sections = world.document(excerpt.book_number).sections
    pages = [section.span for section in sections if section.kind == "page"]
    before = sum(1 for span in pages if span.start <= excerpt.start)
    return before or None


COMMANDS: tuple[Callable[..., None], ...] = (books, show, export, rename)
