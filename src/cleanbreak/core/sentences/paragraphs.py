"""Paragraphs, whose ends always end a sentence, and the sentences inside one."""

import re
from collections.abc import Iterable, Iterator
from functools import partial

from cleanbreak.core.document import Span
from cleanbreak.core.sentences.inline_lists import MAY_START_LIST, item_starts
from cleanbreak.core.sentences.languages import Language
from cleanbreak.core.sentences.place import Place
from cleanbreak.core.sentences.plain import plain_verdict
from cleanbreak.core.sentences.quotations import inside_continued_quotation, quote_or_bracket
from cleanbreak.core.sentences.rules import ends_sentence
from cleanbreak.core.text.characters import NEWLINES
from cleanbreak.core.text.graphemes import FIRST_CLINGING, boundary_at_or_before, clings

_NEWLINE = f"[{NEWLINES}](?:(?<=\r)\n)?+"
LINE_END = re.compile(rf"{_NEWLINE}\s*+")
BLANK_LINE = re.compile(rf"{_NEWLINE}[^\S{NEWLINES}]*+[{NEWLINES}]\s*+")

# A NamedTuple's own constructor is a Python function, and took a fifth of the time on Chinese.
_span = partial(tuple.__new__, Span)


def paragraph_break(language: Language, *, newline_ends: bool = False) -> re.Pattern[str]:
    """Matches what ends a paragraph: a blank line, or a newline where that ends sentences."""
    return LINE_END if newline_ends or language.newlines_end else BLANK_LINE


def break_end(text: str, found: re.Match[str]) -> int:
    """Where the paragraph starts that follows a paragraph break."""
    end = found.end()
    if end < len(text) and text[end] >= FIRST_CLINGING:
        # White space may carry a combining mark; the two start the next paragraph.
        end = boundary_at_or_before(text, end, found.start())
    return end


def sentences_of_paragraph(
    text: str,
    start: int,
    high: int,
    language: Language,
    candidates: Iterable[re.Match[str]],
) -> Iterator[Span]:
    """Yield the sentences from `start`, where one starts, to `high`, where the paragraph ends.

    `candidates` are the places to judge, ascending: all matches of `candidates_of` between the two.
    """
    opening = -1  # the first quote or bracket that opens at or after `start`
    for found in candidates:
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
                opened = quote_or_bracket(text, start, high)
                opening = opened.start() if opened else high
            if opening < mark and inside_continued_quotation(text, opening, cut, high):
                continue
        if text[start] in MAY_START_LIST:
            yield from _items(text, start, cut, language)
        else:
            yield _span((start, cut))
        start = cut
    if start < high:
        yield from _items(text, start, high, language)


def _items(text: str, start: int, end: int, language: Language) -> Iterator[Span]:
    """The sentence itself, or its items if it is a list."""
    for at in item_starts(text, start, end, dots=not language.ordinals):
        yield _span((start, at))
        start = at
    yield _span((start, end))
