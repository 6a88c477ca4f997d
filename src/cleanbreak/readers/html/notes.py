"""References to notes: which are marks, and which are words of a sentence."""

import re

_LONGEST = 16
_DIGITS = r"[\d\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]{1,4}"
_ROMAN = r"(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
# A number, with a letter or a sign for "note" beside it; a letter, alone or doubled; Roman numerals.
_LETTERED = re.compile(
    rf"(?:[a-z]?{_DIGITS}[a-z]?|[^\W\d_]|([a-z])\1{{1,2}}|{_ROMAN}|[注註译譯訳校]{{1,2}}\s?(?:{_DIGITS})?)",
    re.IGNORECASE,
)
_AROUND = " []()（）［］〔〕【】.,;:*"


def is_mark(text: str) -> bool:
    """Whether the text of a reference is a mark: a number, a letter or signs, but no word.

    >>> [is_mark(text) for text in ("12", "[a]", "iv", "†", "the note", "Ann")]
    [True, True, True, True, False, False]
    """
    if len(text) > _LONGEST:
        return False
    if not any(map(str.isalpha, text)):
        return True
    marks = re.split(r"[,;]\s*|\s+", text.strip(_AROUND))
    return all(_LETTERED.fullmatch(mark.strip(_AROUND)) is not None for mark in marks)
