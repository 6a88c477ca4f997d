"""Small words of a query, which neither find a chunk nor are marked, unless there are no others."""

from collections.abc import Sequence

from cleanbreak.core.sentences.languages.table import LANGUAGES

# English words of questions that the lists for guessing a language do not have, as other languages
# have them too.
_MORE = {
    "en": frozenset(
        [
            "about",
            "above",
            "against",
            "am",
            "any",
            "being",
            "below",
            "between",
            "both",
            "doing",
            "down",
            "few",
            "further",
            "having",
            "hers",
            "herself",
            "him",
            "himself",
            "into",
            "itself",
            "just",
            "me",
            "more",
            "myself",
            "nor",
            "off",
            "other",
            "ours",
            "ourselves",
            "out",
            "over",
            "own",
            "same",
            "such",
            "theirs",
            "them",
            "themselves",
            "through",
            "too",
            "under",
            "up",
            "upon",
            "us",
            "very",
            "were",
            "whom",
            "whose",
            "yours",
            "yourself",
            "t",
            "s",
        ]
    )
}


def language_of(words: Sequence[str]) -> str | None:
    """The language with the most small words among `words`; of equals the first of the table.

    >>> language_of(["the", "war", "in", "africa"]), language_of(["whale"])
    ('en', None)
    """
    best, most = None, 0
    for code in LANGUAGES:
        small = _small_words(code)
        count = sum(word in small for word in words)
        if count > most:
            best, most = code, count
    return best


def stop_words(words: Sequence[str]) -> frozenset[str]:
    """The small words among `words`, in the language that they seem to be in.

    >>> sorted(stop_words(["who", "was", "the", "whale"]))
    ['the', 'was', 'who']
    """
    language = language_of(words)
    return _small_words(language) & set(words) if language else frozenset()


def _small_words(code: str) -> frozenset[str]:
    return LANGUAGES[code].small_words | _MORE.get(code, frozenset())
