"""Cuts sized by a tokenizer, in about one pass of the tokenizer.

Theory of operation. A tokenizer is a thousand times slower than looking for breaks, so what matters
is how much text is counted, and how often.

- How many characters a token has is learnt from the text so far. So the end of the next chunk can
  be guessed; the cleanest break at or before the guess is looked for (looking only there, not in
  the whole text), and the chunk up to it is counted: mostly one call a chunk.
- If it fits, the guess is made better from its own count, and the next break up to there is tried;
  if not, an earlier break is. So a chunk takes between one and three calls.
- What was counted and is not part of this chunk begins the next one, with its count (`Counter`).
- Counts need not grow with the text: a word of 101 letters is one ``[UNK]`` to BERT, its first 99
  letters are dozens of tokens. So nothing is ever concluded about a text that was not counted
  itself: guesses only choose what to count next, and what is emitted has been counted.

Breaks, cleanest first: paragraph, sentence, line, word. A cleaner break wins over a later one, but
a paragraph is begun rather than leave a chunk less than half full, if it must be cut anyway. Cuts
stand before spaces and after newlines: there the tokens of the two sides add up, for most
tokenizers, and a byte-pair tokenizer knows its words with the space before them. Only where no
word ends is a word cut, between graphemes; only where no grapheme fits, between code points.
"""

import re
from collections.abc import Callable, Iterator

from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import TOKENS, Breaks, Level
from cleanbreak.core.packing.pending import Cut, Pending
from cleanbreak.core.text.breaks import (
    Finder,
    has_spaced_blank_line,
    last_double_lf,
    last_word_end,
)
from cleanbreak.core.text.characters import (
    NEWLINES,
    NO_BREAK_SPACES,
    SPACES,
    ZERO_WIDTH_SPACE,
    is_blank,
)
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary
from cleanbreak.errors import IndivisibleTextError

# What to guess before anything is known; English has between 4 and 5.
_CHARACTERS_PER_TOKEN = 4.0
# For one chunk and kind of break, after something fits. The law needs one; more fill it better.
_MOST_CALLS = 8
# Code points. No text is counted that is longer than what fits by more than this: some tokenizers
# take quadratic time, and some refuse more than about 200,000 tokens at once.
_LONGEST_STEP = 50_000
# Code points; a longer run without white space is not tried whole before it is cut.
_LONGEST_WORD = 1000
# A chunk is full enough when less than its length, divided by this, may still go in.
_ROOM_SHARE = 4
# Code points; a text of no more is tried whole, without a guess.
_SHORT = 1000
# Code points of blank lines after a break that still go to the chunk on the left.
_ABSORBED = 200

_PARAGRAPH, _SENTENCE, _WORD = map(TOKENS.index, ("paragraph", "sentence", "word"))
_INSIDE_WORD = len(TOKENS)

_WHITE = f"[{re.escape(SPACES + ZERO_WIDTH_SPACE + NEWLINES)}]"
_next_paragraph = re.compile(rf"[{NEWLINES}]\s*[{NEWLINES}]").search
_next_word_end = re.compile(rf"{_WHITE}(?s:(?<=\S.))").search  # starts with a set, as that is fast
_not_blank = re.compile(r"\S").search
_blank_lines = re.compile(
    rf"(?>(?:[{re.escape(SPACES + NO_BREAK_SPACES)}]*+(?>\r\n|[{NEWLINES}]))*)"
).match


class TokenPacker:
    """Cuts one text into chunks of at most `limit` tokens; iterate over it once.

    Raises:
        IndivisibleTextError: if one code point alone is over the limit and `emit_oversize` is not
            set.
    """

    def __init__(
        self, breaks: Breaks, counter: Counter, limit: int, *, emit_oversize: bool = False
    ) -> None:
        text = breaks.text
        self._breaks = breaks
        self._text = text
        self._limit = limit
        self._emit_oversize = emit_oversize
        self._counter = counter
        self._is_plain = breaks.only_lf and text.isascii()
        self._levels = _levels(breaks)
        self._no_word_end_before = 0
        self._next_non_blank = self._blank_tried = 0
        self._floor = 0  # the last cut between graphemes; from there they are counted
        self._cluster_end = 0  # of the last cluster that did not fit
        self._content_end = len(text)
        self._per_token = _CHARACTERS_PER_TOKEN  # learnt as the text goes by

    def __iter__(self) -> Iterator[Cut]:
        """Yield the cuts in order; the last one is at the end of the text."""
        text = self._text
        if is_blank(text):
            return
        self._content_end = self._end_of_content()
        pending = Pending(self._breaks, self._counter, self._limit)
        at = tokens = 0
        while at < len(text):
            cut = self._cut(at)
            tokens += cut.tokens
            if tokens:
                self._per_token = cut.end / tokens
            pending.add(cut)
            if pending.end != cut.end:
                self._floor = pending.end
            at = pending.end
            yield from pending.settled()
        yield from pending.settled(keep=0)

    def _end_of_content(self) -> int:
        """Where only blank text is left, if it fits a chunk together with some content."""
        length = len(self._text)
        end = len(self._text.rstrip())
        blank = length - end
        if blank > 1 and (blank > _LONGEST_STEP or self._counter.count(end, length) >= self._limit):
            return length
        return end

    # --- one chunk -------------------------------------------------------------------------------

    def _cut(self, start: int) -> Cut:
        """The chunk that starts at `start`, by the first way that fits: clean, then ever less so."""
        low = self._non_blank(start) if self._text[start].isspace() else start
        guess = self._first_guess(start)
        if guess < self._cluster_end:
            # Looked up once for a long cluster: from the floor for each chunk would be quadratic.
            return self._code_points(start, guess, self._cluster_end)
        cut = None
        if low <= guess or low > self._blank_tried:
            # Once for a long run of blanks: counting it again for each chunk would be quadratic.
            self._blank_tried = low
            cut = (
                self._fill(start, low, guess, self._clean_break)
                or self._whole_word(start, low, guess)
                or (self._whole_graphemes(start, low, guess) if low <= guess else None)
            )
        if not cut and low > start:
            cut = self._whole_graphemes(start, start, min(low, guess))
        if cut:
            self._floor = cut.end
            return cut
        length = len(self._text)
        self._cluster_end = boundary_at_or_after(self._text, start + 1, length, self._floor)
        return self._code_points(start, guess, length)

    def _code_points(self, start: int, guess: int, ceiling: int) -> Cut:
        def find(_start: int, low: int, high: int, _worst: int) -> tuple[int, int]:
            high = min(high, ceiling)
            return (high if high > low else -1), _INSIDE_WORD

        return self._fill(start, start, guess, find) or self._code_point(start)

    def _whole_graphemes(self, start: int, low: int, guess: int) -> Cut | None:
        if cut := self._fill(start, low, guess, self._grapheme):
            return cut
        end = boundary_at_or_after(self._text, low + 1, len(self._text), self._floor)
        tokens = self._counter.count(start, end)
        return Cut(end, tokens, "grapheme") if tokens <= self._limit else None

    def _non_blank(self, start: int) -> int:
        """Where the blank text at `start` ends: a cut before that would leave a blank chunk."""
        if start >= self._next_non_blank:
            found = _not_blank(self._text, start)
            self._next_non_blank = found.start() if found else start
        return max(start, self._next_non_blank)

    def _first_guess(self, start: int) -> int:
        if start == 0 and self._may_fit_whole():
            return len(self._text)
        return start + max(1, int(self._limit * self._per_token))

    def _may_fit_whole(self) -> bool:
        """Short texts, and those of few words, however long those are: BERT takes some for one."""
        length = len(self._text)
        if length > _SHORT * 16:
            return False
        return length <= _SHORT or len(self._text.split(None, self._limit)) <= self._limit

    def _fill(self, start: int, low: int, guess: int, find: "_Find") -> Cut | None:
        """The chunk up to the best break near the guess that fits, or ``None``."""
        text, limit, count = self._text, self._limit, self._counter.count
        best = tokens_of_best = -1
        level = _WORD
        ceiling = len(text)
        misses = calls = 0
        searched_from = searched_to = low
        while calls < _MOST_CALLS or best == -1:
            high = min(guess, ceiling, low + _LONGEST_STEP)
            if high >= self._content_end and ceiling == len(text):
                end, absorbed, found_level = len(text), len(text), _PARAGRAPH
                ceiling_if_over = self._content_end - 1
            else:
                end, found_level = find(start, low, high, level)
                searched_to = max(searched_to, high)
                if end == -1:
                    break
                absorbed = self._absorb(end, ceiling) if found_level <= _WORD else end
                ceiling_if_over = end if absorbed > end else end - 1
            tokens = count(start, absorbed)
            calls += 1
            if tokens <= limit:
                best, tokens_of_best, low, level = absorbed, tokens, absorbed, found_level
                if absorbed == len(text):
                    break
                length = absorbed - start
                guess = start + (length * (limit + 1) // tokens if tokens else 4 * length)
                if guess - absorbed < length // _ROOM_SHARE:
                    break
            else:
                misses += 1
                ceiling = ceiling_if_over
                length = (absorbed - start) * limit // tokens
                guess = max(low + 1, start + (length if misses < 3 else length >> (misses - 2)))
        if trace := self._breaks.trace:
            levels = self._breaks.searched(start, self._levels)
            trace.searched(start, searched_from, min(searched_to, ceiling), levels)
        if best == -1:
            return None
        return Cut(best, tokens_of_best, TOKENS[level] if level <= _WORD else "grapheme")

    def _absorb(self, end: int, ceiling: int) -> int:
        """Blank lines after a break belong to the chunk on its left."""
        if end >= self._content_end or not self._text[end].isspace():
            return end
        found = _blank_lines(self._text, end, min(end + _ABSORBED, ceiling))
        absorbed = found.end() if found else end
        if absorbed == end or is_boundary(self._text, absorbed, end):
            return absorbed
        return absorbed - 1  # the ceiling lies between CR and LF

    # --- where to cut ----------------------------------------------------------------------------

    def _clean_break(self, start: int, low: int, high: int, worst: int) -> tuple[int, int]:
        """The best break in (`low`, `high`] of a level not worse than `worst`, or -1."""
        text, is_plain = self._text, self._is_plain
        if low >= high:
            return -1, worst
        for level, (_, find_last) in enumerate(self._levels[: worst + 1]):
            cut = find_last(text, low, high)
            while cut != -1 and not (is_plain or self._is_whole(cut)):
                cut = find_last(text, low, cut - 1)
            if cut != -1:
                if level == _PARAGRAPH and self._leaves_too_little(start, cut):
                    sentence, found = self._clean_break(start, cut, high, _SENTENCE)
                    if sentence != -1:
                        return sentence, found
                return cut, level
        return -1, worst

    def _is_whole(self, cut: int) -> bool:
        return self._text[cut - 1] == "\n" or is_boundary(self._text, cut, self._floor)

    def _leaves_too_little(self, start: int, paragraph_end: int) -> bool:
        """Less than half a chunk, before a paragraph too long for a chunk of its own."""
        full = int(self._limit * self._per_token)
        if paragraph_end - start >= full // 2:
            return False
        return not _next_paragraph(self._text, paragraph_end, paragraph_end + full)

    def _whole_word(self, start: int, low: int, guess: int) -> Cut | None:
        """Before a word is cut, it is tried whole, once, and unless it is very long."""
        text = self._text
        begin = max(low + 1, self._no_word_end_before)
        longest = min(low + max(_LONGEST_WORD, 4 * (guess - start)), len(text))
        if begin >= longest:
            return None
        found = _next_word_end(text, begin, longest)
        end = found.start() if found else longest
        self._no_word_end_before = end + 1
        if not (found or end == len(text)) or not is_boundary(text, end, self._floor):
            return None
        end = len(text) if end >= self._content_end else self._absorb(end, len(text))
        tokens = self._counter.count(start, end)
        return Cut(end, tokens, "word") if tokens <= self._limit else None

    def _grapheme(self, _start: int, low: int, high: int, _worst: int) -> tuple[int, int]:
        if low >= high:
            return -1, _INSIDE_WORD
        cut = boundary_at_or_before(self._text, high, self._floor)
        is_whole = cut > low and is_boundary(self._text, cut, self._floor)
        return (cut if is_whole else -1), _INSIDE_WORD

    def _code_point(self, start: int) -> Cut:
        tokens = self._counter.count(start, start + 1)
        if tokens > self._limit and not self._emit_oversize:
            raise IndivisibleTextError(
                f"The character at offset {start} alone has {tokens} tokens, over the limit of "
                f'{self._limit}; raise max_tokens, or choose oversize="emit".',
                offset=start,
                tokens=tokens,
                limit=self._limit,
            )
        return Cut(start + 1, tokens, "grapheme", oversize=tokens > self._limit)


# (start, low, high, worst level) to the best break in (low, high] and its level; or -1.
_Find = Callable[[int, int, int, int], tuple[int, int]]


def _levels(breaks: Breaks) -> tuple[Level, ...]:
    """The levels, some of them found in a way of this packer's own."""
    own: dict[str, Finder] = {
        # Before the space: there counts add up, and byte-pair words start with their space.
        "word": last_word_end
    }
    if breaks.only_lf and not has_spaced_blank_line(breaks.text):
        own["paragraph"] = last_double_lf  # windows are as long as chunks
    found = breaks.levels(TOKENS)
    return tuple(Level(name, own.get(name, find_last)) for name, find_last in found)
