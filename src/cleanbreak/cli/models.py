"""The commands on models: list, show, install."""

from typing import Annotated, Any

import msgspec
import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from cleanbreak.cli import console
from cleanbreak.cli.command import Command
from cleanbreak.cli.options import Json
from cleanbreak.providers.catalogue import Catalogue, catalogue
from cleanbreak.providers.catalogue.records import Model, Price

ModelId = Annotated[
    str, typer.Argument(help="The id of a model, such as openai/text-embedding-3-small.")
]
ModelName = Annotated[str, typer.Argument(help="The name of a model, such as minilm.")]


def list_models(
    embedding: Annotated[
        bool, typer.Option("--embedding", help="Only models that make vectors.")
    ] = False,
    chat: Annotated[bool, typer.Option("--chat", help="Only models that write text.")] = False,
    local: Annotated[
        bool, typer.Option("--local", help="Only models that run on this machine.")
    ] = False,
    provider: Annotated[
        str | None, typer.Option("--provider", help="Only models of this provider.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the models that cleanbreak knows, with their limits and prices.

    Example: `cleanbreak models list --embedding --local`
    """
    known = catalogue()
    if provider is not None:
        known.require_provider(provider)
    chosen = [
        model
        for model in known.models(provider=provider)
        if (not embedding or "embedding" in model.surfaces)
        and (not chat or "chat" in model.surfaces)
        and (not local or _is_local(known, model))
    ]
    if as_json:
        console.print_json([_as_data(model) for model in chosen])
    else:
        _print_models(chosen)


def show_model(model: ModelId, as_json: Json = False) -> None:
    """Show all that the catalogue says of a model.

    Example: `cleanbreak models show local/minilm`
    """
    found = _found(model)
    if as_json:
        console.print_json(_as_data(found))
        return
    for name, value in _as_data(found).items():
        if value not in ([], {}, "", None):
            console.out.print(f"{name}: {_shown(value)}")


def install(name: ModelName, as_json: Json = False) -> None:
    """Fetch the weights of a model that runs on this machine; it then works without a network.

    An interrupted download is continued. Needs `pip install 'cleanbreak[local]'`.

    Example: `cleanbreak models install minilm`
    """
    from cleanbreak.providers.local.folder import is_installed
    from cleanbreak.providers.local.install import install_model

    model = _found(name)
    fetched = not is_installed(model)
    if not console.err.is_terminal:
        install_model(model)
    else:
        with _download_bar() as bar:
            task = bar.add_task("looking", total=None)
            install_model(
                model,
                lambda doing, done, total: bar.update(
                    task, description=doing, completed=done, total=total
                ),
            )
    if as_json:
        console.print_json({"model": model.id, "installed": True, "fetched": fetched})
    else:
        said = "is installed" if fetched else "was installed already"
        console.out.print(
            f"{model.display_name} {said}; use it: cleanbreak embed WORLD --model {model.call_name}"
        )


models = typer.Typer(
    name="models",
    help="List, show and install models.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
models.command("list", cls=Command)(list_models)
models.command("show", cls=Command)(show_model)
models.command("install", cls=Command)(install)


def _found(name: str) -> Model:
    """The model of an id; the name alone is enough for one of this machine."""
    return catalogue().require(name if "/" in name else f"local/{name}")


def _is_local(known: Catalogue, model: Model) -> bool:
    provider = known.provider(model.provider_id)
    return provider is not None and provider.keyless


def _is_there(model: Model) -> bool | None:
    """Whether a model of this machine is installed; ``None`` for others."""
    if model.weights is None:
        return None
    from cleanbreak.providers.local.folder import is_installed

    return is_installed(model)


def _as_data(model: Model) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(model)
    fields["surfaces"] = sorted(fields["surfaces"])
    there = _is_there(model)
    return fields if there is None else {**fields, "installed": there}


def _print_models(models: list[Model]) -> None:
    columns = ("model", "makes", "takes", "dimensions", "price", "remark")
    rows = [
        (
            model.id,
            ", ".join(_MAKES.get(surface, surface) for surface in sorted(model.surfaces)),
            _number(model.limits.max_input_tokens),
            _number(model.limits.max_embedding_dimensions),
            _price(model.price),
            _remark(model),
        )
        for model in models
    ]
    console.print_table("", columns, rows)
    if not rows:
        console.err.print("no model is like that; `cleanbreak models list` shows all")


_MAKES = {"embedding": "vectors", "chat": "text"}


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _price(price: Price | None) -> str:
    """For a million tokens."""
    if price is None:
        return ""
    numbers = [price.input_per_million, *filter(None, [price.output_per_million])]
    return f"{' / '.join(f'{number:g}' for number in numbers)} {price.currency}"


def _remark(model: Model) -> str:
    if model.status != "ga":
        return f"{model.status}, see {model.replaced_by}" if model.replaced_by else model.status
    return {True: "installed", False: "not installed", None: ""}[_is_there(model)]


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _download_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=console.err,
        transient=True,
    )
