"""Exact token counts from the start of a chunk, counting as little text anew as can be proved right.

Tokens do not simply add up: a tokenizer may join what stands on both sides of a cut. But for a
measure that can say where they do (its ``adds_up``), a stretch counted once need not be counted
again: the count of a longer text is the sum, that of a shorter one the difference. Every other
count is made from the start of the chunk, so that what is given is always the measure's own count
of that very text.
"""

from cleanbreak.core.measures.measure import Measure, where_counts_add_up


class Tally:
    """Counts the texts that start at ``start``; `move_to` goes on to the next chunk."""

    __slots__ = ("_adds_up", "_known", "_measure", "_text", "start")

    def __init__(self, text: str, measure: Measure) -> None:
        self.start = 0
        self._text = text
        self._measure = measure
        self._adds_up = where_counts_add_up(measure)
        self._known: dict[int, int] = {}
        """Tokens of ``text[start:end]`` by end."""

    def tokens(self, end: int) -> int:
        """The measure's count of ``text[start:end]``."""
        known = self._known
        if not known:
            tokens = known[end] = self._measure(self._text[self.start : end])
            return tokens
        if end in known:
            return known[end]
        base, least = self.start, end - self.start
        for mark in known:
            if abs(end - mark) < least and self._adds_up(self._text, min(mark, end)):
                base, least = mark, abs(end - mark)
        if base == self.start:
            tokens = self._measure(self._text[base:end])
        elif base < end:
            tokens = known[base] + self._measure(self._text[base:end])
        else:
            tokens = known[base] - self._measure(self._text[end:base])
        known[end] = tokens
        return tokens

    def move_to(self, end: int) -> None:
        """Start at `end`, which was counted; what is known of the text after it is kept."""
        before = self._known.pop(end)
        self.start = end
        if not self._known:
            return
        beyond = {mark: tokens for mark, tokens in self._known.items() if mark > end}
        if beyond and self._adds_up(self._text, end):
            self._known = {mark: tokens - before for mark, tokens in beyond.items()}
        else:
            self._known = {}
