"""Words and meaning in one order.

Scores are added, not ranks: ranks forget how sure the words are, and so they put exact names from
the first place to somewhere below it for a third of such queries. A score of words is divided by
the best of the query. A cosine counts from that of the last candidate to the best one, as models
differ in which cosines they give to anything at all (docs/benchmarks.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cleanbreak.retrieval.meaning import Nearest
from cleanbreak.stores.fulltext import FoundChunk

CANDIDATES = 300
"""How many chunks each side names; ranks below add nothing that a person would look at."""

Place = tuple[str, int]
"""A source key and a chunk number."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk with its scores: by words, by meaning (the cosine), and both together."""

    chunk: FoundChunk
    words: float | None
    vectors: float | None
    score: float
    nearest: Nearest | None

    def as_scores(self) -> dict[str, float]:
        """The scores by name; without those that the chunk does not have."""
        named = {"words": self.words, "vectors": self.vectors, "fused": self.score}
        return {name: score for name, score in named.items() if score is not None}


def place_of(found: FoundChunk) -> Place:
    """Where a chunk is."""
    return found.source.key, found.chunk.chunk_number


def fuse(
    words: Sequence[FoundChunk],
    nearest: Sequence[Nearest],
    chunks: Mapping[Place, FoundChunk],
    weight: float,
) -> list[Fused]:
    """All chunks of both, best first; of equal ones the earlier in its book.

    Args:
        words: found by words, best first, with scores above 0.
        nearest: found by meaning, nearest first.
        chunks: the chunks of `nearest`; one that is missing is left out.
        weight: what the nearest chunk gets, where the best words get 1.
    """
    by_words = {place_of(found): found for found in words}
    by_meaning = {near.place: near for near in nearest}
    shares = _shares(nearest)
    best = max((found.score for found in words), default=0.0)
    fused = []
    for place in dict.fromkeys((*by_words, *by_meaning)):
        found = by_words.get(place) or chunks.get(place)
        if found is None:
            continue
        near = by_meaning.get(place)
        of_words = found.score if place in by_words else None
        score = of_words / best if of_words is not None and best > 0 else 0.0
        if near is not None:
            score += weight * shares[place]
        fused.append(Fused(found, of_words, near.score if near else None, score, near))
    return sorted(fused, key=lambda one: (-one.score, *place_of(one.chunk)))


def _shares(nearest: Sequence[Nearest]) -> dict[Place, float]:
    """Each cosine as a share of the way from the last to the best."""
    if not nearest:
        return {}
    best, last = nearest[0].score, nearest[-1].score
    way = best - last
    return {near.place: (near.score - last) / way if way > 0 else 1.0 for near in nearest}
