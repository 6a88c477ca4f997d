"""The place that a retriever searches: a world, a vault, or the path of either."""

import os
from typing import Any, Protocol

from cleanbreak.retrieval import Hit
from cleanbreak.vaults import Vault
from cleanbreak.worlds import World

PathLike = str | os.PathLike[str]


class Place(Protocol):
    """What can be searched: `World`, `Vault`, or an object of one's own."""

    def search(self, query: str, /, *, limit: int) -> list[Hit]:
        """The best hits, best first, at most `limit`."""
        ...


def open_place(place: PathLike | Place) -> Any:
    """The world or vault at a path, or `place` itself if it is one.

    Raises:
        StateError: if there is neither at the path.
    """
    if not isinstance(place, (str, os.PathLike)):
        return place
    return World.open(place) if World.exists(place) else Vault.open(place)
