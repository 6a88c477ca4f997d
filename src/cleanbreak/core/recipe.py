"""A recipe: how text was cut, as one frozen value that can be stored, compared and hashed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from cleanbreak.errors import SettingsError

Setting = str | int | float | bool | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Recipe:
    """Splitter, its version, its settings, and the identity of its measure.

    A world locks a recipe; a manifest stores it; a chunk's id is hashed from it. Equal recipes
    that are `lockable` cut equal texts equally, on any machine.

    ``measure`` is the measure's name, ``None`` if it has none (a bare callable). ``functions`` names
    the other parts that are a caller's own functions, such as ``find_split_point``.
    """

    splitter: str
    version: int
    settings: Mapping[str, Setting] = field(default_factory=dict)
    measure: str | None = "characters"
    functions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # A stored recipe has lists where a splitter has tuples.
        given: Mapping[str, Any] = self.settings
        settings = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in given.items()
        }
        object.__setattr__(self, "settings", MappingProxyType(settings))

    @property
    def lockable(self) -> bool:
        """Whether another process can build the same splitter from this value alone.

        It cannot if a part of it is a function without a name.
        """
        return not self.functions and self.measure is not None

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
            # The stored form has one sign for "cannot be built again": no measure. Ids are hashed
            # from this form, so it stays as it is.
            "measure": self.measure if self.lockable else None,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Recipe":
        """The recipe that `as_dict` gave."""
        return cls(
            splitter=data["splitter"],
            version=data["splitter_version"],
            settings=data["settings"],
            measure=data["measure"],
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # A mappingproxy cannot be pickled, and chunks travel home from worker processes.
        settings = dict(self.settings)
        return (Recipe, (self.splitter, self.version, settings, self.measure, self.functions))

    def __hash__(self) -> int:
        return hash(self.digest)


def check_lockable(recipe: Recipe) -> Recipe:
    """Return `recipe` if another process can build its splitter, as a world must be able to.

    Raises:
        SettingsError: naming the part that cannot be stored.
    """
    for part in recipe.functions:
        raise SettingsError(
            part,
            "a function",
            "left out",
            sentence=f"{part} is a function, which cannot be stored with the settings of the "
            f"{recipe.splitter} splitter; leave it out.",
        )
    if recipe.measure is None:
        raise SettingsError(
            "measure",
            "a function",
            "a measure with a name",
            sentence=f"The measure of the {recipe.splitter} splitter has no name, so it cannot be "
            'stored with the settings; give one that has, such as "words", "tiktoken:NAME" or a '
            "tokenizer.",
        )
    return recipe
