"""A person's folder of settings, for tests: keys, and a catalogue with a provider of the tests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.keys.traffic import traffic_of

SECRET = "sk-secret-marker-1234"
DIMENSIONS = 4


def write_catalogue(folder: Path, address: str, **fields: Any) -> None:
    """Add the provider ``acme`` with the model ``acme/one`` at `address`; `fields` are the model's."""
    model = {
        "id": "acme/one",
        "displayName": "One",
        "callName": "one",
        "surfaces": ["embedding"],
        "limits": {"maxInputTokens": 1000, "maxEmbeddingDimensions": DIMENSIONS},
        **fields,
    }
    provider = {
        "id": "acme",
        "displayName": "Acme",
        "baseUrl": address,
        "apiKeyVariables": ["ACME_API_KEY"],
        "models": [model],
    }
    path = folder / "config/catalogue/acme.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"catalogueVersion": 1, "providers": [provider]}), "utf-8")
    catalogue.cache_clear()


def write_key(folder: Path, name: str = "default", **fields: Any) -> Path:
    """Add a key of ``acme``."""
    path = folder / f"config/keys/acme/{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"api_key": f"{SECRET}-{name}", **fields}), "utf-8")
    path.chmod(0o600)
    return path


@contextmanager
def own_home(folder: Path) -> Iterator[Path]:
    """Settings and downloads lie in `folder`, and no key is in the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLEANBREAK_HOME", str(folder))
        for provider in catalogue().providers():
            for variable in provider.api_key_variables:
                patch.delenv(variable, raising=False)
        patch.delenv("ACME_API_KEY", raising=False)
        catalogue.cache_clear()
        traffic_of.cache_clear()
        yield folder
    catalogue.cache_clear()
    traffic_of.cache_clear()
