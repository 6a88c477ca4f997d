"""A snippet: the part of a chunk that says most about a query, with the words marked."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import regex

from cleanbreak.core.document import Span
from cleanbreak.core.text.graphemes import boundary_at_or_before
from cleanbreak.stores.fulltext.folding import grams, respell, without_accents
from cleanbreak.stores.fulltext.query import Highlight

WIDTH = 240
"""Characters of a snippet: about three lines of a terminal."""

# Characters shown before the first mark.
_LEAD = 60

_LETTER = r"[\p{L}\p{N}\p{M}\p{Co}]"
_BETWEEN_WORDS = r"[^\p{L}\p{N}\p{M}\p{Co}]+"
# A run of ASCII, or one other character.
_same_kind = re.compile("[\0-\x7f]+|[^\0-\x7f]").finditer


class Snippet(NamedTuple):
    """An exact slice of the source's text from ``start``; ``marks`` are spans of the slice."""

    text: str
    start: int
    marks: tuple[Span, ...] = ()

    def marked(self, before: str = "**", after: str = "**") -> str:
        """The text with `before` and `after` around each mark."""
        parts, at = [], 0
        for mark in self.marks:
            parts += [self.text[at : mark.start], before, self.text[mark.start : mark.end], after]
            at = mark.end
        return "".join(parts) + self.text[at:]


class Marker:
    """Finds the words of one query in texts, as the index folds them."""

    def __init__(self, highlights: Iterable[Highlight]) -> None:
        found = sorted(highlights, key=lambda term: -len(term.text))
        self._whole = _alternatives(map(_pattern, found))
        # A term that was found by some of its bigrams only stands nowhere whole.
        pairs = (pair for term in found if term.inside for pair in grams(term.text)[:-1])
        self._pairs = _alternatives(map(regex.escape, dict.fromkeys(map(_flat, pairs))))

    def marks(self, text: str) -> list[Span]:
        """Where the words stand in `text`, in order and apart."""
        flat, places = _flat_with_places(text)
        return self._find(self._whole, flat, places) or self._find(self._pairs, flat, places)

    @staticmethod
    def _find(
        pattern: "regex.Pattern[str] | None", flat: str, places: list[int] | range
    ) -> list[Span]:
        if pattern is None:
            return []
        found: list[Span] = []
        for match in pattern.finditer(flat):
            # A mark ends where the next character that counts starts: accents and joiners are
            # inside.
            start, end = places[match.start()], places[match.end()]
            end = max(end, places[match.end() - 1] + 1)
            # A character that is folded into two, such as Thai AM, may end one mark and start the
            # next.
            if found and start < found[-1].end:
                start = found.pop().start
            found.append(Span(start, end))
        return found


def make_snippet(text: str, start: int, marks: list[Span]) -> Snippet:
    """The part of a chunk's `text`, which starts at `start`, with most of the `marks`."""
    low = boundary_at_or_before(text, _best_start(text, marks), 0)
    high = min(len(text), low + WIDTH)
    if high < len(text):
        space = max(text.rfind(white, low + WIDTH // 2, high) for white in " \n")
        high = boundary_at_or_before(text, space if space != -1 else high, low)
    inside = tuple(
        Span(max(mark.start, low) - low, min(mark.end, high) - low)
        for mark in marks
        if mark.start < high and low < mark.end
    )
    return Snippet(text[low:high], start + low, inside)


def _best_start(text: str, marks: list[Span]) -> int:
    """Where the window with the most different words starts; a little before its first mark."""
    if not marks or len(text) <= WIDTH:
        return 0
    room = WIDTH - _LEAD
    words = [text[mark.start : mark.end].casefold() for mark in marks]
    best, most = 0, 0
    last = 0
    for first, mark in enumerate(marks):
        while last < len(marks) and marks[last].end <= mark.start + room:
            last += 1
        different = len(set(words[first:last]))
        if different > most:
            best, most = first, different
    earliest = max(0, marks[best].start - _LEAD)
    if not earliest:
        return 0
    space = text.find(" ", earliest, marks[best].start)
    return space + 1 if space != -1 else earliest


def _pattern(term: Highlight) -> str:
    if term.inside:
        # Lines of such scripts are wrapped inside words.
        return "\n?".join(map(regex.escape, _flat(term.text)))
    words = regex.findall(_LETTER + "+", _flat(term.text))
    if not words:
        return ""
    body = _BETWEEN_WORDS.join(map(regex.escape, words))
    return f"(?<!{_LETTER}){body}" + (f"{_LETTER}*" if term.prefix else f"(?!{_LETTER})")


def _alternatives(patterns: Iterable[str]) -> "regex.Pattern[str] | None":
    joined = "|".join(filter(None, patterns))
    return regex.compile(joined) if joined else None


def _flat_with_places(text: str) -> tuple[str, list[int] | range]:
    """The text as it is compared, and for each of its characters and its end where it stood."""
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    flat: list[str] = []
    places: list[int] = []
    for run in _same_kind(text):
        first = run.start()
        if run[0].isascii():
            flat.append(run[0].lower())
            places += range(first, run.end())
        else:
            flat.append(piece := _flat(run[0]))
            places += [first] * len(piece)
    return "".join(flat), [*places, len(text)]


@lru_cache(maxsize=4096)
def _flat(text: str) -> str:
    """Folded, and without accents."""
    return without_accents(respell(text))
