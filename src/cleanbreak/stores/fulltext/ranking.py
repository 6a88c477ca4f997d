"""A second look at the best matches: exact words, other forms, small words, and nearness.

FTS5 finds chunks with any of the rarer words and ranks them by BM25. The best hundred are then
ranked again: by BM25 over all words of the query, with other forms of a word at half its weight, and
the rarity of the words that stand together in the best stretch of the text. Measured on the
questions of docs/benchmarks.md.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from cleanbreak.stores.fulltext.folding import patterns, respell, without_accents

# The parameters of BM25: how soon a repeated word stops to count, and how much length does.
_SATURATION, _LENGTH = 0.9, 0.4

_FORMS = 0.5

# Words that stand within this many words of each other count as near.
_WINDOW = 30
_NEARNESS = 0.75

_ascii_words = re.compile("[a-z0-9]+").findall
# Of scripts whose words hold no marks once accents are away, `re` finds the same words much faster.
_western_words = re.compile(r"[^\W_]+").findall
_may_hold_marks = re.compile("[^\0-\u0482\u048a-\u0590\u2000-\u206f\u20a0-\u20bf]").search


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a query looks for: a word, a prefix, a phrase, or characters of an unspaced script.

    ``chunks`` is how many chunks have it, ``None`` if that was not counted; ``forms`` are other forms
    of the word with the same figure.
    """

    words: tuple[str, ...]
    prefix: bool = False
    inside: bool = False
    chunks: int | None = None
    forms: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk to be ranked: its text, and beside it short texts with the weight of each."""

    text: str
    beside: tuple[tuple[float, str], ...] = ()
    factor: float = 1.0


def words_of(text: str) -> list[str]:
    """The words of a text as the index holds them."""
    if text.isascii():
        return _ascii_words(text.lower())
    folded = without_accents(respell(text))
    if not _may_hold_marks(folded):
        return _western_words(folded)
    found: list[str] = patterns().term.findall(folded)
    return found


def scores(wanted: Sequence[Wanted], candidates: Sequence[Candidate], total: int) -> list[float]:
    """A score for each candidate, higher for the better; `total` is the number of all chunks."""
    if not candidates:
        return []
    sought = frozenset(word for one in wanted for word in (one.words[0], *one.forms))
    beside = cache(words_of)  # a title is the same for all chunks of a book
    found = [_Found(wanted, sought, candidate, beside) for candidate in candidates]
    mean = sum(one.length for one in found) / len(found) or 1
    rarities = [
        (
            _rarity(_known(one.chunks, number, found, total), total),
            _rarity(min(total, (one.chunks or 0) + sum(one.forms.values())), total),
        )
        for number, one in enumerate(wanted)
    ]
    return [
        candidate.factor * _score(one, rarities, mean)
        for one, candidate in zip(found, candidates, strict=True)
    ]


def _known(chunks: int | None, number: int, found: Sequence["_Found"], total: int) -> float:
    """In how many chunks a word is; where it was not counted, as often as among the candidates."""
    if chunks is not None:
        return chunks
    return total * sum(number in one.exact for one in found) / len(found)


def _rarity(chunks: float, total: int) -> float:
    return math.log(1 + (total - chunks + 0.5) / (chunks + 0.5))


def _score(found: "_Found", rarities: Sequence[tuple[float, float]], mean: float) -> float:
    norm = _SATURATION * (1 - _LENGTH + _LENGTH * found.length / mean)
    score = 0.0
    for number, times in found.exact.items():
        score += rarities[number][0] * times * (_SATURATION + 1) / (times + norm)
    for number, times in found.forms.items():
        score += _FORMS * rarities[number][1] * times * (_SATURATION + 1) / (times + norm)
    return score + _NEARNESS * _nearest(found.places, [rarity for rarity, _ in rarities])


def _nearest(places: Sequence[tuple[int, int]], rarities: Sequence[float]) -> float:
    """The rarity of all different words in the best stretch of the text."""
    best = held = 0.0
    first = 0
    inside: Counter[int] = Counter()
    for place, number in places:
        inside[number] += 1
        if inside[number] == 1:
            held += rarities[number]
        while place - places[first][0] >= _WINDOW:
            gone = places[first][1]
            inside[gone] -= 1
            if not inside[gone]:
                held -= rarities[gone]
            first += 1
        best = max(best, held)
    return best


class _Found:
    """Which of the wanted words a candidate has, how often and where."""

    def __init__(
        self,
        wanted: Sequence[Wanted],
        sought: frozenset[str],
        candidate: Candidate,
        words_beside: Callable[[str], list[str]],
    ) -> None:
        self.exact: dict[int, float] = {}
        # A word itself is one of its forms, so that it counts for more than another form.
        self.forms: dict[int, float] = {}
        self.places: list[tuple[int, int]] = []
        self._wanted, self._sought = wanted, sought
        self._looks_inside = any(one.inside or one.prefix for one in wanted)
        words = words_of(candidate.text)
        self.length = len(words)
        self._look(words, candidate.text, 1.0, 0)
        start = self.length
        for weight, text in candidate.beside:
            start += _WINDOW  # words of different texts are not near
            beside = words_beside(text)
            self._look(beside, text, weight, start)
            start += len(beside)
        self.places.sort()

    def _look(self, words: list[str], text: str, weight: float, at: int) -> None:
        where: dict[str, list[int]] = {}
        for place, word in enumerate(words):
            if word in self._sought:
                where.setdefault(word, []).append(place)
        if not where and not self._looks_inside:
            return  # titles and paths have none of the words, mostly
        for number, one in enumerate(self._wanted):
            places = _places(one, words, where, text)
            others = [place for form in one.forms for place in where.get(form, ())]
            if not places and not others:
                continue
            if places:
                self.exact[number] = self.exact.get(number, 0.0) + weight * len(places)
            if one.forms:
                times = len(places) + len(others)
                self.forms[number] = self.forms.get(number, 0.0) + weight * times
            if not one.inside:
                self.places += [(at + place, number) for place in (*places, *others)]


def _places(one: Wanted, words: list[str], where: dict[str, list[int]], text: str) -> Sequence[int]:
    if one.inside:
        return range(without_accents(respell(text)).count(one.words[0]))
    first = one.words[0]
    if len(one.words) == 1 and not one.prefix:
        return where.get(first, ())
    *whole, last = one.words
    starts = where.get(first, ()) if whole else range(len(words))
    size = len(one.words)
    return [
        start
        for start in starts
        if words[start : start + size - 1] == whole
        and start + size <= len(words)
        and (
            words[start + size - 1] == last
            or (one.prefix and words[start + size - 1].startswith(last))
        )
    ]
