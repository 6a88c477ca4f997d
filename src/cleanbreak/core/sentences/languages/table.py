"""The languages, built once from their lists."""

from dataclasses import replace

from cleanbreak.core.sentences.languages.language import (
    FINAL,
    MAYBE,
    NUMBERED,
    TITLE,
    Kind,
    Language,
    Words,
    build,
)
from cleanbreak.core.sentences.languages.lists import UNIVERSAL, WORDS
from cleanbreak.core.sentences.languages.lists_asia import ASIA
from cleanbreak.core.sentences.languages.lists_europe import EUROPE

# The order decides draws of the guess: the languages with most readers come first.
_ALL = WORDS | ASIA | EUROPE
LANGUAGES = {code: build(code, words, UNIVERSAL) for code, words in _ALL.items()}


def _unknown() -> Language:
    """The rules that hold in every language, with the abbreviations of all: it cuts least."""
    small_words = frozenset().union(*(language.small_words for language in LANGUAGES.values()))
    abbreviations: dict[str, Kind] = {}
    for kind in (FINAL, NUMBERED, MAYBE, TITLE):  # the last wins, being the slowest to cut
        for language in LANGUAGES.values():
            words = (word for word, its in language.abbreviations.items() if its == kind)
            abbreviations.update((word, kind) for word in words if word not in small_words)
    universal = build("und", Words(ordinals=True), UNIVERSAL)
    return replace(
        universal,
        abbreviations={**abbreviations, **universal.abbreviations},
        small_words=small_words,
    )


UNKNOWN = _unknown()
"""For a text whose language cannot be guessed, or has no lists here."""
