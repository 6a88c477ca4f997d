"""Keys as they are found: one JSON file a key, environment variables, the system's keyring."""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cleanbreak.errors import KeyInvalidError
from cleanbreak.providers.catalogue.records import Provider
from cleanbreak.providers.keys.credential import Credential
from cleanbreak.providers.keys.keyring_entries import read_entry
from cleanbreak.storage.places import config_folder

FOLDER = "keys"
"""Where the folders of the providers lie, in the folder of settings."""


@dataclass(frozen=True, slots=True)
class KeyWarning:
    """Something about a key file that its owner should know. ``code`` is stable."""

    code: str
    message: str
    name: str


@dataclass(frozen=True, slots=True)
class FoundKeys:
    """The keys of a provider, in the order of their files, those of the environment last."""

    credentials: tuple[Credential, ...]
    warnings: tuple[KeyWarning, ...] = ()


def default_folder() -> Path:
    """The folder of keys of this user."""
    return config_folder() / FOLDER


def find_keys(
    provider: Provider, folder: Path, environ: Mapping[str, str] = os.environ
) -> FoundKeys:
    """The keys of a provider that are enabled; none is fine.

    Raises:
        KeyInvalidError: if a file that is enabled is not valid; names the file and the rule, never
            what it holds.
        DependencyMissingError: if a file refers to the keyring and its library is not installed.
    """
    warnings: list[KeyWarning] = []
    paths = key_files(folder / provider.id)
    read = (_from_file(path, provider.id, environ, warnings) for path in paths)
    found = [credential for credential in read if credential is not None]
    found.extend(_from_environment(provider, environ))
    names = [credential.name for credential in found]
    for name in sorted({name for name in names if names.count(name) > 1}):
        message = f"Two keys are named {name!r}; they count as one quota. Rename one."
        warnings.append(KeyWarning("PROVIDER_KEY_NAME_TWICE", message, name))
    return FoundKeys(tuple(_grouped(found)), tuple(warnings))


def key_files(folder: Path) -> list[Path]:
    """The key files of one provider, in the order in which they are used."""
    try:
        return sorted(path for path in folder.glob("*.json") if not path.name.startswith("."))
    except OSError:
        return []


def _from_file(
    path: Path, provider_id: str, environ: Mapping[str, str], warnings: list[KeyWarning]
) -> Credential | None:
    fields = key_record(path)
    if not fields.get("enabled", True):
        return None  # also if more is wrong with it
    key = _resolved(fields, path.name, environ)
    models = fields.get("allowed_models", [])
    if not isinstance(models, list) or not all(isinstance(model, str) for model in models):
        raise _invalid(path.name, "allowed_models must be a list of model ids")
    if is_open_to_others(path):
        message = f"Other users of this machine can read {path.name!r}; run: chmod 600 {path.name}"
        warnings.append(KeyWarning("PROVIDER_KEY_FILE_OPEN", message, path.name))
    return Credential(
        provider_id=provider_id,
        # Never the key: names are shown and logged.
        name=_text(fields, "name", path.name) or path.stem,
        key=key,
        project_id=_text(fields, "project_id", path.name),
        allowed_models=frozenset(models),
    )


def key_record(path: Path) -> dict[str, Any]:
    """The fields of a key file, also of one that is disabled.

    Raises:
        KeyInvalidError: if it is no JSON object, or ``enabled`` is neither true nor false.
    """
    try:
        fields = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError):
        raise _invalid(path.name, "it must be a JSON object in UTF-8") from None
    if not isinstance(fields, dict):
        raise _invalid(path.name, "it must be a JSON object in UTF-8")
    if not isinstance(fields.get("enabled", True), bool):
        raise _invalid(path.name, "enabled must be true or false")
    return fields


def _resolved(fields: dict[str, Any], file_name: str, environ: Mapping[str, str]) -> str:
    """The key itself: as the file has it, or from the place that the file names."""
    stored = _text(fields, "api_key", file_name)
    if not stored:
        raise _invalid(file_name, "api_key must be a key, env:NAME or keyring:SERVICE/USER")
    kind, _, place = stored.partition(":")
    if kind == "env":
        if not (key := environ.get(place)):
            raise _invalid(file_name, f"the environment variable {place} is not set")
        return key
    if kind == "keyring":
        return read_entry(place, file_name)
    return stored


def _from_environment(provider: Provider, environ: Mapping[str, str]) -> Iterator[Credential]:
    for name in provider.api_key_variables:
        if key := environ.get(name):
            yield Credential(provider.id, f"${name}", key)


def _grouped(found: list[Credential]) -> Iterator[Credential]:
    """Two keys that are the same are one quota, under the name of the first."""
    first: dict[str, str] = {}
    for credential in found:
        scope = first.setdefault(credential.key, credential.name)
        yield Credential(
            credential.provider_id,
            credential.name,
            credential.key,
            credential.project_id,
            credential.allowed_models,
            scope_name=scope,
        )


def _text(fields: dict[str, Any], name: str, file_name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise _invalid(file_name, f"{name} must be a string")
    return value


def is_open_to_others(path: Path) -> bool:
    """Whether other users of the machine may read a file; ``False`` where rights are not bits."""
    if os.name == "nt":
        return False
    return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _invalid(file_name: str, rule: str) -> KeyInvalidError:
    return KeyInvalidError(
        f"The key file {file_name!r} is not valid: {rule}.", name=file_name, rule=rule
    )
