"""Folders of keys, and a clock that only moves when it is waited for."""

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cleanbreak.providers.catalogue.records import Provider, Quota
from cleanbreak.providers.keys import KeyScheduler

PROVIDER = Provider(id="acme", display_name="Acme", base_url="http://127.0.0.1:9")
MODEL = "acme/model-m"
OTHER = "acme/model-n"
SECRET = "sk-secret-marker-1234"


class FakeClock:
    """Time stands still but for `pass_`, and for waits, which end at once."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.start = datetime(2026, 5, 4, 12, tzinfo=UTC)
        self.waits: list[float] = []

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.seconds - 1000.0)

    def pass_(self, seconds: float) -> None:
        self.seconds += seconds

    def wait(self, condition: threading.Condition, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds


def write_key(folder: Path, stem: str, **fields: Any) -> Path:
    """A key file of `PROVIDER`; with a key, unless `api_key` says otherwise."""
    place = folder / PROVIDER.id
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{stem}.json"
    record = {"api_key": f"{SECRET}-{stem}", **fields}
    path.write_text(json.dumps({k: v for k, v in record.items() if v is not None}), "utf-8")
    path.chmod(0o600)
    return path


def scheduler(
    folder: Path,
    model: str = MODEL,
    clock: FakeClock | None = None,
    *,
    provider: Provider = PROVIDER,
    **quota: int,
) -> KeyScheduler:
    """A scheduler for the keys of a folder, without jitter."""
    return KeyScheduler(
        provider,
        model,
        folder,
        quota=Quota(**quota),
        clock=clock or FakeClock(),
        jitter=lambda: 1.0,
    )
