"""Sentences, in any language: a partition of the text, on `re` alone.

A text is cut into paragraphs; in each, one compiled pattern finds every place that looks like the
end of a sentence (`candidates`). Most of them are plain and are decided at once (`plain`); the
others go through the rules (`rules`). Where the rules cannot be sure a sentence is not cut.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from cleanbreak.core.checks import string
from cleanbreak.core.document import Span
from cleanbreak.core.sentences.candidates import candidates_of
from cleanbreak.core.sentences.languages import Language, check_language, language_of
from cleanbreak.core.sentences.own_abbreviations import abbreviations_of, with_abbreviations
from cleanbreak.core.sentences.paragraphs import (
    break_end,
    paragraph_break_in,
    sentences_of_paragraph,
)
from cleanbreak.core.sentences.segmenter import Segmenter, spans_of
from cleanbreak.core.text.wrapping import has_sentence_lines
from cleanbreak.errors import SettingsError

_non_blank = re.compile(r"\S").search


def sentences(
    text: str,
    language: str = "auto",
    *,
    newline_ends: bool | None = None,
    segmenter: Segmenter | None = None,
    abbreviations: Iterable[str] = (),
) -> list[Span]:
    """The sentences of a text: spans that follow one another and together are the text.

    - White space after a sentence belongs to it; white space before the first one to the first.
      No sentence is blank, so a text that is empty or only white space has none.
    - A blank line always ends a sentence. Whether a single newline does or is a space, `newline_ends`
      says. ``None`` looks at the text: if four of five lines end in a mark (of 20 at least), the
      lines are sentences or paragraphs, and newlines end them.
    - In Thai and Lao newlines always do, and borrowed marks: they write no sentence marks.
    - `language` is an ISO 639 code ("de", "pt-BR"), or "auto" to guess it from the text. Languages
      without word lists here, and texts that cannot be guessed, get the rules that hold everywhere.
    - A full stop after one of the `abbreviations` ends no sentence, save at the end of a paragraph.
      They are added to those of the language; one that is written with a capital needs it in the
      text, too.
    - No span cuts a grapheme cluster or CR LF.

    `segmenter`, a function from a text to spans, replaces the rules; its answer is checked.

    Raises:
        SettingsError: if `text` is no string, `language` is not written like an ISO code,
            `segmenter` cannot be called, or `abbreviations` are no words.
        SplitError: if `segmenter` fails, or its spans are not a partition.

    >>> text = "Dr. Ortiz left at 5 p.m. on Friday. Why?"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Ortiz left at 5 p.m. on Friday. ', 'Why?']
    >>> len(sentences("See Abb. Nine.", abbreviations=["Abb"]))
    1
    """
    spans = iter_sentences(
        text,
        language,
        newline_ends=newline_ends,
        segmenter=segmenter,
        abbreviations=abbreviations,
    )
    return list(spans)


def iter_sentences(
    text: str,
    language: str = "auto",
    start: int = 0,
    end: int | None = None,
    *,
    newline_ends: bool | None = None,
    segmenter: Segmenter | None = None,
    abbreviations: Iterable[str] = (),
) -> Iterator[Span]:
    """Yield the sentences of ``text[start:end]`` while finding them, holding one at a time.

    The window is cut as if it were the whole text, and the spans are offsets into `text`. With
    "auto" the language of each window is guessed, as is what newlines are; name both if a text is
    walked in windows.

    Raises:
        SettingsError: as `sentences` does, at the call and not at the first sentence.
    """
    window = string("text", text)[start:end]
    check_language(language)
    if segmenter is not None and not callable(segmenter):
        raise SettingsError("segmenter", segmenter, "a function from a string to spans")
    words = abbreviations_of(abbreviations)
    if not window or window.isspace():
        return iter(())
    if segmenter is not None:
        spans = spans_of(segmenter, window)
    else:
        spoken = with_abbreviations(language_of(window, language), words)
        if newline_ends is None:
            newline_ends = has_sentence_lines(window)
        breaks = paragraph_break_in(window, spoken, newline_ends=newline_ends)
        spans = _segment(window, spoken, breaks)
    return spans if start == 0 else _shifted(spans, start)


def _shifted(spans: Iterator[Span], offset: int) -> Iterator[Span]:
    for start, end in spans:
        yield Span(start + offset, end + offset)


def _segment(text: str, language: Language, breaks: re.Pattern[str]) -> Iterator[Span]:
    candidates = candidates_of(language).finditer
    return chain.from_iterable(
        sentences_of_paragraph(text, start, high, language, candidates(text, start, high))
        for start, high in _paragraphs(text, breaks)
    )


def _paragraphs(text: str, breaks: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """What lies between paragraph breaks; white space before the first one belongs to it."""
    start = 0
    first = _non_blank(text)
    for found in breaks.finditer(text, first.start() if first else len(text)):
        high = break_end(text, found)
        yield start, high
        start = high
    if start < len(text):
        yield start, len(text)
