"""Finding out whether keys work: one request of one word for each of them."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cleanbreak.errors import CleanbreakError, EmbeddingUnsupportedError, KeysMissingError
from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.catalogue.records import Model, Provider
from cleanbreak.providers.embedding.make import remote_embedder
from cleanbreak.providers.keys.credential import Credential
from cleanbreak.providers.keys.key_files import find_keys
from cleanbreak.providers.keys.scheduler import KeyScheduler

# How long to wait for a key that rests.
_DEADLINE_SECONDS = 2.0

# Any word: only whether an answer comes is looked at.
_WORD = "test"


@dataclass(frozen=True, slots=True)
class KeyTrial:
    """What became of the request with one key; ``code`` and ``message`` are "" if it works."""

    name: str
    model_id: str
    works: bool
    code: str = ""
    message: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The trial as plain data."""
        return asdict(self)


def try_keys(provider: Provider, folder: Path) -> Iterator[KeyTrial]:
    """Try each key of a provider; one that is refused rests or is left out, as in a run.

    Raises:
        KeysMissingError: if there is none.
        KeyInvalidError: if a key file is not valid.
        EmbeddingUnsupportedError: if no model of the provider makes vectors, which is how it is
            asked.
    """
    models = catalogue().models("embedding", provider.id)
    if not models:
        raise EmbeddingUnsupportedError(
            f"{provider.display_name} has no model for vectors, and only these can be asked; its "
            "keys cannot be tried.",
            model=provider.id,
        )
    keys = find_keys(provider, folder).credentials
    if not keys:
        raise KeysMissingError(
            f"There is no key of {provider.display_name}; add one: cleanbreak keys add "
            f"{provider.id}",
            provider=provider.id,
        )
    for key in keys:
        model = next((model for model in models if key.allows(model.id)), models[0])
        yield _tried(provider, model, key, folder)


def _tried(provider: Provider, model: Model, key: Credential, folder: Path) -> KeyTrial:
    scheduler = KeyScheduler.for_model(provider.id, model.id, folder, only=key.name)
    try:
        embedder = remote_embedder(provider, model, scheduler=scheduler)
        embedder.embed([_WORD], deadline_seconds=_DEADLINE_SECONDS)
    except CleanbreakError as error:
        return KeyTrial(key.name, model.id, False, error.code, error.message)
    return KeyTrial(key.name, model.id, True)
