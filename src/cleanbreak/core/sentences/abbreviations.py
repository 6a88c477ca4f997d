"""Whether the word before a full stop is an abbreviation, and of which kind."""

import re

from cleanbreak.core.sentences.languages import FINAL, MAYBE, NUMBERED, TITLE, Kind
from cleanbreak.core.sentences.place import WORD_LENGTH, Place, has_inner_stops
from cleanbreak.core.sentences.plain import SHORT

# Written without a full stop, so that one after them ends a sentence.
_UNITS = frozenset([
    "km", "m", "dm", "cm", "mm", "kg", "g", "mg", "t", "l", "cl", "ml", "hl", "ha", "h", "s",
    "км", "м", "см", "мм", "кг", "т", "л", "мл", "га",
])  # fmt: skip

_with_spaces = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]{1,3}\.\s)+[^\W\d_]{1,3}\Z").search
_after_number = re.compile(r"\d\s[^\W\d_]{1,3}\Z").search


def abbreviation_kind(place: Place) -> Kind | None:
    """The kind of abbreviation that ends at the place, or ``None`` if the word is none."""
    word, language = place.word, place.language
    if len(word) <= SHORT:
        before = place.text[max(place.start, place.mark - WORD_LENGTH) : place.mark]
        if found := _with_spaces(before):  # z. B., т. д., EE. UU.
            kind = language.kind_of("".join(found[0].split()))
            if kind:
                return kind
        if _after_number(before):
            if word in _UNITS:  # 400 m
                return FINAL
            if word == "in" or language.kind_of(word) == TITLE:  # 5 in. long, 1905 г.
                return MAYBE
    if kind := language.kind_of(word):
        return kind
    after_elision = language.kind_of(word.replace("’", "'").rpartition("'")[2])
    if after_elision in (TITLE, NUMBERED):  # L'avv. Verdi, dell'art. 5
        return after_elision
    if has_inner_stops(word) or word.endswith(language.endings):
        return MAYBE
    return None
