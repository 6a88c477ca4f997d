"""Languages: word lists, and a cheap guess at which one a text is in."""

from cleanbreak.core.languages.detect import check_language, detect_language, language_of
from cleanbreak.core.languages.language import MAYBE, NUMBERED, TITLE, Language
from cleanbreak.core.languages.table import LANGUAGES, UNKNOWN

__all__ = [
    "LANGUAGES",
    "MAYBE",
    "NUMBERED",
    "TITLE",
    "UNKNOWN",
    "Language",
    "check_language",
    "detect_language",
    "language_of",
]
