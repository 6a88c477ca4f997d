"""Work that costs money: what it costs is said, and agreed to, before anything is paid."""

import typer

from cleanbreak.cli import console
from cleanbreak.errors import SettingsError
from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.embedding import EmbeddingProfile
from cleanbreak.worlds import EmbeddingCost


def costs_money(profile: EmbeddingProfile | None) -> bool:
    """Whether vectors of this profile have a price."""
    if profile is None:
        return False
    model = catalogue().get(profile.model_id)
    return model is not None and model.price is not None and model.price.input_per_million > 0


def agree(cost: EmbeddingCost, *, agreed: bool) -> None:
    """Say what the work costs, and ask; nothing is asked where nothing is to be paid."""
    if not cost.tokens:
        return
    said = (
        f"Vectors by {cost.model_id}: about {cost.tokens:,} tokens, about {_money(cost)} "
        f"(price of {cost.price_as_of})"
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
