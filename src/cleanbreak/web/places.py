"""Places: the worlds and vaults that the server was started with, by ids that are no paths."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Literal

from cleanbreak.errors import NotHeldError
from cleanbreak.vaults import Vault
from cleanbreak.worlds import World


@dataclass(frozen=True, slots=True)
class Place:
    """A world or a vault. The id is that of its path, so a bookmark holds after a restart."""

    kind: Literal["world", "vault"]
    path: Path

    @property
    def place_id(self) -> str:
        """12 hexadecimal digits."""
        return hashlib.sha256(str(self.path.resolve()).encode()).hexdigest()[:12]

    @property
    def name(self) -> str:
        """The name of the world, or of the folder."""
        if self.kind == "world" and self.exists:
            return World.open(self.path).name
        return self.path.resolve().name

    @property
    def exists(self) -> bool:
        """Whether the world was made yet."""
        return self.kind == "vault" or World.exists(self.path)

    def world(self) -> World:
        """The world, opened, or drafted if there is none yet.

        Raises:
            NotHeldError: if it is a vault.
            StoreError: if it cannot be opened.
        """
        if self.kind != "world":
            raise NotHeldError("This place is a vault, and has no books.")
        return World.open(self.path) if self.exists else World.draft(self.path)

    def vault(self) -> Vault:
        """The vault, opened as it was indexed.

        Raises:
            NotHeldError: if it is a world.
            StoreError: if it has no index that can be read.
        """
        if self.kind != "vault":
            raise NotHeldError("This place is a world, and has no notes.")
        return Vault.open(self.path)


class Places:
    """All places, in the order in which they were named."""

    def __init__(self, places: tuple[Place, ...] = ()) -> None:
        self._places = {place.place_id: place for place in places}
        self._opened: dict[str, World] = {}
        self._locks = {place_id: Lock() for place_id in self._places}

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places.values())

    def get(self, place_id: str) -> Place:
        """The place with this id.

        Raises:
            NotHeldError: if there is none.
        """
        if place_id not in self._places:
            raise NotHeldError("This place was not opened by `cleanbreak serve`.")
        return self._places[place_id]

    def lock(self, place: Place) -> Lock:
        """Held while a place is searched: what finds by meaning is kept and not made for two threads."""
        return self._locks[place.place_id]

    def for_search(self, place: Place) -> World:
        """The world of a place, kept with its model; the lock must be held."""
        if place.place_id not in self._opened:
            self._opened[place.place_id] = place.world()
        return self._opened[place.place_id]
