"""Rules for one full stop, which ends sentences, abbreviations, ordinals and numbers of items."""

import re

from cleanbreak.core.sentences.abbreviations import abbreviation_kind
from cleanbreak.core.sentences.inline_lists import continues_list
from cleanbreak.core.sentences.languages import FINAL, MAYBE, NUMBERED, TITLE
from cleanbreak.core.sentences.place import WORD_LENGTH, Place

_LONGEST_ENUMERATOR = 12
_LONGEST_COUNT = 2
_is_roman = re.compile(r"[IVXLC]+").fullmatch
_is_enumerator = re.compile(
    r"[•⁃·*-]?\s*[(\[]?(?:\d{1,3}(?:\.(?:\d{1,3}|[A-Za-z]))*|[^\W\d_]|[ivx]{1,5}|[IVX]{1,5})[)\]]?"
).fullmatch


def space_before_full_stop(place: Place) -> bool | None:
    """A full stop with white space before it belongs to no abbreviation."""
    return True if place.text[place.mark - 1 : place.mark].isspace() else None


def enumerator(place: Place) -> bool | None:
    """A number or letter that starts the sentence counts an item: 1. Fill the tank."""
    if len(place.word) <= _LONGEST_COUNT and continues_list(
        place.text, place.start, place.closers_end, dots=not place.language.ordinals
    ):
        return False
    if place.mark - place.start > _LONGEST_ENUMERATOR:
        return None
    return False if _is_enumerator(place.text[place.start : place.mark].strip()) else None


def abbreviation(place: Place) -> bool | None:
    """By the lists of the language; an unknown word with inner stops (U.S, e.V) counts as one."""
    kind = abbreviation_kind(place)
    if kind == TITLE:
        return False
    if kind == FINAL:
        return place.next_word[:1].isupper()
    if kind == NUMBERED:
        next_word = place.next_word
        if place.word.lower() in place.language.small_words:  # "No. I will not." or "No. 7"
            return False if next_word[:1].isdigit() else None
        counted = not next_word[:1].isupper() or _is_roman(next_word)
        return False if counted else None
    if kind == MAYBE:
        return place.starter_follows and not _clock_time_opens_sentence(place)
    return None


def _clock_time_opens_sentence(place: Place) -> bool:
    """At 5 a.m. Mr. Smith went out."""
    return (
        place.word in ("a.m", "p.m")
        and place.mark - place.start < WORD_LENGTH
        and place.text.count(" ", place.start, place.mark) <= 2
    )


def single_letter(place: Place) -> bool | None:
    """J. R. R. Tolkien, z. B., т. е.; yet "you and I. Did" and "vitamin C. The" end one."""
    word = place.word
    if len(word) == 1 and word.isalpha():
        is_word = word.isupper() or word in place.language.small_words
        return is_word and place.starter_follows
    return None


def full_stop_is_no_mark(place: Place) -> bool | None:
    """In Armenian it stands where others write a colon."""
    return None if place.language.full_stops else False


def ordinal(place: Place) -> bool | None:
    """In many languages a number with a full stop is an ordinal: 3. Oktober, Friedrich II."""
    if not place.language.ordinals:
        return None
    word = place.word
    if (word.isdigit() and len(word) <= 2) or _is_roman(word):
        return place.starter_follows
    return None


def lowercase_follows(place: Place) -> bool | None:
    """After a word that is no abbreviation a careless writer starts in lower case."""
    if not place.next_word[:1].islower():
        return None
    word = place.word
    if word[-1:].isdigit():
        return not place.language.ordinals
    return word.isalnum() and (len(word) > 2 or word.lower() in place.language.small_words)
