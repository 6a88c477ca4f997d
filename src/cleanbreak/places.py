"""A place that can be searched: a world of books or a vault of notes."""

import os
from typing import Protocol

from cleanbreak.retrieval import Hit
from cleanbreak.vaults import Vault
from cleanbreak.worlds import World

PathLike = str | os.PathLike[str]


class Place(Protocol):
    """What can be searched: `World`, `Vault`, or an object of one's own."""

    def search(self, query: str, /, *, limit: int) -> list[Hit]:
        """The best hits, best first, at most `limit`."""
        ...


def open_place(path: PathLike) -> World | Vault:
    """The world or vault at a path.

    Raises:
        StateError: if there is neither.
    """
    return World.open(path) if World.exists(path) else Vault.open(path)
