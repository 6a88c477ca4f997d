"""What may stand between the marks of a sentence and the white space after it.

Quotes and brackets that close; Markdown emphasis, code and the target of a link; the signs and
numbers of notes; a smile. Every quantifier is possessive or bounded, so the time is linear.
"""

import re

from cleanbreak.core.text.characters import CLOSERS

_EMPHASIS = r"[*_~`]{1,3}+"  # **Note.**
_LINK = r"\](?:\([^\s()<>]{0,200}+(?<![.?!…])\)|\[[^\]\[\n]{0,60}+\])"  # [See this.](page.html)

_COUNT = r"\d{1,4}[a-z]?"
_NUMBERS = rf"\^?{_COUNT}(?>(?:\s?[-–—,;]\s?{_COUNT})*)"
# [1], [2, 5], [1-3], [^note], [a], [note 2], [citation needed]
_NOTE = rf"\[(?:{_NUMBERS}|\^[^\]\s]{{1,40}}+|[a-z][a-z ?]{{0,30}}+(?:\d{{1,3}})?)\]"
_RAISED = "[¹²³⁰⁴-⁹ªᵃ-ᶻ†‡]{1,4}+"
# A number that was raised in print: it was a long work.1 The
_RAISED_IN_PRINT = r"(?:(?<=[^\W\d_]{4}[.?!])|(?<=[.?!][”’\"]))\d{1,3}(?=\s)"

# White space before what closes: « Oui. » and this is so. [1] and see that. (Smith, 2010)
_SPACE = r"[ \u00a0\u202f]"
_SPACED_NOTE = rf"{_SPACE}\[{_NUMBERS}\](?>(?:\[{_NUMBERS}\])*)"
_LEFT_OUT = rf"{_SPACE}(?:\.\.\.|…)(?=\s|\Z)"  # It was late. ... He slept.
_AFTER_QUOTE = r"(?=[\s.,;:!?…)\]]|\Z)"
_SMILE = r"[ \u00a0]*+(?:[:;=]-?[)(DP]|[\u2600-\u27bf\ufe0f\u200d\U0001f300-\U0001faff]++)(?=\s|\Z)"


def closers_pattern(spaced_closers: str) -> str:
    """Matches one or more closers. `spaced_closers` are quotes that close after a space, too."""
    hanging = rf"{_SPACE}++(?:[»›\"{spaced_closers}]|''|``){_AFTER_QUOTE}"
    kinds = (
        _LINK,
        rf"[{re.escape(CLOSERS)}“«]",
        hanging,
        _EMPHASIS,
        _SMILE,
        _NOTE,
        _SPACED_NOTE,
        _LEFT_OUT,
        _RAISED,
        _RAISED_IN_PRINT,
    )
    return rf"(?>(?:{'|'.join(kinds)})+)"


# Signs that show that a quotation closed, and not only emphasis, a bracket or a note.
_QUOTES = frozenset(CLOSERS + "“«") - frozenset(")]}")


def closes_quotation(text: str, start: int, end: int) -> bool:
    """Whether one of the closers in ``text[start:end]`` is a quote."""
    return not _QUOTES.isdisjoint(text[start:end])
