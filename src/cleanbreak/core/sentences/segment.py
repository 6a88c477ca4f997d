"""Sentences, in any language: a partition of the text, on `re` alone.

One compiled pattern finds every place that looks like the end of a sentence: marks, the quotes and
brackets that close after them, white space. Most of them are plain and are taken at once; the
doubtful ones go through the rules of `sentence_rules`. In doubt a sentence is not cut.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from operator import index

from cleanbreak.core.checks import string
from cleanbreak.core.document import Span
from cleanbreak.core.sentences.inline_lists import MAY_START_LIST, item_starts
from cleanbreak.core.sentences.languages import Language, check_language, language_of
from cleanbreak.core.sentences.quotations import inside_quotation_that_goes_on, quote_or_bracket
from cleanbreak.core.sentences.rules import Place, ends_sentence, plain_verdict
from cleanbreak.core.text.characters import (
    CLOSERS,
    NEWLINES,
    SPACED_MARKS,
    SPACES,
    UNSPACED_MARKS,
    ZERO_WIDTH_SPACE,
)
from cleanbreak.core.text.graphemes import FIRST_CLINGING, boundary_at_or_before, clings
from cleanbreak.errors import CleanbreakError, SettingsError, SplitError

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
    - A blank line always ends a sentence. A single newline is a space, unless `newline_ends`, or
      in Thai and Lao: they write no sentence marks, so newlines and borrowed marks must do.
    - `language` is an ISO 639 code ("de", "pt-BR"), or "auto" to guess it from the text. Languages
      without word lists here, and texts that cannot be guessed, get the rules that hold everywhere.
    - No span cuts a grapheme cluster or CR LF.

    `segmenter`, a function from a text to spans, replaces the rules; its answer is checked.

    Raises:
        SettingsError: if `text` is no string, `language` is not written like an ISO code, or
            `segmenter` cannot be called.
        SplitError: if `segmenter` fails, or its spans are not a partition.

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
    window = string("text", text)[start:end]
    check_language(language)
    if segmenter is not None and not callable(segmenter):
        raise SettingsError("segmenter", segmenter, "a function from a string to spans")
    if not window or window.isspace():
        return iter(())
    if segmenter is not None:
        spans = _checked(_asked(segmenter, window), len(window))
    else:
        spoken = language_of(window, language)
        hard = _HARD_LINE if newline_ends or spoken.newlines_end else _HARD_BLANK_LINE
        spans = _segment(window, spoken, hard)
    return spans if start == 0 else _shifted(spans, start)


def _shifted(spans: Iterator[Span], offset: int) -> Iterator[Span]:
    for start, end in spans:
        yield Span(start + offset, end + offset)


# --- where hard ends are -------------------------------------------------------------------------

_NEWLINE = f"[{NEWLINES}](?:(?<=\r)\n)?+"
_not_blank = re.compile(r"\S").search
_HARD_LINE = re.compile(rf"{_NEWLINE}\s*+")
_HARD_BLANK_LINE = re.compile(rf"{_NEWLINE}[^\S{NEWLINES}]*+[{NEWLINES}]\s*+")


# --- where soft ends may be ----------------------------------------------------------------------

# Every quantifier is possessive and every run of marks is entered at its first mark only, so the
# pattern never goes back: its time is linear, whatever the text.
_BREAKABLE = re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_WHITE = rf"(?:[^\S{_BREAKABLE}]*+[{_BREAKABLE}][\s{ZERO_WIDTH_SPACE}]*+|\Z)"
_HANGING = r"[ \u00a0\u202f]++[»›\"](?=[\s.,;:!?…)\]]|\Z)"  # French: « Oui. »
_SMILE = r"[ \u00a0]*+(?:[:;=]-?[)(DP]|[\u2600-\u27bf\ufe0f\u200d\U0001f300-\U0001faff]++)(?=\s|\Z)"
_FOOTNOTE = r"\[\d{1,3}\]"
_SPACED_OUT = r"(?:[ \u00a0]\.(?![\w.]))*+"  # an ellipsis as . . .
_FORGOTTEN_SPACE = r"(?<=[^\W_][.!?])(?=[A-Z][a-z]+[ .,'’]|[AI] )"
_CJK = r"[\u3005-\u30ff\u3400-\u9fff]"


@cache
def _candidates(extra_marks: str, verb_endings: tuple[str, ...]) -> re.Pattern[str]:
    """Group 1 is the marks; 2 or 3 the closers, without and with white space after them."""
    unspaced = re.escape(UNSPACED_MARKS)
    marks = re.escape(SPACED_MARKS + extra_marks) + unspaced
    closers = re.escape(CLOSERS)
    run = rf"[{marks}](?<![{marks}][{marks}])[{marks}]*+{_SPACED_OUT}"
    if verb_endings:
        run += rf"|(?<=\w)(?:{'|'.join(verb_endings)})(?={_WHITE})"
    return re.compile(
        rf"({run})"
        rf"(?:(?:(?<=[{unspaced}])|(?<={_CJK}[!?])(?={_CJK}))([{closers}]++)?+[\s{ZERO_WIDTH_SPACE}]*+"
        rf"|((?:[{closers}“«]|{_HANGING}|{_SMILE}|{_FOOTNOTE})++){_WHITE}(?![a-z])|{_WHITE}"
        rf"|{_FORGOTTEN_SPACE})"
    )


# --- from candidates to sentences ----------------------------------------------------------------


# A NamedTuple's own constructor is a Python function, and took a fifth of the time on Chinese.
_span = partial(tuple.__new__, Span)


def _segment(text: str, language: Language, hard: re.Pattern[str]) -> Iterator[Span]:
    candidates = _candidates(language.extra_marks, language.verb_endings).finditer
    start = 0
    opening = -1  # the first quote or bracket that opens at or after `start`
    for low, high in _paragraphs(text, hard):
        for found in candidates(text, low, high):
            cut = found.end()
            if cut < high:  # a paragraph's end needs no proof
                mark, marks_end = found.span(1)
                closers = found.lastindex or 1
                verdict = None
                if closers == 1 and marks_end == mark + 1:
                    verdict = plain_verdict(text, start, mark, cut, language)
                if verdict is None:
                    closers_end = found.end(closers)
                    verdict = ends_sentence(
                        Place(text, start, high, mark, marks_end, closers_end, cut, language)
                    )
                if not verdict or (text[cut] >= FIRST_CLINGING and clings(text, cut)):
                    continue
                if opening < start:
                    opened = quote_or_bracket(text, start)
                    opening = opened.start() if opened else len(text)
                if opening < mark and inside_quotation_that_goes_on(text, opening, cut, high):
                    continue
            if text[start] in MAY_START_LIST:
                yield from _items(text, start, cut, language)
            else:
                yield _span((start, cut))
            start = cut
        if start < high:
            yield from _items(text, start, high, language)
            start = high


def _items(text: str, start: int, end: int, language: Language) -> Iterator[Span]:
    """The sentence itself, or its items if it is a list."""
    for at in item_starts(text, start, end, dots=not language.ordinals):
        yield _span((start, at))
        start = at
    yield _span((start, end))


def _paragraphs(text: str, hard: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """What lies between hard ends, white space before the first one aside."""
    first = _not_blank(text)
    low = first.start() if first else len(text)
    for found in hard.finditer(text, low):
        high = found.end()
        if high < len(text) and text[high] >= FIRST_CLINGING:
            # White space may carry a combining mark; the two start the next paragraph.
            high = boundary_at_or_before(text, high, found.start())
        yield low, high
        low = high
    if low < len(text):
        yield low, len(text)


# --- a user's own segmenter ----------------------------------------------------------------------


def _asked(segmenter: Segmenter, text: str) -> Iterator[tuple[int, int]]:
    """The spans that a segmenter gives; whatever it raises, also midway, ends as one error."""
    try:
        yield from segmenter(text)
    except CleanbreakError:
        raise
    except Exception as error:  # noqa: BLE001 (the caller's own code; it ends as one SplitError)
        kind = type(error).__name__
        raise SplitError(
            f"The segmenter failed with {kind} on a text of {len(text)} characters.",
            kind=kind,
            length=len(text),
        ) from None


def _checked(spans: Iterable[tuple[int, int]], length: int) -> Iterator[Span]:
    at = 0
    for span in spans:
        try:
            start, end = map(index, span)
        except (TypeError, ValueError):
            raise SplitError("The segmenter must give spans: pairs of whole numbers.") from None
        if start != at or not at < end <= length:
            raise SplitError(
                f"The segmenter's span {start} to {end} is refused: it must start at {at}, where "
                f"the one before ended, and end after that, at most at {length}.",
                start=start,
                end=end,
            )
        yield Span(start, end)
        at = end
    if at != length:
        raise SplitError(
            f"The segmenter's spans end at {at}, but the text at {length}.", end=at, length=length
        )
