"""The places that look like the end of a sentence: marks, what closes after them, white space.

Every quantifier is possessive and every run of marks is entered at its first mark only, so the
pattern never backtracks: its time is linear, for every text.
"""

import re
from collections.abc import Callable
from functools import cache

from cleanbreak.core.sentences.closers import UNSPACED_CLOSERS, closers_pattern
from cleanbreak.core.sentences.languages import Language
from cleanbreak.core.text.characters import (
    NEWLINES,
    SPACED_MARKS,
    SPACES,
    UNSPACED_MARKS,
    ZERO_WIDTH_SPACE,
)

_BREAKABLE = re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_WHITE = rf"(?:[^\S{_BREAKABLE}]*+[{_BREAKABLE}][\s{ZERO_WIDTH_SPACE}]*+|\Z)"
_SPACED_OUT = r"(?>(?:[ \u00a0]\.(?![\w.]))*)"  # an ellipsis as . . .
# Also in Greek and Cyrillic, which name no files and no web sites.
_MISSING_SPACE = (
    r"(?<=[^\W_][.!?])(?=[A-Z][a-z]+[ .,'’]|[AI] "
    r"|(?<=[\u0370-\u052f][.!?])[\u0370-\u042f](?:[\u0430-\u052f\u03ac-\u03ce]| ))"
)
_EMOTICON = r"(?:(?<=[\s.!?].)|(?<=[^\W\d_].))-?[)(DPp]++"
# White space and a capital: only there a semicolon or an emoticon may end a sentence.
_BEFORE_CAPITAL = r"(?=[ \n\r\u00a0]{1,4}[A-Z\u00c0-\u00de\u0100-\u052f])"
# After a semicolon on one line only: each line of verse has a capital.
_BEFORE_CAPITAL_ON_LINE = r"(?=[ \u00a0]{1,4}[A-Z\u00c0-\u00de\u0100-\u052f])"
_CJK = r"[\u3005-\u30ff\u3400-\u9fff]"


def marks_of(language: Language) -> str:
    """The marks that may end a sentence in a language."""
    return SPACED_MARKS + language.extra_marks + UNSPACED_MARKS


def candidates_of(language: Language) -> re.Pattern[str]:
    """Matches where a sentence may end in a language.

    Group 1 is the marks; 2 or 3 the closers, without and with white space after them.
    """
    return _pattern(language.extra_marks, language.verb_endings, language.spaced_closers)


@cache
def _pattern(
    extra_marks: str, verb_endings: tuple[str, ...], spaced_closers: str
) -> re.Pattern[str]:
    unspaced = re.escape(UNSPACED_MARKS)
    marks = re.escape(SPACED_MARKS + extra_marks) + unspaced
    run = rf"[{marks}](?<![{marks}][{marks}])[{marks}]*+{_SPACED_OUT}"
    signs = "".join(sign for sign in ";:" if sign not in extra_marks)
    # In the first class of the pattern and no branch of its own, as classes are found faster.
    others = run.removeprefix(f"[{marks}]")
    run = (
        rf"[{marks}{signs}](?:(?<![{signs}]){others}"
        rf"|(?<=[{signs}])(?:{_EMOTICON}{_BEFORE_CAPITAL}|(?<=;){_BEFORE_CAPITAL_ON_LINE}))"
    )
    if verb_endings:
        run += rf"|(?<=\w)(?:{'|'.join(verb_endings)})~*+(?={_WHITE})"
    return re.compile(
        rf"({run})"
        # The usual case first, as it needs no look at closers: white space, then a word.
        rf"(?:[ \n](?=[^\W_])|(?:(?<=[{unspaced}])|(?<={_CJK}[!?])(?={_CJK}))(?>({UNSPACED_CLOSERS})?)[\s{ZERO_WIDTH_SPACE}]*+"
        rf"|({closers_pattern(spaced_closers)}){_WHITE}(?![a-z])|{_WHITE}"
        rf"|{_MISSING_SPACE})"
    )


def last_mark_of(language: Language) -> Callable[[str, int, int], re.Match[str] | None]:
    """Matches, from the start of a window, up to the last mark or verb ending in it."""
    return _last_mark(language.extra_marks, language.verb_endings)


@cache
def _last_mark(
    extra_marks: str, verb_endings: tuple[str, ...]
) -> Callable[[str, int, int], re.Match[str] | None]:
    marks = f"[{re.escape(SPACED_MARKS + extra_marks + UNSPACED_MARKS)}]"
    if verb_endings:
        marks += rf"|(?<=\w)(?:{'|'.join(verb_endings)})~*+(?={_WHITE})"
    return re.compile(f"(?s:.*)(?:{marks})").match
