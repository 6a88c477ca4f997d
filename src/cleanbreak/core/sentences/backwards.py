"""The last sentence end in a window of a text: the ends of `sentences`, found backwards.

Newlines end none here, save in Thai and Lao: line ends are a level of their own to those who ask.

`sentences` walks forwards and knows at each place where the sentence started and which quotes are
open. Looking backwards, neither is known. So a place is judged in one of three ways, cheapest
first:

1. At a glance (`Glance`), if its verdict is the same wherever the sentence started. That decides
   nineteen of twenty places of prose, in about a microsecond.
2. By the rules, if the start of its sentence is seen: the paragraph's start, or an end before it
   that is decided at a glance.
3. By cutting the sentences forwards from the nearest start that is seen (`sentences_of_paragraph`,
   the code of `sentences`).

Bounds, so that the cost of a look does not grow with the text:

- A start is looked for in `_REACH` characters. In prose one lies within 200. Without one the walk
  starts there at a word. From the first end that both find, it finds the ends of `sentences`; only
  a quotation (at most 250 characters) or the first letter of a sentence can delay that.
- The rules look at most `LOOKS_AHEAD` characters past a place: a quotation of 250 characters and
  what follows it. Only white space is followed further.
"""

import re
from itertools import takewhile

from cleanbreak.core.sentences.candidates import candidates_of, last_mark_of, marks_of
from cleanbreak.core.sentences.glance import NO, UNSURE, Glance
from cleanbreak.core.sentences.inline_lists import label_in, starts_list
from cleanbreak.core.sentences.languages import Language, language_of
from cleanbreak.core.sentences.paragraphs import (
    Paragraphs,
    break_end,
    is_end,
    sentences_of_paragraph,
)
from cleanbreak.core.sentences.place import WORD_LENGTH
from cleanbreak.core.sentences.quotations import (
    LONGEST_QUOTATION,
    inside_continued_quotation,
    quote_or_bracket,
)
from cleanbreak.core.text.breaks import Finder
from cleanbreak.core.text.characters import CLOSERS, NEWLINES, SPACES, ZERO_WIDTH_SPACE

# Code points after a place on which a verdict may depend.
LOOKS_AHEAD = 400

# Code points before a place in which the start of its sentence is looked for.
_REACH = 1000

# No rule but a few (`_depends_on_start`) asks how far the start is, if it is further than that.
_FAR = LONGEST_QUOTATION + 30

# Code points of a label in a list, as "• 10.) ".
_LABEL = 8

# Marks to look at for an end that is decided at a glance.
_MOST_GLANCES = 8

_CLOSERS = frozenset(CLOSERS)
_white = re.compile(rf"[\s{ZERO_WIDTH_SPACE}]*+").match
_word_starts = re.compile(rf"(?<=[{re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)}])\S").finditer


class SentenceFinder:
    """Finds where sentences end in one text, looking backwards.

    The language is that of the whole text, as for `sentences`. It is detected once, at the first
    look.
    """

    def __init__(self, text: str, newlines: str = NEWLINES, language: str = "auto") -> None:
        """`newlines` are those that the text holds, as `newlines_in` says; more do no harm."""
        self._text = text
        self._newlines = newlines
        self._spoken = language
        self._is_prepared = False

    def _prepare(self) -> None:
        text = self._text
        self._language = language = language_of(text, self._spoken)
        self._candidates = candidates_of(language)
        self._marks = marks_of(language)
        self._last_mark = _last_ascii_mark if text.isascii() else _last_mark_of(language)
        self._paragraphs = Paragraphs(text, language, self._newlines)
        self._end_of = Glance(language, self._paragraphs, is_ascii=text.isascii()).end_of
        self._content_end = last_content_end(text)
        self._is_prepared = True

    def find_last(self, text: str, low: int, high: int) -> int:
        """Where the last sentence that ends in ``text[low:high]`` ends, after its closers, or -1.

        The mark that ends it must lie in the window; white space after it need not. `text` is the
        text that the finder was made for.
        """
        if not self._is_prepared:
            self._prepare()
        if high >= self._content_end:
            return self._content_end if self._content_end > low else -1
        # The plain case first: nearly always the last mark ends the last sentence.
        mark = self._last_mark(text, low, high)
        if mark != -1:
            end = mark + 1
            if text[end] in _CLOSERS:
                end += 1
            if not text.startswith("\n\n", end):
                end = self._end_of(text, mark, 0)
                if NO < end <= high and not self._may_break(text, end, high):
                    return end
            # The end of a paragraph needs no proof, but a list may follow.
            elif not (
                end > high
                or self._may_break(text, end + 2, high)
                or self._may_hold_label(text, end, high)
            ):
                return end
        return self._look(text, low, high, has_mark=mark != -1)

    def _look(self, text: str, low: int, high: int, *, has_mark: bool) -> int:
        """`find_last` for a window whose last mark is not plain."""
        first, floor, before = low, 0, -1
        # Without a mark in the window it says nothing which quotes are open there.
        if self._may_break(text, max(0, low - _FAR) if has_mark else low, high):
            floor, before = self._paragraph(text, low, high, self._reach(text, high))
            if floor > high:
                return before
            first = max(low, floor)
        stop, end_of = high, self._end_of
        unsure = False
        while (mark := self._last_mark(text, first, stop)) != -1:
            found = end_of(text, mark, floor)
            if found == UNSURE:
                unsure = True
                found = self._judge(text, mark)
                if found == UNSURE:
                    found, mark = self._walk(text, low, high, mark)
            if NO < found <= high:
                return found
            stop = self._before_marks(text, first, mark)
        # The items of a list may end without a mark.
        if (unsure or self._may_hold_label(text, first, high)) and label_in(
            text, first, high + _LABEL
        ):
            return max(before, self._walk(text, low, high, high)[0])
        return before

    def _may_hold_label(self, text: str, low: int, high: int) -> bool:
        """Whether the label of an item may start in a window, if no mark does."""
        after = high + _LABEL
        return text.find(") ", low, after) != -1 or text.find(". ", high - 1, after) != -1

    # --- the paragraph -------------------------------------------------------------------------

    def _may_break(self, text: str, low: int, high: int) -> bool:
        """Whether a paragraph may end in the window, or start to end there."""
        reach = high if "!" <= text[high] <= "~" else self._reach(text, high)
        return self._paragraphs.may_break(text, low, reach)

    def _reach(self, text: str, high: int) -> int:
        """Where the white space after a window ends: a break may start inside and end behind."""
        white = _white(text, high, high + LOOKS_AHEAD)
        return white.end() if white else high

    def _paragraph(self, text: str, low: int, high: int, reach: int) -> tuple[int, int]:
        """Where the last paragraph starts in the text up to `reach`, and where that before ends.

        The end is that of its content, if that lies in the window, else -1. If no paragraph starts
        near the window the start is one that is far enough away.
        """
        start, before = max(0, low - _FAR), -1
        for found in self._paragraphs.breaks(text, start, reach):
            content_end = _content_end(text, start, found.start())
            if content_end > high:
                break
            if content_end > start:
                before = content_end
            start = break_end(text, found)
        return start, (before if before > low else -1)

    # --- the start of the sentence -------------------------------------------------------------

    def _before_marks(self, text: str, low: int, mark: int) -> int:
        """Before the whole run of marks: a page of dots is one place, not a thousand."""
        if text[mark - 1 : mark] not in self._marks:
            return mark
        return low + len(text[low:mark].rstrip(self._marks))

    def _seen_start(
        self, text: str, mark: int, low: int, floor: int, *, past_unsure: bool
    ) -> tuple[int, int] | None:
        """Where the sentence of a mark starts, and where the one before it ends (or -1).

        By the first end before the mark that is decided at a glance; `low` if there is none after
        it. ``None`` if there are too many marks, or one that is not decided, unless `past_unsure`.
        """
        stop = mark
        for _ in range(_MOST_GLANCES):
            mark = self._last_mark(text, low, stop)
            if mark == -1:
                return -1, low
            found = self._end_of(text, mark, floor)
            if found > NO:
                white = _white(text, found)
                return found, white.end() if white else found
            if found == UNSURE and not past_unsure:
                return None
            stop = self._before_marks(text, low, mark)
        return None

    # --- places that are not decided at a glance -------------------------------------------------

    def _judge(self, text: str, mark: int) -> int:
        """The verdict of the rules on one place, if the start of its sentence is seen."""
        if text[mark] not in self._marks:
            return UNSURE  # the last character of a verb that ends a sentence by itself
        mark = self._before_marks(text, max(0, mark - WORD_LENGTH), mark)
        if text[mark - 1 : mark].isspace():
            return UNSURE  # perhaps an ellipsis as . . .
        floor = self._paragraphs.start(text, max(0, mark - _REACH), mark)
        low = max(floor, mark - _FAR - WORD_LENGTH)
        seen = self._seen_start(text, mark, low, floor, past_unsure=False)
        if not seen:
            return UNSURE
        _, start = seen
        high = self._paragraphs.end(text, mark, mark + LOOKS_AHEAD)
        found = self._candidates.match(text, mark, high)
        if not found:
            return NO
        cut = found.end()
        if cut >= high or starts_list(text, cut):
            return UNSURE
        if start == low > floor and self._depends_on_start(text, found):
            return UNSURE
        if not is_end(text, start, high, found, cut, self._language):
            return NO
        opened = quote_or_bracket(text, start, mark)
        if opened and inside_continued_quotation(text, opened.start(), cut, high):
            return NO
        return found.end(found.lastindex or 1)

    def _depends_on_start(self, text: str, found: re.Match[str]) -> bool:
        """Whether a rule may ask how the sentence starts: with a label, a dash, a small letter."""
        mark, marks_end = found.span(1)
        if marks_end == mark + 1 and text[mark] == ".":
            return not text[mark - 3 : mark].isalpha()
        return not text[found.end()].isupper()

    def _walk(self, text: str, low: int, high: int, unsure: int) -> tuple[int, int]:
        """The last sentence end in a window up to the place of the mark at `unsure`, or -1.

        Also from where on the sentences were cut.
        """
        mark = self._before_marks(text, max(0, unsure - WORD_LENGTH), unsure)
        floor = self._paragraphs.start(text, max(0, mark - _REACH), mark)
        context = floor if floor > mark - _REACH else mark - _REACH + _FAR
        seen = self._seen_start(text, mark, context, floor, past_unsure=True)
        last, start = seen or (-1, context)
        if start == context > floor:
            start = _likely_start(text, context, mark)
        end = self._paragraphs.end(text, mark, high + LOOKS_AHEAD)
        candidates = takewhile(
            lambda found: found.start() <= unsure, self._candidates.finditer(text, start, end)
        )
        for _, span_end in sentences_of_paragraph(text, start, end, self._language, candidates):
            content_end = _content_end(text, start, span_end)
            if content_end > high:
                break
            last = content_end
        # Only closers: the mark lies before the window.
        outside = last <= low or _CLOSERS.issuperset(text[low:last])
        return (-1 if outside else last), start


def _likely_start(text: str, low: int, high: int) -> int:
    """Where a word with a capital starts, as sentences do; else any word, else `low`."""
    words = [found.start() for found in _word_starts(text, low, high)]
    return next((word for word in words if text[word].isupper()), words[0] if words else low)


def _content_end(text: str, low: int, end: int) -> int:
    """Where what is not blank ends."""
    content = text[low:end].rstrip()
    while content.endswith(ZERO_WIDTH_SPACE):
        content = content.rstrip(ZERO_WIDTH_SPACE).rstrip()
    return low + len(content)


def last_content_end(text: str) -> int:
    """The same for a whole text, without a copy of it."""
    end = len(text)
    while end and (text[end - 1].isspace() or text[end - 1] == ZERO_WIDTH_SPACE):
        end -= 1
    return end


def _last_ascii_mark(text: str, low: int, high: int) -> int:
    """The last mark in a window of ASCII, or -1; three looks cost less than a pattern."""
    find = text.rfind
    mark = find(".", low, high)
    other = find("?", low, high)
    if other > mark:
        mark = other
    other = find("!", low, high)
    return max(mark, other)


def _last_mark_of(language: Language) -> Finder:
    """The last mark, or last character of a verb ending, in a window of any text, or -1."""
    match = last_mark_of(language)

    def find_last(text: str, low: int, high: int) -> int:
        found = match(text, low, high)
        return found.end() - 1 if found else -1

    return find_last
