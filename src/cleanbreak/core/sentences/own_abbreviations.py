"""A caller's own abbreviations, over those of a language."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from cleanbreak.core.sentences.languages import LANGUAGES, TITLE, UNKNOWN, Language
from cleanbreak.core.sentences.place import WORD_LENGTH, last_part
from cleanbreak.errors import SettingsError

_MOST_KEPT = 32
_RULE = 'words without spaces inside, such as ["Fig", "e.g."]'

# Letters or digits, and stops between them; a space may follow a stop, as in "z. B.".
_is_word = re.compile(r"[^\s.]+(?:\.\s?[^\s.]+)*\.?").fullmatch


def abbreviations_of(value: object) -> tuple[str, ...]:
    """The words of a setting as they are compared: without their last full stop, each once.

    Raises:
        SettingsError: if `value` is one string, or holds what is no word.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise SettingsError("abbreviations", type(value), _RULE)
    words = set()
    for word in value:
        if not isinstance(word, str) or not _is_word(word) or len(word) > WORD_LENGTH:
            raise SettingsError("abbreviations", word, _RULE)
        words.add("".join(word.split()).removesuffix("."))
    return tuple(sorted(words))


def with_abbreviations(language: Language, words: tuple[str, ...]) -> Language:
    """A language in which a full stop after one of the words ends no sentence."""
    return _extended(language.code, words) if words else language


@lru_cache(maxsize=_MOST_KEPT)
def _extended(code: str, words: tuple[str, ...]) -> Language:
    language = LANGUAGES.get(code, UNKNOWN)
    own = dict.fromkeys(map(last_part, words), TITLE)
    return replace(language, abbreviations={**language.abbreviations, **own})
