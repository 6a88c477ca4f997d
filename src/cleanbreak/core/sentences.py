"""Sentences, in any language: a partition of the text, on `re` alone.

One compiled pattern finds every place that looks like the end of a sentence: marks, the quotes and
brackets that close after them, white space. Most of them are plain and are taken at once; the
doubtful ones go through the rules of `sentence_rules`. In doubt a sentence is not cut.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from cleanbreak.core.document import Span
from cleanbreak.core.graphemes import boundary_at_or_before, is_boundary
from cleanbreak.core.languages import Language, language_of
from cleanbreak.core.marks import (
    CLOSERS,
    NEWLINES,
    SPACED_MARKS,
    SPACES,
    UNSPACED_MARKS,
    ZERO_WIDTH_SPACE,
)
from cleanbreak.core.sentence_rules import Place, ends_sentence, is_plain_end
from cleanbreak.errors import SettingsError, SplitError

Segmenter = Callable[[str], Iterable[tuple[int, int]]]
"""A user's own way to find sentences: spans that partition the text given to it."""


def sentences(
    text: str,
    language: str = "auto",
    *,
    newline_ends: bool = False,
    segmenter: Segmenter | None = None,
) -> list[Span]:
    """The sentences of a text: spans that follow one another and together are the text.

    - White space after a sentence belongs to it; white space before the first one to the first.
      No sentence is blank, so a text that is empty or only white space has none.
    - A blank line always ends a sentence. A single newline is a space, unless `newline_ends`.
    - `language` is an ISO 639 code ("de", "pt-BR"), or "auto" to guess it from the text. Languages
      without word lists here, and texts that cannot be guessed, get the rules that hold everywhere.
    - Thai and Lao write no sentence marks: their sentences end at newlines and borrowed marks.
    - No span cuts a grapheme cluster or CR LF.

    `segmenter`, a function from a text to spans, replaces the rules; its answer is checked.

    Raises:
        SettingsError: if `language` is not written like an ISO code, or `segmenter` not callable.
        SplitError: if the spans of `segmenter` are not a partition.

    >>> text = "Dr. Ortiz left at 5 p.m. on Friday. Why?"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Ortiz left at 5 p.m. on Friday. ', 'Why?']
    """
    return list(iter_sentences(text, language, newline_ends=newline_ends, segmenter=segmenter))


def iter_sentences(
    text: str,
    language: str = "auto",
    start: int = 0,
    end: int | None = None,
    *,
    newline_ends: bool = False,
    segmenter: Segmenter | None = None,
) -> Iterator[Span]:
    """Yield the sentences of ``text[start:end]`` while finding them, holding one at a time.

    The window is cut as if it were the whole text, and the spans are offsets into `text`. Who
    walks a text in windows should name the language (`detect_language`), or each is guessed anew.

    Raises:
        SettingsError: as `sentences` does, at the call and not at the first sentence.
    """
    end = len(text) if end is None else end
    spoken = language_of(text, language, start, end)
    if segmenter is None:
        return _iter(text, spoken, start, end, _HARD_LINE if newline_ends else _HARD_BLANK_LINE)
    if not callable(segmenter):
        raise SettingsError("segmenter", segmenter, "a function from a string to spans")
    return _checked(segmenter(text[start:end]), start, end)


# --- where hard ends are -------------------------------------------------------------------------

_NEWLINE = f"[{NEWLINES}](?:(?<=\r)\n)?+"
_HARD_LINE = re.compile(rf"{_NEWLINE}\s*+")
_HARD_BLANK_LINE = re.compile(rf"{_NEWLINE}[^\S{NEWLINES}]*+[{NEWLINES}]\s*+")
_not_blank = re.compile(r"\S").search


def _iter(
    text: str, language: Language, start: int, end: int, hard: re.Pattern[str]
) -> Iterator[Span]:
    first = _not_blank(text, start, end)
    if not first:
        return
    low = first.start()
    for found in hard.finditer(text, low, end):
        # White space may carry a combining mark, which then starts the next paragraph.
        high = boundary_at_or_before(text, found.end(), found.start())
        yield from _in_paragraph(text, language, start, low, high)
        start = low = high
    if start < end:
        yield from _in_paragraph(text, language, start, low, end)


# --- where soft ends may be ----------------------------------------------------------------------

# Every quantifier is possessive and every run of marks is entered at its first mark only, so the
# pattern never goes back: its time is linear, whatever the text.
_BREAKABLE = re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_WHITE = rf"(?:[^\S{_BREAKABLE}]*+[{_BREAKABLE}][\s{ZERO_WIDTH_SPACE}]*+|\Z)"
_HANGING = r"(?:[ \u00a0\u202f]++[»›](?=[\s.,;:!?…)\]]|\Z))*+"  # French: « Oui. »
_FOOTNOTES = r"(?:\[\d{1,3}\])*+"
_SPACED_OUT = r"(?:[ \u00a0]\.(?![\w.]))*+"  # an ellipsis as . . .
_CJK = r"[\u3005-\u30ff\u3400-\u9fff]"


@cache
def _candidates(extra_marks: str) -> re.Pattern[str]:
    """Group 1 is the marks; 2 or 3 the closers, without and with white space after them."""
    unspaced = re.escape(UNSPACED_MARKS)
    marks = re.escape(SPACED_MARKS + extra_marks) + unspaced
    closers = re.escape(CLOSERS)
    return re.compile(
        rf"([{marks}](?<![{marks}][{marks}])[{marks}]*+{_SPACED_OUT})"
        rf"(?:(?:(?<=[{unspaced}])|(?<={_CJK}[!?])(?={_CJK}))([{closers}]*+)[\s{ZERO_WIDTH_SPACE}]*+"
        rf"|([{closers}“«]*+{_HANGING}{_FOOTNOTES}){_WHITE})"
    )


def _in_paragraph(text: str, language: Language, start: int, low: int, high: int) -> Iterator[Span]:
    for found in _candidates(language.extra_marks).finditer(text, low, high):
        cut = found.end()
        if cut == high:
            break
        marks_end = found.end(1)
        if not is_plain_end(text, start, found.start(), marks_end, cut, language):
            closers_end = found.end(found.lastindex or 1)
            place = Place(text, start, high, found.start(), marks_end, closers_end, cut, language)
            if not ends_sentence(place):
                continue
        if is_boundary(text, cut, start):
            yield Span(start, cut)
            start = cut
    yield Span(start, high)


# --- a user's own segmenter ----------------------------------------------------------------------


def _checked(spans: Iterable[tuple[int, int]], offset: int, end: int) -> Iterator[Span]:
    at = offset
    for low, high in spans:
        if low + offset != at or not at < high + offset <= end:
            raise SplitError(
                f"The segmenter's span {low} to {high} is refused: it must start at "
                f"{at - offset}, where the one before ended, and end after that, within the text.",
                start=low,
                end=high,
            )
        yield Span(at, at := high + offset)
    if at != end:
        raise SplitError(
            f"The segmenter's spans end at {at - offset} of {end - offset} characters.",
            end=at - offset,
            length=end - offset,
        )
