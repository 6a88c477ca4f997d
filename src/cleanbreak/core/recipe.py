"""A recipe: how text was cut, as one frozen value that can be stored, compared and hashed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Setting = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Recipe:
    """Splitter, its version, its settings, and the identity of its measure.

    A world locks a recipe; a manifest stores it; a chunk's id is hashed from it. Equal recipes
    cut equal texts equally, on any machine. ``measure`` is ``None`` where the measure has no name
    (a bare callable): such a recipe can split but not be locked.
    """

    splitter: str
    version: int
    settings: Mapping[str, Setting] = field(default_factory=lambda: MappingProxyType({}))
    measure: str | None = "characters"

    @property
    def lockable(self) -> bool:
        """Whether another process can build the same splitter from this value alone."""
        return self.measure is not None

    @property
    def digest(self) -> str:
        """SHA-256 over the canonical JSON form, as hexadecimal digits."""
        canonical = json.dumps(self.as_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """The recipe as plain data, as worlds store it."""
        return {
            "splitter": self.splitter,
            "splitter_version": self.version,
            "settings": dict(self.settings),
            "measure": self.measure,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Recipe":
        """The recipe that `as_dict` gave."""
        return cls(
            splitter=data["splitter"],
            version=data["splitter_version"],
            settings=MappingProxyType(dict(data["settings"])),
            measure=data["measure"],
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # A mappingproxy cannot be pickled, and chunks travel home from worker processes.
        return (Recipe.from_dict, (self.as_dict(),))

    def __hash__(self) -> int:
        return hash(self.digest)
