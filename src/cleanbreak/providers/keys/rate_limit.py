"""What a provider said when it refused a request because of its limits."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A refusal.

    ``kind`` is what was exceeded: requests or tokens a minute, or requests a day. ``scope`` is what
    it holds for: one model, or all models of a project or a key.
    """

    kind: Literal["rpm", "tpm", "rpd"] = "rpm"
    scope: Literal["model", "project", "credential"] = "model"
    retry_after_seconds: float | None = None
