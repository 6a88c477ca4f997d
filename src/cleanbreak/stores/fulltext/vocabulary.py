"""The words that an index holds: in how many chunks, in which other forms.

The words are those of the full text itself (``fts5vocab``), so that nothing must be kept in step.
"""

import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cleanbreak.core.sentences.languages.detect import detect_language
from cleanbreak.stores.fulltext.folding import is_made

if TYPE_CHECKING:
    import sqlite3

# All forms have their first letters in common, at least three: few other words are looked at.
_SHORTEST_BEGINNING = 3

# Words of Latin letters come before this one, and words of other alphabets at it and behind it.
_AFTER_LATIN = "\u0370"

# More forms make a search slower and hardly better.
_MOST_FORMS = 8

# Chunks whose language is guessed, spread over the index.
_SAMPLES = 6

_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "eu": "basque",
    "fi": "finnish", "fr": "french", "ga": "irish", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "tr": "turkish",
}  # fmt: skip


class Known(NamedTuple):
    """A word in an index: the number of chunks that have it, and that have each other form."""

    chunks: int
    forms: dict[str, int]


class Vocabulary:
    """Asks an open index for its words; all of them are folded."""

    def __init__(self, connection: "sqlite3.Connection") -> None:
        self._execute = connection.execute
        self._execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, fts_chunks, row)"
        )

    def known(self, word: str, languages: Iterable[str]) -> Known:
        """What the index holds of a word, with its other forms in some languages."""
        beginnings = {code: _beginning(word, code) for code in languages if code in _STEMMERS}
        beginnings = {code: start for code, start in beginnings.items() if start}
        forms: dict[str, int] = {}
        for start in set(beginnings.values()):
            codes = [code for code, one in beginnings.items() if one == start]
            forms |= {
                other: chunks
                for other, chunks in self.beginning_with(start)
                if other == word or any(_stem(other, code) == _stem(word, code) for code in codes)
            }
        own = forms.pop(word, None)
        if own is None:
            own = self.chunks_with(word)
        most = sorted(forms.items(), key=lambda form: (-form[1], form[0]))[:_MOST_FORMS]
        return Known(own, dict(most))

    def chunks_with(self, word: str) -> int:
        """How many chunks have a word."""
        row = self._execute("SELECT doc FROM temp.words WHERE term = ?", (word,)).fetchone()
        return int(row[0]) if row else 0

    def beginning_with(self, start: str) -> Iterable[tuple[str, int]]:
        """The words with a beginning, and how many chunks have each."""
        end = start[:-1] + chr(ord(start[-1]) + 1)
        rows = self._execute(
            "SELECT term, doc FROM temp.words WHERE term >= ? AND term < ?", (start, end)
        )
        return ((word, chunks) for word, chunks in rows if not is_made(word))

    def containing(self, parts: Iterable[str], most: int) -> dict[str, list[str]]:
        """For each part the `most` commonest words that have it inside; none for a part without.

        This reads the full text once, or that of the scripts in which the parts are written.
        """
        sought = list(parts)
        found: dict[str, list[str]] = {}
        for start, end, within in _by_alphabet(sought):
            any_of = " OR ".join(["instr(term, ?)"] * len(within))
            rows = self._execute(
                "SELECT term FROM temp.words WHERE term >= ? AND term < ?"  # noqa: S608 (constants)
                f" AND ({any_of}) ORDER BY doc DESC, term",
                (start, end, *within),
            )
            words = [word for (word,) in rows if not is_made(word)]
            for part in within:
                if ones := list(islice((word for word in words if part in word), most)):
                    found[part] = ones
        return found

    def languages(self) -> list[str]:
        """The languages of a few chunks, the commonest first."""
        (last,) = self._execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()
        places = [last * (2 * number + 1) // (2 * _SAMPLES) for number in range(_SAMPLES)]
        found: dict[str, int] = {}
        for place in dict.fromkeys(places):
            row = self._execute(
                "SELECT chunk_text FROM chunks WHERE id >= ? ORDER BY id LIMIT 1", (place,)
            ).fetchone()
            if row:
                # A damaged file may hold any type in any column.
                code = detect_language(msgspec.convert(row[0], str))
                found[code] = found.get(code, 0) + 1
        return sorted(found, key=lambda code: -found[code])


def _by_alphabet(parts: Iterable[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Where the words lie that can have the parts inside, with these parts.

    No word begins in Latin letters and continues in others, but for odd ones: an index of two
    alphabets need not be read whole.
    """
    latin: list[str] = []
    others: list[str] = []
    for part in dict.fromkeys(parts):
        (latin if part < _AFTER_LATIN else others).append(part)
    if latin:
        yield "", _AFTER_LATIN, latin
    if others:
        yield _AFTER_LATIN, chr(sys.maxunicode), others


def _beginning(word: str, code: str) -> str:
    """What all forms of a word begin with; empty if that is too short."""
    stem = _stem(word, code)
    same = 0
    while same < min(len(stem), len(word)) and stem[same] == word[same]:
        same += 1
    # The last letter of a stem may be another in a form: happy, happier.
    same -= same == len(word) and len(word) > _SHORTEST_BEGINNING and word[-1] in "ye"
    return word[:same] if same >= _SHORTEST_BEGINNING else ""


@lru_cache(maxsize=20_000)
def _stem(word: str, code: str) -> str:
    return str(_stemmer(code).stemWord(word))


@lru_cache(maxsize=8)
def _stemmer(code: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(_STEMMERS[code])
