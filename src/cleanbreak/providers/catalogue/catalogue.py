"""The catalogue of models: shipped with the package, and added to by files of the user."""

import logging
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from cleanbreak.core.checks import closest
from cleanbreak.errors import CatalogueInvalidError, ModelUnknownError, ProviderUnknownError
from cleanbreak.providers.catalogue.records import (
    CatalogueFile,
    Model,
    Provider,
    Setting,
    SettingUse,
    Surface,
    decode,
)
from cleanbreak.storage.places import config_folder

_log = logging.getLogger(__name__)

FOLDER = "catalogue"
"""Where a user's own files lie, in the folder of settings."""


class Catalogue:
    """Providers and their models; frozen.

    Raises:
        CatalogueInvalidError: if two models have one id, a model's id does not start with its
            provider's, or a user's file changes a model that is shipped.
    """

    def __init__(self, files: Iterable[tuple[str, CatalogueFile]]) -> None:
        self._providers: dict[str, Provider] = {}
        self._models: dict[str, Model] = {}
        self._settings: dict[str, Setting] = {}
        self.version = 0
        for name, file in files:
            self.version = max(self.version, file.catalogue_version)
            self._settings.update((setting.id, setting) for setting in file.settings)
            for provider in file.providers:
                self._add(name, provider)

    def _add(self, file_name: str, provider: Provider) -> None:
        known = self._providers.get(provider.id)
        if known is None:
            self._providers[provider.id] = provider
        else:
            both = (*known.models, *provider.models)
            self._providers[provider.id] = msgspec.structs.replace(known, models=both)
        for model in provider.models:
            if model.id in self._models:
                raise _invalid(file_name, f"the model {model.id} is there already")
            if model.provider_id != provider.id:
                raise _invalid(file_name, f"{model.id} must start with {provider.id}/")
            self._models[model.id] = model

    def providers(self) -> tuple[Provider, ...]:
        """All providers, in the order of the files."""
        return tuple(self._providers.values())

    def provider(self, provider_id: str) -> Provider | None:
        """The provider of that id, or ``None``."""
        return self._providers.get(provider_id)

    def require_provider(self, provider_id: str) -> Provider:
        """The provider of that id.

        Raises:
            ProviderUnknownError: if there is none; names the nearest.
        """
        found = self._providers.get(provider_id)
        if found is not None:
            return found
        nearest = closest(provider_id, self._providers)
        advice = f"did you mean {nearest}?" if nearest else "see: cleanbreak models list"
        raise ProviderUnknownError(
            f"The catalogue has no provider of that name; {advice}", suggestion=nearest
        )

    def models(
        self, surface: Surface | None = None, provider: str | None = None
    ) -> tuple[Model, ...]:
        """The models, all or those of a surface and a provider."""
        return tuple(
            model
            for model in self._models.values()
            if (surface is None or surface in model.surfaces)
            and (provider is None or model.provider_id == provider)
        )

    def get(self, model_id: str) -> Model | None:
        """The model of that id, or ``None``.

        >>> catalogue().get("openai/text-embedding-3-small").limits.max_embedding_dimensions
        1536
        """
        return self._models.get(model_id)

    def require(self, model_id: str) -> Model:
        """The model of that id.

        Raises:
            ModelUnknownError: if there is none; names the nearest.
        """
        model = self._models.get(model_id)
        if model is not None:
            return model
        nearest = closest(model_id, self._models)
        advice = f"did you mean {nearest}?" if nearest else "see: cleanbreak models list"
        raise ModelUnknownError(
            f"The catalogue has no model of that name; {advice}", suggestion=nearest
        )

    def resolve_settings(self, model_id: str) -> tuple[Setting, ...]:
        """The settings of a model, each narrowed to what the model allows.

        A setting that no file defines is left out, with a warning in the log.
        """
        model = self.require(model_id)
        provider = self._providers[model.provider_id]
        own = {setting.id: setting for setting in provider.settings}
        return tuple(self._resolved(model, own))

    def _resolved(self, model: Model, own: dict[str, Setting]) -> Iterator[Setting]:
        for use in model.settings:
            setting = own.get(use.setting_id) or self._settings.get(use.setting_id)
            if setting is None:
                _log.warning("%s has a setting that no file defines", model.id)
                continue
            yield narrowed(setting, use, model)


def narrowed(setting: Setting, use: SettingUse, model: Model) -> Setting:
    """A setting within what one model allows: a bound may only become narrower."""
    limit = getattr(model.limits, _snake(use.limit_key), None) if use.limit_key else None
    changes: dict[str, Any] = {
        "min": _extreme(max, setting.min, use.min),
        "max": _extreme(min, setting.max, use.max, limit),
    }
    for name in ("default_value", "step", "options"):
        if (value := getattr(use, name)) is not None:
            changes[name] = value
    return msgspec.structs.replace(setting, **changes)


def _extreme(which: Any, *bounds: float | None) -> float | None:
    known = [bound for bound in bounds if bound is not None]
    return which(known) if known else None


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


@cache
def catalogue() -> Catalogue:
    """The catalogue of this machine: what is shipped, and the files of the user's folder.

    It is read once for a process. A file in the folder ``catalogue`` of `config_folder` adds models
    or providers; it cannot change what is shipped.

    Raises:
        CatalogueInvalidError: if a file cannot be read; names the file and the field.
    """
    return load_catalogue(config_folder() / FOLDER)


def load_catalogue(folder: Path | None) -> Catalogue:
    """The shipped catalogue and the files of a folder; see `catalogue`."""
    own = sorted(folder.glob("*.json")) if folder and folder.is_dir() else []
    shipped = resources.files(__package__) / "data"
    names = sorted(entry.name for entry in shipped.iterdir() if entry.name.endswith(".json"))
    return Catalogue(
        [
            *((name, _decoded(name, (shipped / name).read_bytes())) for name in names),
            *((path.name, _decoded(path.name, _read(path))) for path in own),
        ]
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _invalid(path.name, f"it cannot be read ({error.strerror})") from None


def _decoded(name: str, data: bytes) -> CatalogueFile:
    try:
        return decode(data)
    except msgspec.MsgspecError as error:
        raise _invalid(name, str(error).rstrip(".")) from None


def _invalid(name: str, why: str) -> CatalogueInvalidError:
    return CatalogueInvalidError(
        f"The catalogue file {name!r} is not valid: {why}. Correct or remove it.", name=name
    )
