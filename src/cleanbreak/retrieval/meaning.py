"""The nearest pieces of text by meaning: what a search by vectors gives to the fusion."""

from typing import NamedTuple, Protocol


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


class Meaning(Protocol):
    """Finds pieces of text by their meaning."""

    weight: float
    """What the nearest piece adds to a score whose best words have 1."""

    def nearest(self, query: str, most: int) -> list[Nearest]:
        """At most `most` chunks, by the nearest piece of each, the nearest first.

        Raises:
            CleanbreakError: if no vector of the query can be had now.
        """
