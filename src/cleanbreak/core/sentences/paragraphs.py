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
from cleanbreak.core.text.breaks import newlines_in
from cleanbreak.core.text.characters import NEWLINES
from cleanbreak.core.text.graphemes import FIRST_CLINGING, boundary_at_or_before, clings

_NEWLINE = f"[{NEWLINES}](?>(?:(?<=\r)\n)?)"
LINE_END = re.compile(rf"{_NEWLINE}\s*+")
_non_blank = re.compile(r"\S").search
BLANK_LINE = re.compile(rf"{_NEWLINE}[^\S{NEWLINES}]*+[{NEWLINES}]\s*+")
# The same for a text without other newlines; a pattern that starts with a literal is found faster.
_LF_BLANK_LINE = re.compile(rf"\n[^\S{NEWLINES}]*+\n\s*+")

# A NamedTuple's own constructor is a Python function, and took a fifth of the time on Chinese.
_span = partial(tuple.__new__, Span)


def paragraph_break(language: Language, *, newline_ends: bool = False) -> re.Pattern[str]:
    """Matches what ends a paragraph: a blank line, or a newline where that ends sentences."""
    return LINE_END if newline_ends or language.newlines_end else BLANK_LINE


def paragraph_break_in(
    text: str, language: Language, *, newline_ends: bool = False
) -> re.Pattern[str]:
    """What matches the same in one text, found faster where the text allows it."""
    breaks = paragraph_break(language, newline_ends=newline_ends)
    return _LF_BLANK_LINE if breaks is BLANK_LINE and newlines_in(text) == "\n" else breaks


def break_end(text: str, found: re.Match[str]) -> int:
    """Where the paragraph starts that follows a paragraph break."""
    end = found.end()
    if end < len(text) and text[end] >= FIRST_CLINGING:
        # White space may carry a combining mark; the two start the next paragraph.
        end = boundary_at_or_before(text, end, found.start())
    return end


class Paragraphs:
    """Finds paragraph breaks in windows of one text."""

    __slots__ = ("_breaks", "_first", "_newlines", "_search")

    def __init__(self, text: str, language: Language, newlines: str) -> None:
        """`newlines` are those that the text holds."""
        self._breaks = paragraph_break(language)
        if newlines == "\n" and self._breaks is BLANK_LINE:
            self._breaks = _LF_BLANK_LINE
        self._search = self._breaks.search
        self._newlines = newlines
        first = _non_blank(text)
        self._first = first.start() if first else len(text)

    def may_break(self, text: str, low: int, high: int) -> bool:
        """Whether a paragraph may end in the window."""
        return bool(self._newlines) and self._search(text, low, high) is not None

    def breaks(self, text: str, low: int, high: int) -> Iterator[re.Match[str]]:
        """The paragraph breaks in a window. White space at the start of the text is none."""
        return self._breaks.finditer(text, max(low, self._first), high)

    def start(self, text: str, low: int, high: int) -> int:
        """Where the last paragraph starts in a window; `low` if none does."""
        if self.may_break(text, low, high):
            for found in self.breaks(text, low, high):
                low = break_end(text, found)
        return low

    def end(self, text: str, low: int, high: int) -> int:
        """Where the paragraph ends that holds `low`; `high` or the text's end if not before."""
        high = min(high, len(text))
        if self.may_break(text, low, high):
            found = self._search(text, low, high)
            if found:
                return break_end(text, found)
        return high


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
            if not is_end(text, start, high, found, cut, language):
                continue
            if opening < start:
                opened = quote_or_bracket(text, start, high)
                opening = opened.start() if opened else high
            if opening < found.start() and inside_continued_quotation(text, opening, cut, high):
                continue
        if text[start] in MAY_START_LIST:
            yield from _items(text, start, cut, language)
        else:
            yield _span((start, cut))
        start = cut
    if start < high:
        yield from _items(text, start, high, language)


def is_end(
    text: str, start: int, high: int, found: re.Match[str], cut: int, language: Language
) -> bool | None:
    """Whether a candidate ends the sentence that starts at `start`, quotations not considered."""
    mark, marks_end = found.span(1)
    closers = found.lastindex or 1
    verdict = None
    if closers == 1 and marks_end == mark + 1:
        verdict = plain_verdict(text, start, mark, cut, language)
    if verdict is None:
        place = Place(text, start, high, mark, marks_end, found.end(closers), cut, language)
        verdict = ends_sentence(place)
    return verdict and not (text[cut] >= FIRST_CLINGING and clings(text, cut))


def _items(text: str, start: int, end: int, language: Language) -> Iterator[Span]:
    """The sentence itself, or its items if it is a list."""
    for at in item_starts(text, start, end, dots=not language.ordinals):
        yield _span((start, at))
        start = at
    yield _span((start, end))
