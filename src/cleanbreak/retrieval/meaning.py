"""The nearest pieces of text by meaning: what a search by vectors gives to the fusion."""

import hashlib
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from cleanbreak.stores.vectors.point import Found


class Nearest(NamedTuple):
    """A piece of a chunk that is near to a query.

    ``score`` is the cosine; ``start`` and ``end`` are offsets in the source's text, and
    ``text_sha256`` is of the text that the vector was made from.
    """

    source_key: str
    chunk_number: int
    score: float
    start: int
    end: int
    text_sha256: str

    @property
    def place(self) -> tuple[str, int]:
        """Where its chunk is: the source key and the chunk number."""
        return self.source_key, self.chunk_number


class Meaning(Protocol):
    """Finds pieces of text by their meaning."""

    weight: float
    """What the nearest piece adds to a score whose best words have 1."""

    def nearest(self, query: str, most: int) -> list[Nearest]:
        """At most `most` chunks, by the nearest piece of each, the nearest first.

        Raises:
            CleanbreakError: if no vector of the query can be had now.
        """


def best_of_chunks(
    found: Iterable[Found], key_of: Callable[[int], str], most: int
) -> list[Nearest]:
    """The nearest piece of each chunk, of points that come the nearest first.

    `key_of` gives the key of a source by the number that its points have.
    """
    best: dict[tuple[int, int], Nearest] = {}
    for point in found:
        payload = point.payload
        place = (payload["book_number"], payload["chunk_number"])
        if place not in best:
            best[place] = Nearest(
                key_of(place[0]),
                place[1],
                point.score,
                payload["character_start_offset"],
                payload["character_end_offset"],
                payload["text_hash"],
            )
    return list(best.values())[:most]


def text_sha256(text: str) -> str:
    """The digest by which a vector knows the text that it was made from."""
    return hashlib.sha256(text.encode()).hexdigest()
