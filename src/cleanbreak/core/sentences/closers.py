"""What may stand between the marks of a sentence and the white space after it.

Quotes and brackets that close; Markdown emphasis, code and the target of a link; the signs and
numbers of notes; a smile. Every quantifier is possessive or bounded, so the time is linear.
"""

import re

from cleanbreak.core.text.characters import CLOSERS

# **Note.** ==Note.== <b>Note.</b>
_EMPHASIS = r"[*_~`=]{1,3}+|</[A-Za-z]{1,10}>"
# [See this.](page.html "Title") and [See this.][page]
_TARGET = r"(?>(?:[^\s()<>]{1,120}+|\([^\s()<>]{0,60}\)){0,3})"
_TITLE = r"(?:[ ](?:\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'))?"
_LINK = rf"\](?:\({_TARGET}(?<![.?!…]){_TITLE}\)|\[[^\]\[\n]{{0,60}}+\])"

_COUNT = r"\d{1,4}[a-z]?"
_NUMBERS = rf"\^?{_COUNT}(?>(?:\s?[-–—,;]\s?{_COUNT})*)"
_KEY = r"@[^\]\s]{1,60}+"
# [1], [2, 5], [1-3], [^note], [@key], [a], [note 2], [citation needed]
_NOTE = rf"\[(?:{_NUMBERS}|{_KEY}|\^[^\]\s]{{1,40}}+|[A-Za-z][a-z ?]{{0,30}}+(?:\d{{1,3}})?)\](?:,(?=[ ]?\[))?"
_RAISED = r"(?:[¹²³⁰⁴-⁹ªᵃ-ᶻ†‡][¹²³⁰⁴-⁹ªᵃ-ᶻ†‡,]{0,6}+|<sup>[^<>\s]{1,10}</sup>)"
# A number that was raised in print: it was a long work.1 The
_RAISED_IN_PRINT = r"(?:(?<=[^\W\d_]{4}[.?!])|(?<=[.?!][”’\"]))\d{1,3}(?=\s)"

# White space before what closes: « Oui. » and this is so. [1] and see that. (Smith, 2010)
_SPACE = r"[ \u00a0\u202f]"
_SPACED_NOTE = rf"{_SPACE}\[(?:{_NUMBERS}|{_KEY}|[a-z]{{1,4}}\s\d{{1,3}})\](?:,(?=[ ]?\[))?"
_LEFT_OUT = rf"{_SPACE}(?:\.\.\.|…)(?=\s|\Z)"  # It was late. ... He slept.
_AFTER_QUOTE = r"(?=[\s.,;:!?…)\]]|\Z)"
_SMILE = r"[ \u00a0]*+(?:[:;=]-?[)(DP]|[\u2600-\u27bf\ufe0f\u200d\U0001f300-\U0001faff]++)(?=\s|\Z)"

# The closers after marks that need no white space after them.
UNSPACED_CLOSERS = rf"(?:[{re.escape(CLOSERS)}]|\[{_NUMBERS}\])+"


def closers_pattern(spaced_closers: str) -> str:
    """Matches one or more closers. `spaced_closers` are quotes that close after a space, too."""
    hanging = rf"{_SPACE}++(?:[»›\"{spaced_closers}]|''|``){_AFTER_QUOTE}"
    kinds = (
        _LINK,
        rf"[{re.escape(CLOSERS)}“«‘‹]",
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
_QUOTES = frozenset(CLOSERS + "“«‘‹") - frozenset(")]}")


def closes_quotation(text: str, start: int, end: int) -> bool:
    """Whether one of the closers in ``text[start:end]`` is a quote."""
    return not _QUOTES.isdisjoint(text[start:end])
