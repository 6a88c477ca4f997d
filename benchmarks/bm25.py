"""Textbook BM25, so that the ranking stays fixed while the cutting is measured."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from heapq import nlargest

Place = tuple[str, int, int]
"""A chunk: the name of its text, and where it starts and ends."""

K1, B = 1.2, 0.75

_words = re.compile(r"\w+").findall


class BM25:
    """Ranks texts by the words of a query; every word counts, the rarer the more."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = []
        for number, text in enumerate(texts):
            words = _words(text.casefold())
            lengths.append(len(words))
            for word, count in Counter(words).items():
                self._holders[word].append((number, count))
        mean = sum(lengths) / len(lengths)
        self._norms = [K1 * (1 - B + B * length / mean) for length in lengths]

    def best(self, query: str, count: int) -> list[int]:
        """The numbers of the best texts, best first; of equal ones the earlier first."""
        scores: dict[int, float] = defaultdict(float)
        total = len(self._norms)
        for word in dict.fromkeys(_words(query.casefold())):
            held = self._holders.get(word, ())
            rarity = math.log(1 + (total - len(held) + 0.5) / (len(held) + 0.5))
            for number, times in held:
                scores[number] += rarity * times * (K1 + 1) / (times + self._norms[number])
        return nlargest(count, scores, key=lambda number: (scores[number], -number))
