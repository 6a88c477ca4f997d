"""``cleanbreak embed``: give the chunks of a world vectors, so that a search finds by meaning."""

from dataclasses import replace as replaced
from typing import Annotated

import typer

from cleanbreak.cli import console, world_views
from cleanbreak.cli.money import agree, costs_money
from cleanbreak.cli.options import Json, WorldFolder, Yes
from cleanbreak.cli.worlds import show_run
from cleanbreak.providers.embedding import make_embedder
from cleanbreak.worlds import RunReport, World


def embed(
    world: WorldFolder,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="The model: minilm, PROVIDER/MODEL, or a folder with an ONNX model.",
            show_default="the model of the world",
        ),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Remove the vectors of another model, and make all again."),
    ] = False,
    store: Annotated[
        str | None,
        typer.Option(
            help="Where to keep the vectors: sqlite, or qdrant.", show_default="as before"
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(help="The Qdrant server.", show_default="QDRANT_URL, or a folder of yours"),
    ] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Give the chunks of a world vectors, so that a search finds them by meaning too.

    What has a vector already costs nothing. The first run locks the world to the model, and books
    that are added later get their vectors when they are ingested.

    Example: `cleanbreak embed shelf --model minilm`
    """
    place = World.open(world)
    embedder = None if model is None else make_embedder(model)
    profile = place.embedding_profile if embedder is None else embedder.profile
    if costs_money(profile):
        agree(place.embedding_cost(embedder, replace=replace), agreed=yes)
    show_run(
        lambda **control: place.embed(
            embedder, store=store, address=address, replace=replace, **control
        ),
        world,
        as_json=as_json,
        render=lambda report: _print_embedded(report, place),
    )


def _print_embedded(report: RunReport, place: World) -> None:
    """How many chunks of each book have vectors now, and which books have some without."""
    if report.failures or not report.books:
        world_views.print_run(replaced(report, books=()))
    touched = {book.book_number for book in report.books}
    for book in place.status().books:
        found = book.stages.get("embeddings")
        if found is not None and book.book_number in touched:
            chunks = console.counted(found.done, "chunk")
            console.out.print(f"book {book.book_number}: {book.source_path}, {chunks} embedded")
        if found is not None and found.failed:
            console.err.print(
                f"{book.source_path}: {console.counted(found.failed, 'chunk')} could not be embedded "
                "and are found by words only; the next run tries again"
            )
