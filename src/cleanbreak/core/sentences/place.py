"""A place where a sentence may end, and the words on both sides of it."""

import re

from cleanbreak.core.sentences.languages import Language
from cleanbreak.core.text.characters import OPENERS, is_small

# Code points. The word before a mark and the word after it are looked for no further away.
WORD_LENGTH = 32


class Place:
    """Somewhere a sentence may end: marks, closers, white space, then more text.

    All but `word`, `next_word` and `language` are offsets. ``start`` is where the sentence
    started, ``high`` where the paragraph ends, ``cut`` where the next sentence would start.

    ``word`` is what stands before the marks, back to white space, a bracket, a quote or a dash.
    ``next_word`` is the first word after the cut, without quotes and brackets before it; or "".
    """

    __slots__ = (
        "closers_end", "cut", "high", "language", "mark", "marks_end", "next_word", "start", "text",
        "word",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        start: int,
        high: int,
        mark: int,
        marks_end: int,
        closers_end: int,
        cut: int,
        language: Language,
    ) -> None:
        self.text = text
        self.start = start
        self.high = high
        self.mark = mark
        self.marks_end = marks_end
        self.closers_end = closers_end
        self.cut = cut
        self.language = language
        before = text[max(start, mark - WORD_LENGTH) : mark].rsplit(None, 1)
        word = before[-1] if before else ""
        self.word: str = word if word.isalpha() else last_part(word)
        found = _first_word(text, cut, min(high, cut + WORD_LENGTH))
        self.next_word: str = found[1] if found else ""

    @property
    def small_letter_follows(self) -> bool:
        """Whether the next word starts with a small letter, in a script that has capitals."""
        return is_small(self.next_word[:1])

    @property
    def starter_follows(self) -> bool:
        """Whether a capitalised small word or title follows, which proves a new sentence."""
        word = self.next_word
        if not word[:1].isupper():
            return False
        if len(word) == 1 and self.text.startswith(".", self.cut + 1):
            return False  # an initial: Dr. J. A. Smith
        lower = word.lower()
        return lower in self.language.small_words or lower in _STARTING_TITLES


def last_part(word: str) -> str:
    """The last part of a word with brackets, quotes, dashes or a missing space in it."""
    word = _PUNCTUATION.split(word)[-1].lstrip("-•⁃*_~`")
    return word if has_inner_stops(word) or word[-1:].isdigit() else word.rpartition(".")[2]


# A straight quote between Hebrew letters is part of an abbreviation.
_PUNCTUATION = re.compile(r"[()\[\]{}“”„«»‹›—–/…]|\"(?![\u05d0-\u05ea])|(?<![\u05d0-\u05ea])\"")
has_inner_stops = re.compile(r"(?:[^\s\d.]{1,3}\.)+[^\s\d.]{1,4}").fullmatch
_first_word = re.compile(rf"[{re.escape(OPENERS)}\s*_~`,]*([^\W_]+)").match
_STARTING_TITLES = frozenset(["mr", "mrs", "ms", "dr", "prof", "sr", "sra"])
