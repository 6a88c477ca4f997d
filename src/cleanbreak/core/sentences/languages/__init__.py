"""Languages: word lists, and a cheap guess at which one a text is in."""

from cleanbreak.core.sentences.languages.detect import check_language, detect_language, language_of
from cleanbreak.core.sentences.languages.language import (
    FINAL,
    MAYBE,
    NUMBERED,
    TITLE,
    Kind,
    Language,
)
from cleanbreak.core.sentences.languages.lists import HEADING_WORDS
from cleanbreak.core.sentences.languages.table import LANGUAGES, UNKNOWN

__all__ = [
    "FINAL",
    "HEADING_WORDS",
    "LANGUAGES",
    "MAYBE",
    "NUMBERED",
    "TITLE",
    "UNKNOWN",
    "Kind",
    "Language",
    "check_language",
    "detect_language",
    "language_of",
]
