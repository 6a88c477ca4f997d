"""What a raised number means, by what stands before it: a power, or the mark of a note."""

import re

# What has powers: one or two letters that are no word, and functions.
_SYMBOL = re.compile(
    r"(?<![^\W\d_])(?!(?:al|am|an|as|at|au|be|by|da|de|di|do|du|el|en|er|es|et|go|he|if|il|im|in|is|it"
    r"|je|la|le|lo|me|my|ne|no|ob|of|on|or|ou|sa|se|si|so|su|te|to|tu|un|up|us|va|we|ya|zu)$)"
    r"(?:[^\W\d_]{1,2}|sin|cos|tan|cot|sec|log|sinh|cosh|tanh)$",
    re.IGNORECASE,
)
# Punctuation after which the mark of a note may stand, and the word before it.
_AFTER_WORD = re.compile(r"[^\W\d_]{3}[.,;:!?…)\]\"'”’»]{1,3}$")
SEEN = 12
"""Characters before a raised number that decide what it is."""


def signs_around(text: str) -> tuple[str, str]:
    """What to write before and after a raised number that stands behind this text.

    >>> signs_around("about 10"), signs_around("5 km"), signs_around("the keeper")
    (('^', ''), ('^', ''), (' [', ']'))
    """
    last = text[-1:]
    if last.isdigit() or _SYMBOL.search(text):
        return "^", ""
    if last.isalpha():
        return " [", "]"
    if _AFTER_WORD.search(text):
        return "[", "]"
    return ("^", "") if last and last in ")]" else ("", "")


def end_of(parts: list[str]) -> str:
    """The last characters of a text, of which a word may be in several parts."""
    return "".join([part[-SEEN:] for part in parts[-SEEN:]])[-SEEN:]


def is_number(words: str) -> bool:
    """Whether words start with a number, which may have a sign."""
    return words.lstrip("-+\u2212\u2013")[:1].isdigit()
