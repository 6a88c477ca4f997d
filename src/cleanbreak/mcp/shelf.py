"""The places that an assistant may use: those of the command line, by name, and no others."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from cleanbreak.core.checks import one_of
from cleanbreak.errors import SettingsError
from cleanbreak.places import open_place
from cleanbreak.vaults import Vault
from cleanbreak.worlds import World


class Shelf:
    """Worlds and vaults by the names of their folders; two of one name get a number.

    Raises:
        StateError: if a path is neither a world nor a vault.
    """

    def __init__(self, paths: Iterable[str | os.PathLike[str]]) -> None:
        self._places: dict[str, World | Vault] = {}
        for path in paths:
            self._places[self._free_name(Path(path).resolve().name)] = open_place(path)

    def _free_name(self, name: str) -> str:
        number = 2
        free = name
        while free in self._places:
            free = f"{name}-{number}"
            number += 1
        return free

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the places."""
        return tuple(self._places)

    def chosen(self, name: str | None) -> Iterator[tuple[str, World | Vault]]:
        """The place of that name, or all places.

        Raises:
            SettingsError: if there is no such place; it names those there are.
        """
        for each in self._places if name is None else (one_of("place", name, self._places),):
            yield each, self._places[each]

    def world(self, name: str) -> World:
        """The world of that name.

        Raises:
            SettingsError: if there is no such place, or it is a vault.
        """
        place = self._places[one_of("place", name, self._places)]
        if not isinstance(place, World):
            raise SettingsError("place", name, "a world of books; this is a vault of notes")
        return place

    def vault(self, name: str) -> Vault:
        """The vault of that name.

        Raises:
            SettingsError: if there is no such place, or it is a world.
        """
        place = self._places[one_of("place", name, self._places)]
        if not isinstance(place, Vault):
            raise SettingsError("place", name, "a vault of notes; this is a world of books")
        return place

    def is_world(self, name: str) -> bool:
        """Whether the place of that name is a world.

        Raises:
            SettingsError: if there is no such place.
        """
        return isinstance(self._places[one_of("place", name, self._places)], World)
