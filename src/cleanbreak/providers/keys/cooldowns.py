"""Until when a bucket must not be used, in a file that other processes read and write as well."""

import logging
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from cleanbreak.providers.keys.clock import Clock
from cleanbreak.storage.lock import holding

_log = logging.getLogger(__name__)

FILE_NAME = ".runtime_state.json"

# No provider says more than this; a greater number comes from a clock that was set back.
_LONGEST = timedelta(hours=24)


class Cooldown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One bucket's state: which limit was met, and when it ends. It holds no text of a provider."""

    scope_key: str
    provider_id: str
    credential_name: str
    limit_scope: Literal["model", "project", "credential"]
    last_limit_type: Literal["rpm", "tpm", "rpd"]
    cooldown_until_utc: datetime
    project_id: str | None = None
    quota_scope: str | None = None
    model_id: str | None = None


class Cooldowns:
    """The cooldowns of a folder of keys. Safe between threads and processes.

    A file that cannot be read is ignored with a warning, and written again by the next cooldown:
    it only saves a request that would be refused.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._path = folder / FILE_NAME
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: tuple[int, int] | None = None
        self._known: dict[str, Cooldown] = {}

    def until(self, bucket: str) -> datetime | None:
        """When the bucket's cooldown ends; ``None`` if it has none."""
        with self._lock:
            self._refresh()
            found = self._known.get(bucket)
        if found is None:
            return None
        now = self._clock.now()
        end = min(found.cooldown_until_utc, now + _LONGEST)
        return end if end > now else None

    def live(self) -> list[Cooldown]:
        """The cooldowns that have not ended."""
        with self._lock:
            self._refresh()
            known = list(self._known.values())
        return [one for one in known if one.cooldown_until_utc > self._clock.now()]

    def add(self, cooldown: Cooldown) -> None:
        """Store a cooldown; of two for one bucket the later end counts, whoever wrote it."""
        with self._lock:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with holding(self._path.with_suffix(".lock")):
                    self._known = self._merged(self._read(), cooldown)
                    self._write()
            except OSError as error:  # a folder that may only be read: it holds for this process
                self._known = self._merged(self._known, cooldown)
                _log.warning("%s cannot be written (%s)", self._path.name, error.strerror)

    def _merged(self, stored: dict[str, Cooldown], added: Cooldown) -> dict[str, Cooldown]:
        now = self._clock.now()
        merged = {key: old for key, old in stored.items() if old.cooldown_until_utc > now}
        old = merged.get(added.scope_key)
        if old is None or old.cooldown_until_utc < added.cooldown_until_utc:
            merged[added.scope_key] = added
        return merged

    def _refresh(self) -> None:
        """Read the file again if another process has written it."""
        state = self._state()
        if state != self._seen:
            self._known = self._read()
            self._seen = state

    def _state(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def _read(self) -> dict[str, Cooldown]:
        try:
            stored = msgspec.json.decode(self._path.read_bytes(), type=dict[str, Cooldown])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError):
            _log.warning("%s cannot be read and is ignored", self._path.name)
            return {}
        return {key: _in_utc(cooldown) for key, cooldown in stored.items()}

    def _write(self) -> None:
        temporary = self._path.with_suffix(".tmp")
        temporary.write_bytes(msgspec.json.encode(self._known))
        temporary.replace(self._path)
        self._seen = self._state()


def _in_utc(cooldown: Cooldown) -> Cooldown:
    """Times without a zone, of a file that a person wrote, are UTC."""
    until = cooldown.cooldown_until_utc
    if until.tzinfo is not None:
        return cooldown
    return msgspec.structs.replace(cooldown, cooldown_until_utc=until.replace(tzinfo=UTC))
