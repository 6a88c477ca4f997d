"""Adding, listing and removing keys. A key itself is never given back."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from cleanbreak.errors import KeyExistsError, KeyInvalidError, KeyUnknownError, SettingsError
from cleanbreak.providers.catalogue.records import Provider
from cleanbreak.providers.keys.clock import SystemClock
from cleanbreak.providers.keys.cooldowns import Cooldowns
from cleanbreak.providers.keys.key_files import is_open_to_others, key_files, key_record
from cleanbreak.providers.keys.keyring_entries import delete_entry, write_entry
from cleanbreak.storage.files import Files
from cleanbreak.storage.lock import holding

DEFAULT_NAME = "default"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_VARIABLE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*")

# A key is sent in a header, which holds printable ASCII.
_KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A key as a list shows it.

    Attributes:
        provider_id, name: whose key it is, and what it is called.
        place: ``"file"``, ``"env:NAME"``, ``"keyring"``: where the key itself lies.
        file_name: the key file; ``None`` for a variable of the environment.
        enabled: whether it is used.
        allowed_models: the only models it is used for; empty means all.
        problem: why it cannot be used, or what its owner should know; "" if nothing.
        rests: until when it is not used after a refusal, in ISO 8601, by model; ``"*"`` is for all.
    """

    provider_id: str
    name: str
    place: str
    file_name: str | None = None
    enabled: bool = True
    allowed_models: tuple[str, ...] = ()
    problem: str = ""
    rests: dict[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The entry as plain data."""
        return asdict(self) | {"allowed_models": list(self.allowed_models)}


def list_keys(
    provider: Provider, folder: Path, environ: Mapping[str, str] = os.environ
) -> list[KeyEntry]:
    """The keys of a provider, in the order in which they are used; a file that is wrong says why.

    No keyring is opened, as the system may ask the person for a password.
    """
    rests = _rests(folder)
    found = [_entry(path, provider.id, environ) for path in key_files(folder / provider.id)]
    found += [
        KeyEntry(provider.id, f"${name}", f"env:{name}")
        for name in provider.api_key_variables
        if environ.get(name)
    ]
    return [replace(entry, rests=rests.get((provider.id, entry.name), {})) for entry in found]


def _rests(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    found: dict[tuple[str, str], dict[str, str]] = {}
    for rest in Cooldowns(folder, SystemClock()).live():
        models = found.setdefault((rest.provider_id, rest.credential_name), {})
        models[rest.model_id or "*"] = rest.cooldown_until_utc.isoformat(timespec="seconds")
    return found


def add_key(
    folder: Path, provider: Provider, name: str, key: str, *, keyring: bool, overwrite: bool
) -> KeyEntry:
    """Keep a key in a file that only this user can read, or in the system's keyring.

    Args:
        folder: where the folders of the providers lie.
        provider: whose key it is.
        name: what it is called; also the name of the file.
        key: the key, or ``env:NAME`` for a variable that holds it.
        keyring: put the key in the keyring, and only a reference in the file.
        overwrite: whether a key of that name may be replaced.

    Raises:
        SettingsError: if the name is none.
        KeyInvalidError: if the key cannot be one, or the keyring refuses.
        KeyExistsError: if there is a key of that name.
        StoreError: if the file cannot be written.
    """
    path = folder / provider.id / f"{_checked_name(name)}.json"
    if not _KEY.fullmatch(key) or (key.startswith("env:") and not _VARIABLE.fullmatch(key)):
        rule = "a key is one word of printable ASCII, or env:NAME"
        raise KeyInvalidError(
            f"That is no key of {provider.id}: {rule}.", name=path.name, rule=rule
        )
    with _folder_held(path.parent):
        if path.exists() and not overwrite:
            raise KeyExistsError(
                f"There is a key {name!r} of {provider.id} already; choose another --name, or "
                "replace it: --replace.",
                provider=provider.id,
                name=name,
            )
        stored = write_entry(f"{provider.id}-{name}", key, path.name) if keyring else key
        _write_private(path, json.dumps({"api_key": stored}, indent=2).encode() + b"\n")
    return KeyEntry(provider.id, name, _place(stored), path.name)


def remove_key(folder: Path, provider: Provider, name: str) -> KeyEntry:
    """Remove a key file, and what it refers to in the keyring if `add_key` put it there.

    Raises:
        KeyUnknownError: if there is no file of that name.
        KeyInvalidError: if the keyring refuses; nothing is removed then.
        StoreError: if the file cannot be removed.
    """
    for path in key_files(folder / provider.id):
        entry = _entry(path, provider.id, {})
        if name in (entry.name, path.stem):
            delete_entry(_stored(path), path.name)
            Files().remove(path)
            return entry
    raise KeyUnknownError(
        f"There is no key file {name!r} of {provider.id}; see: cleanbreak keys list",
        provider=provider.id,
        name=name,
    )


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise SettingsError(
            "name", name, "letters, digits, '.', '_' and '-', as it is the name of a file"
        )
    return name


def _folder_held(folder: Path) -> Any:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return holding(folder / ".lock")


def _write_private(path: Path, data: bytes) -> None:
    """Write a file that nobody else can read at any moment, whole or not at all."""
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        Files().put_in_place(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _entry(path: Path, provider_id: str, environ: Mapping[str, str]) -> KeyEntry:
    try:
        fields = key_record(path)
    except KeyInvalidError as error:
        return KeyEntry(provider_id, path.stem, "file", path.name, problem=error.details["rule"])
    name = fields.get("name") or path.stem
    stored, models = fields.get("api_key"), fields.get("allowed_models") or []
    place = _place(stored) if isinstance(stored, str) else "file"
    return KeyEntry(
        provider_id,
        name if isinstance(name, str) else path.stem,
        place,
        path.name,
        enabled=fields.get("enabled", True),
        allowed_models=tuple(models) if isinstance(models, list) else (),
        problem=next(_problems(path, stored, place, environ), ""),
    )


def _stored(path: Path) -> str:
    try:
        return str(key_record(path).get("api_key", ""))
    except KeyInvalidError:
        return ""


def _problems(path: Path, stored: Any, place: str, environ: Mapping[str, str]) -> Iterator[str]:
    if not stored or not isinstance(stored, str):
        yield "it has no api_key"
    if place.startswith("env:") and not environ.get(place.removeprefix("env:")):
        yield f"the environment variable {place.removeprefix('env:')} is not set"
    if is_open_to_others(path):
        yield "other users of this machine can read it"


def _place(stored: str) -> str:
    if stored.startswith("env:"):
        return stored
    return "keyring" if stored.startswith("keyring:") else "file"
