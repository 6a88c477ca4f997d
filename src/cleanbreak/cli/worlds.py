"""The commands on worlds: ingest, resume, reingest, remove, verify, status, reindex."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from cleanbreak.cli import console, world_views
from cleanbreak.cli.money import agree, costs_money
from cleanbreak.cli.options import (
    Json,
    TrustFiles,
    WorldFolder,
    Yes,
    book_number,
    number_option,
    reading_options,
    splitter_options,
    use_password,
)
from cleanbreak.cli.progress import run_progress
from cleanbreak.cli.settings import changed_splitter, options_error
from cleanbreak.cli.signals import stoppable
from cleanbreak.errors import RunInterruptedError
from cleanbreak.worlds import RunReport, World


@splitter_options()
@reading_options()
def ingest(
    world: WorldFolder,
    files: Annotated[
        list[Path], typer.Argument(help="Books, or folders of books.", show_default=False)
    ],
    *,
    splitter: dict[str, Any],
    reading: dict[str, Any],
    name: Annotated[
        str | None,
        typer.Option("--name", help="Name of a new world.", show_default="its folder's name"),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done and write nothing.")
    ] = False,
    trust_files: TrustFiles = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Add books to a world: create it, append to it, or resume an interrupted run.

    The first ingest locks the settings for cutting; leave them out afterwards.

    Example: `cleanbreak ingest shelf moby-dick.txt emma.epub --chunk-size 800`
    """
    use_password(reading)
    if World.exists(world):
        place = World.open(world, measure=splitter.get("measure"))
        if name is not None and name != place.name:
            raise options_error(
                "name",
                f"--name is for a new world, and this one is called {place.name!r}; to change that: "
                f"cleanbreak rename {console.quoted(world)} {console.quoted(name)}",
            )
    else:
        place = World.draft(world.absolute(), name=name)
    settings = changed_splitter(place.settings if place.settings_locked else None, splitter)
    if dry_run:
        with stoppable() as stop, run_progress() as on_progress:
            plan = place.plan(
                files, settings=settings, stop=stop, on_progress=on_progress, **reading
            )
        console.show(plan, world_views.print_plan, as_json=as_json)
        if plan.of("conflict") or plan.of("refused"):
            raise typer.Exit(1)
        return
    if costs_money(place.embedding_profile):
        plan = place.plan(files, settings=settings, **reading)
        added = sum(source.text_length or 0 for source in plan.of("new"))
        agree(place.embedding_cost(characters=added), agreed=yes)
    show_run(
        lambda **control: place.ingest(
            files,
            settings=settings,
            trust_files=trust_files,
            on_plan=control["on_progress"],
            **reading,
            **control,
        ),
        world,
        as_json=as_json,
    )


@splitter_options("measure", kept=True)
@reading_options("password")
def resume(
    world: WorldFolder,
    *,
    splitter: dict[str, Any],
    reading: dict[str, Any],
    trust_files: TrustFiles = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Continue an interrupted run, and restore what is lost or damaged from the sources.

    Example: `cleanbreak resume shelf`
    """
    use_password(reading)
    place = World.open(world, measure=splitter.get("measure"))
    if costs_money(place.embedding_profile):
        agree(place.embedding_cost(), agreed=yes)
    show_run(
        lambda **control: place.resume(trust_files=trust_files, **control), world, as_json=as_json
    )


@splitter_options(kept=True)
@reading_options()
def reingest(
    world: WorldFolder,
    replace: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files that replace the stored sources of the same names.", show_default=False
        ),
    ] = None,
    *,
    splitter: dict[str, Any],
    reading: dict[str, Any],
    book: Annotated[
        list[int] | None,
        number_option(
            "--book", parser=book_number, help="Rebuild only this book; may be repeated."
        ),
    ] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Rebuild books from their stored sources, with new settings or replaced sources if given.

    The old chunks stay searchable until the new ones are complete.

    Example: `cleanbreak reingest shelf --chunk-size 500`
    """
    use_password(reading)
    place = World.open(world, measure=splitter.get("measure"))
    settings = changed_splitter(place.settings, splitter)
    if costs_money(place.embedding_profile):
        # At most: of what stays as it is, the vectors stay too.
        chunks = (chunk for chunk in place.chunks() if not book or chunk.book_number in book)
        again = sum(len(chunk.chunk_text) for chunk in chunks)
        agree(place.embedding_cost(characters=again), agreed=yes)
    show_run(
        lambda **control: place.reingest(
            book or None, settings=settings, replace=replace or (), **reading, **control
        ),
        world,
        as_json=as_json,
    )


def remove(
    world: WorldFolder,
    book: Annotated[
        int,
        typer.Argument(
            parser=book_number,
            help="The number of the book; `cleanbreak status` lists them.",
            show_default=False,
        ),
    ],
    sources: Annotated[
        bool, typer.Option("--sources", help="Remove the stored source and its backup too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Remove a book's chunks from a world. Its stored source stays, unless `--sources` is given.

    Example: `cleanbreak remove shelf 3`
    """
    World.open(world).remove(book, sources=sources)
    sentence = f"book {book} removed" + (" with its source" if sources else "")
    console.show(
        {"removed": book, "sources": sources},
        lambda _: console.out.print(sentence),
        as_json=as_json,
    )


def verify(
    world: WorldFolder,
    repair: Annotated[
        bool, typer.Option("--repair", help="Rebuild what is lost or damaged from the sources.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check every file of a world against its records. It is safe at any time.

    Example: `cleanbreak verify shelf --repair`
    """
    place = World.open(world)
    with stoppable() as stop, run_progress() as on_progress:
        report = place.verify(repair=repair, stop=stop, on_progress=on_progress)
    console.show(report, world_views.print_verification, as_json=as_json)
    if not report.ok:
        raise typer.Exit(1)


def status(
    world: WorldFolder,
    dismiss: Annotated[
        bool, typer.Option("--dismiss", help="Forget the sources that could not be used.")
    ] = False,
    size: Annotated[
        bool, typer.Option("--size", help="Look at every file, and say what the disk gives up.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the books of a world, their state, the size of their files, and what was not taken.

    Example: `cleanbreak status shelf`
    """
    place = World.open(world)
    if dismiss:
        place.dismiss()
    console.show(place.status(measured=size), world_views.print_status, as_json=as_json)


def reindex(world: WorldFolder, as_json: Json = False) -> None:
    """Rebuild the search index of a world from its chunk files.

    Example: `cleanbreak reindex shelf`
    """
    place = World.open(world)
    with stoppable() as stop, run_progress() as on_progress:
        books = place.reindex(stop=stop, on_progress=on_progress)
    sentence = f"{console.counted(books, 'book')} indexed"
    console.show({"books": books}, lambda _: console.out.print(sentence), as_json=as_json)


COMMANDS: tuple[Callable[..., None], ...] = (
    ingest,
    status,
    resume,
    reingest,
    remove,
    verify,
    reindex,
)


def show_run(
    work: Callable[..., RunReport],
    world: Path,
    *,
    as_json: bool,
    render: Callable[[RunReport], None] = world_views.print_run,
) -> None:
    """Do a run with a progress bar, which Ctrl-C can stop, and show what it did."""
    try:
        with stoppable() as stop, run_progress() as on_progress:
            report = work(stop=stop, on_progress=on_progress)
    except RunInterruptedError as error:
        if not as_json:
            world_views.print_interrupted(error, console.quoted(world))
        raise
    console.show(report, render, as_json=as_json)
    if report.failures:
        raise typer.Exit(1)
