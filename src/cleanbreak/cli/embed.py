"""``cleanbreak embed``: give the chunks of a world vectors, so that a search finds by meaning."""

from dataclasses import replace as replaced
from typing import Annotated

import typer

from cleanbreak.cli import console, world_views
from cleanbreak.cli.options import Json, WorldFolder
from cleanbreak.cli.worlds import show_run
from cleanbreak.errors import SettingsError
from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.embedding import EmbeddingProfile, make_embedder
from cleanbreak.worlds import EmbeddingCost, RunReport, World


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
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask before work that costs money.")
    ] = False,
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
    if profile is not None and _costs_money(profile):
        _agree(place.embedding_cost(embedder, replace=replace), agreed=yes)
    show_run(
        lambda **control: place.embed(
            embedder, store=store, address=address, replace=replace, **control
        ),
        world,
        as_json=as_json,
        render=lambda report: _print_embedded(report, place),
    )


def _costs_money(profile: EmbeddingProfile) -> bool:
    model = catalogue().get(profile.model_id)
    return model is not None and model.price is not None and model.price.input_per_million > 0


def _agree(cost: EmbeddingCost, *, agreed: bool) -> None:
    """Say what the work costs, and ask; nothing is asked where nothing is to be paid."""
    if not cost.texts:
        return
    said = (
        f"{console.counted(cost.texts, 'text')} for {cost.model_id}: about {cost.tokens:,} tokens, "
        f"about {_money(cost)} (price of {cost.price_as_of})"
    )
    console.err.print(said)
    if agreed:
        return
    if not console.can_ask():
        raise SettingsError(
            "yes",
            False,
            "given where nobody can be asked",
            sentence=f"This costs about {_money(cost)}, and there is no terminal to ask on; give "
            "--yes to agree.",
        )
    typer.confirm("Continue?", abort=True, err=True)


def _money(cost: EmbeddingCost) -> str:
    """Two digits that mean something, also where it costs less than a cent.

    >>> _money(EmbeddingCost("acme/one", 1, 1, 0.00123)), _money(EmbeddingCost("acme/one", 1, 1, 12.3))
    ('0.0012 USD', '12.30 USD')
    """
    value = cost.cost or 0.0
    shown = f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"
    return f"{shown} {cost.currency}"


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
