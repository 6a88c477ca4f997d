"""Rules for one full stop, which ends sentences, abbreviations, ordinals and numbers of items."""

import re

from cleanbreak.core.sentences.abbreviations import abbreviation_kind
from cleanbreak.core.sentences.inline_lists import continues_list
from cleanbreak.core.sentences.languages import FINAL, HEADING_WORDS, MAYBE, NUMBERED, TITLE
from cleanbreak.core.sentences.place import WORD_LENGTH, Place
from cleanbreak.core.sentences.plain import ALPHABETS
from cleanbreak.core.text.characters import is_caseless

_LONGEST_ENUMERATOR = 12
_LONGEST_HEADING = 36
_LONGEST_COUNT = 2
_is_roman = re.compile(r"[IVXLC]+").fullmatch
_is_enumerator = re.compile(
    r"[#>•⁃·*_+-]{0,6}\s*[(\[]?(?:\d{1,3}(?:\.(?:\d{1,3}|[A-Za-z]))*|[^\W\d_]|[ivx]{1,5}|[IVX]{1,5})[)\]]?"
).fullmatch

# A number after a clause mark or an opening quote: the first rule: 4. Keep it. After a colon only
# a small one, as "HEART RATE: 72. TEMP" does not count.
_label_after_sign = re.compile(r"(?s:.*)(?:(?:;\s+|[„“«\"(])\d{1,3}|:\s+[12]?\d)\Z").match
_heading = re.compile(
    r"[#>*_\s]{0,10}([^\W\d_]{3,20})\s(?:\d{1,3}(?:\.\d{1,3}){0,3}[ºª°]?|[IVXLC]{1,7}|[A-Z])"
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
    if place.word[-1:].isdigit() and _label_after_sign(
        place.text, max(place.start, place.mark - _LONGEST_ENUMERATOR), place.mark
    ):
        return False
    if place.mark - place.start > _LONGEST_HEADING:
        return None
    beginning = place.text[place.start : place.mark].strip()
    return False if _is_enumerator(beginning) or _counts_heading(beginning) else None


def _counts_heading(beginning: str) -> bool:
    """Chapter 1. The storm; Part I. The preface; Глава 3."""
    found = _heading(beginning)
    return found is not None and found[1].lower() in HEADING_WORDS


def note_after_abbreviation(place: Place) -> bool | None:
    """A number that stands right after a full stop is a note (work.1 The), or counts (vol.2 The)."""
    if place.closers_end == place.marks_end:
        return None
    if not place.text[place.marks_end : place.closers_end].isdigit():
        return None
    return False if place.language.kind_of(place.word) else None


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
    """J. R. R. Tolkien, z. B., т. е.; yet "you and I. Did" and "vitamin C. The" end one.

    So do a small letter that is a word (Irish "é") and one that names a thing ("call it x. Then").
    """
    word, language = place.word, place.language
    if len(word) != 1 or not word.isalpha():
        return None
    if word.isupper():
        return place.starter_follows
    if word > ALPHABETS:
        return None  # a Korean syllable is a word
    if word in language.small_words or word in language.names:
        return place.next_word[:1].isupper()
    return False


def full_stop_is_no_mark(place: Place) -> bool | None:
    """In Armenian it stands where others write a colon."""
    return None if place.language.full_stops else False


def ordinal(place: Place) -> bool | None:
    """In many languages a number with a full stop is an ordinal: 3. Oktober, Friedrich II."""
    if not place.language.ordinals:
        return None
    word = place.word
    if not ((word.isdigit() and len(word) <= 2) or _is_roman(word)):
        return None
    before = place.text[max(place.start, place.mark - WORD_LENGTH) : place.mark].split()[-2:-1]
    if before and before[0].endswith(".") and place.language.kind_of(before[0][:-1]) == NUMBERED:
        return None  # a reference: p. 3, Nr. 5
    if is_caseless(place.next_word[:1]):
        return None  # a script that has no ordinals of this kind
    return place.starter_follows


def lowercase_follows(place: Place) -> bool | None:
    """After a word that is no abbreviation a careless writer starts in lower case."""
    if not place.small_letter_follows:
        return None
    word = place.word
    if word[-1:].isdigit():
        return not place.language.ordinals
    return word.isalnum() and (len(word) > 2 or word.lower() in place.language.small_words)
