"""Grouping: whole sentences into chunks, and what becomes of a sentence that is too long."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from cleanbreak.core.chunk import BreakLevel
from cleanbreak.core.document import Span
from cleanbreak.core.measures.measure import Measure
from cleanbreak.core.packing.assemble import Piece
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import SENTENCES, SENTENCES_WRAPPED, Breaks
from cleanbreak.core.packing.limit import furthest, furthest_end
from cleanbreak.core.packing.trace import SearchedLevel, Trace, by_offsets
from cleanbreak.core.sentences.clauses import clause_ends
from cleanbreak.core.text.boundaries import (
    BreakBuffer,
    content_end,
    grapheme_ends,
    line_ends,
    non_blank_ends,
    word_ends,
    word_starts,
)
from cleanbreak.errors import IndivisibleTextError

# Blank text shorter than this is worth trying to place before asking whether it fits at all.
_NEAR = 1000


class Limits(NamedTuple):
    """What a chunk may hold together with its overlap; ``None`` where that is not limited."""

    sentences: int | None
    tokens: int | None
    overlap_percent: int = 0

    @property
    def overlap_tokens(self) -> int | None:
        """The size asked for overlap."""
        return None if self.tokens is None else self.tokens * self.overlap_percent // 100


class Grouper:
    """Groups the sentences of one text; `SentenceSplitter` says by which rules.

    Args:
        text: not blank.
        sentence_ends: where its sentences end, ascending; the last is the end of the text.
        measure: counts tokens.
        limits: at least one of the two is given.
        lines: whether a line end is a better place to cut a sentence than a clause end, as it is
            unless a program put it there.
        emit_oversize: whether a grapheme over the limit becomes an oversize chunk or raises an error.

    Holds what it needs of the chunk before and of the one being made, never the whole text's.
    """

    def __init__(
        self,
        text: str,
        sentence_ends: Iterator[int],
        measure: Measure,
        limits: Limits,
        *,
        lines: bool,
        emit_oversize: bool,
        trace: Trace | None = None,
    ) -> None:
        self._text = text
        self._counter = Counter(text, measure)
        self._limits = limits
        self._emit_oversize = emit_oversize
        self._sentences = BreakBuffer(lambda _: sentence_ends)
        self._clauses = BreakBuffer(lambda at: clause_ends(text, at, self._sentence_end(at)))
        self._graphemes = BreakBuffer(lambda at: grapheme_ends(text, at))
        self._buffers: dict[BreakLevel, BreakBuffer] = {
            "sentence": self._sentences,
            "line": BreakBuffer(lambda at: line_ends(text, at)),
            "clause": self._clauses,
            "word": BreakBuffer(lambda at: word_ends(text, at)),
            "grapheme": self._graphemes,
        }
        self._order = SENTENCES if lines else SENTENCES_WRAPPED
        self._breaks = Breaks(text, lines=lines, trace=trace)
        self._non_blank = BreakBuffer(lambda at: non_blank_ends(text, at))
        self._content_end = content_end(text)
        self._start = 0
        self._inside = False  # whether the chunk starts inside a sentence
        self._parts_before: list[int] = []  # where the parts of sentences before it end
        self._clauses_before: list[int] = []  # where the overlap may start, the nearest first

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces in order.

        Raises:
            IndivisibleTextError: at a character that alone is over the limit of tokens.
        """
        while self._start < len(self._text):
            piece = self._next_piece()
            yield piece
            self._move_to(piece.end)

    # --- where the next chunk ends ----------------------------------------------------------------

    def _next_piece(self) -> Piece:
        """With the overlap asked for or else without; blank only if it must be."""
        start, tokens = self._start, self._limits.tokens
        asked = self._overlap_start(self._limits.overlap_tokens)
        for window in self._windows():
            for overlap_start in (asked, start) if asked < start else (start,):
                given, end, level = self._cut(overlap_start, window)
                if end > start:
                    count = self._counter.count(start, end)
                    # By an odd measure the chunk alone may count for more than with its overlap.
                    if tokens is None or count <= tokens:
                        if self._breaks.trace:
                            self._note(self._breaks.trace, given, window, level)
                        return self._piece(end, given, count, level)
        return self._part_of_grapheme()

    def _windows(self) -> Iterator[Span]:
        """Where the chunk may end: if possible so that neither it nor what is left is blank."""
        start, length = self._start, len(self._text)
        if start < self._content_end:
            content = self._non_blank.after(start, start)[0]
            if content - start < _NEAR or self._counter.fits(start, content, self._limits.tokens):
                yield Span(content, self._content_end)
        yield Span(start + 1, length)

    def _cut(self, overlap_start: int, window: Span) -> tuple[int, int, BreakLevel]:
        """Where the overlap starts and the chunk ends, at the cleanest level at which any does."""
        for level in self._order:
            given, end = self._fill(self._buffers[level], overlap_start, window)
            if end > self._start:
                if level == "sentence" and (paragraph := self._late_paragraph(end)):
                    return given, paragraph, "paragraph"
                with_clauses = self._with_clauses(given, end) if level == "sentence" else end
                return given, with_clauses, "clause" if with_clauses > end else level
        return self._start, self._start, "grapheme"

    def _fill(self, buffer: BreakBuffer, overlap_start: int, window: Span) -> tuple[int, int]:
        """As many units as fit. Before giving up on the first, it is tried with less overlap."""
        start = self._start
        end = self._furthest(buffer, overlap_start, window)
        if end > start or overlap_start == start:
            return overlap_start, end
        first = self._ends(buffer, overlap_start, window, start)[:1]
        overlap_start = self._make_room(overlap_start, *first) if first else start
        if overlap_start == start:
            return start, start
        return overlap_start, max(self._furthest(buffer, overlap_start, window), *first)

    def _furthest(self, buffer: BreakBuffer, overlap_start: int, window: Span) -> int:
        """The last end of a unit that fits; not after the start if none does."""
        tokens = self._limits.tokens
        if tokens is None:
            return self._ends(buffer, overlap_start, window, len(self._text))[-1]

        def distances(reach: int) -> list[int]:
            ends = self._ends(buffer, overlap_start, window, overlap_start + reach)
            return [end - overlap_start for end in ends]

        return overlap_start + furthest(self._counter, overlap_start, distances, tokens)

    def _ends(self, buffer: BreakBuffer, overlap_start: int, window: Span, reach: int) -> list[int]:
        """Where the chunk may end: after whole sentences, or inside the first one."""
        start, length = self._start, len(self._text)
        if buffer is self._sentences:
            ends = buffer.after(
                start, max(reach, window.start), self._sentences_left(overlap_start)
            )
        else:
            ends = buffer.after(start, max(reach, window.start))
            # A blank rest of the sentence before is no sentence to stay inside of.
            sentence_end = self._sentence_end(max(start, window.start - 1))
            ends = [end for end in ends if end < sentence_end]
        if ends and window.start <= ends[0] and ends[-1] < window.end:  # as nearly always
            return ends
        return [end for end in ends if window.start <= end < window.end or end == length]

    def _sentence_end(self, offset: int) -> int:
        return self._sentences.after(offset, offset)[0]

    def _sentences_left(self, overlap_start: int) -> int | None:
        """How many sentences the chunk may touch; those that the overlap touches count as well."""
        if self._limits.sentences is None:
            return None
        touched = 0
        if overlap_start < self._start:
            ends = self._parts_before
            touched = len(ends) - bisect_right(ends, overlap_start) - self._inside
        return self._limits.sentences - touched

    def _late_paragraph(self, end: int) -> int:
        """The last paragraph end in the last third of a chunk that the tokens end; 0 if there is none.

        It is a better place than the last sentence end, and leaves the chunk full enough.
        """
        start, text = self._start, self._text
        if self._limits.tokens is None or end == len(text):
            return 0
        ends = self._sentences.after(start, end - 1)
        if self._limits.sentences is not None and len(ends) >= self._limits.sentences:
            return 0
        earliest = start + (end - start) * 2 // 3
        for before, at in zip([start, *ends][-2::-1], reversed(ends), strict=False):
            if at < earliest:
                break
            if self._breaks.level_at(before, at, "sentence") == "paragraph":
                return at
        return 0

    def _with_clauses(self, overlap_start: int, end: int) -> int:
        """With both limits, the clauses of the next sentence that still fit belong to the chunk."""
        left, tokens = self._sentences_left(overlap_start), self._limits.tokens
        if left is None or tokens is None or end == len(self._text):
            return end
        if len(self._sentences.after(self._start, end - 1)) >= left:
            return end
        next_end = self._sentence_end(end)

        def distances(reach: int) -> list[int]:
            clauses = self._clauses.after(end, overlap_start + reach)
            return [at - overlap_start for at in (end, *clauses) if at < next_end]

        return overlap_start + furthest(self._counter, overlap_start, distances, tokens)

    def _note(self, trace: Trace, overlap_start: int, window: Span, found: BreakLevel) -> None:
        """Note the levels up to the one that was taken; those below were not asked for."""
        start, tokens = self._start, self._limits.tokens
        left = self._sentences_left(overlap_start)
        high = self._sentences.after(start, len(self._text), left)[-1] if left else len(self._text)
        if tokens is not None:
            high = min(high, furthest_end(self._counter, overlap_start, len(self._text), tokens))
        ends = [at for at in self._sentences.after(start, high, left) if at <= high]
        at_paragraphs = [
            at
            for before, at in pairwise([start, *ends])
            if self._breaks.level_at(before, at, "sentence") == "paragraph"
        ]
        places: list[tuple[BreakLevel, list[int]]] = [
            ("paragraph", at_paragraphs),
            ("sentence", ends),
        ]
        if not ends or found == "clause":
            finer = self._order[1 : self._order.index(found) + 1]
            places += [(name, self._buffers[name].after(start, high)) for name in finer]
        levels = [SearchedLevel(name, by_offsets(offsets)) for name, offsets in places]
        trace.searched(start, window.start - 1, high, levels)

    def _part_of_grapheme(self) -> Piece:
        """Code points of a grapheme that alone is over the limit; even one may be over it."""
        start = self._start
        tokens = self._limits.tokens or 0  # never none here: without that limit a sentence fits
        grapheme_end = self._graphemes.after(start, start)[0]
        length = furthest(self._counter, start, lambda _: range(1, grapheme_end - start), tokens)
        if length:
            end = start + length
            return self._piece(end, start, self._counter.count(start, end), "grapheme")
        if self._emit_oversize:
            count = self._counter.count(start, grapheme_end)
            return self._piece(grapheme_end, start, count, "grapheme", oversize=True)
        raise IndivisibleTextError(
            f"The character at offset {start} alone is over max_tokens={tokens}; raise that, or "
            'pass oversize="emit" to let it through.',
            offset=start,
            limit=tokens,
        )

    def _piece(
        self, end: int, overlap_start: int, count: int, found: BreakLevel, *, oversize: bool = False
    ) -> Piece:
        level = self._breaks.level_at(self._start, end, found)
        return Piece(end, overlap_start, count, oversize, level)

    # --- where its overlap starts -----------------------------------------------------------------

    def _overlap_start(self, size: int | None) -> int:
        """Where the longest overlap of at most `size` starts: clauses, or words, or characters."""
        start = self._start
        if not self._clauses_before:
            return start
        if size is None:
            return self._clauses_before[-1]
        for starts in (self._clause_starts, self._word_starts, self._grapheme_starts):
            if size > 0 and (found := self._longest_overlap(starts(), size)) < start:
                return found
        return start

    def _longest_overlap(self, starts: list[int], size: int) -> int:
        """The furthest of `starts` from which the text is at most `size`; the chunk's own if none."""
        lengths = [self._start - at for at in starts]
        return self._start - furthest(self._counter, self._start, lambda _: lengths, size, -1)

    def _clause_starts(self) -> list[int]:
        return self._clauses_before

    def _word_starts(self) -> list[int]:
        """Of the words in the nearest clause, the last one first."""
        return word_starts(self._text, *self._nearest_clause())[::-1]

    def _grapheme_starts(self) -> list[int]:
        nearest, content = self._nearest_clause()
        return [at for at in grapheme_ends(self._text, nearest, content) if at < content][::-1]

    def _nearest_clause(self) -> Span:
        """Without the blanks at its end: overlap that is nothing else would be none."""
        nearest = self._clauses_before[0]
        return Span(nearest, nearest + len(self._text[nearest : self._start].rstrip()))

    def _make_room(self, overlap_start: int, end: int) -> int:
        """Where the longest overlap starts that leaves room for the text up to `end`."""
        start, tokens, asked = self._start, self._limits.tokens, self._limits.overlap_tokens
        if tokens is None or asked is None or not self._counter.fits(start, end, tokens):
            return start
        room = tokens - self._counter.count(start, end)
        while overlap_start < start:
            overlap_start = self._overlap_start(min(room, asked))
            excess = self._counter.count(overlap_start, end) - tokens
            if excess <= 0:
                break
            room -= excess
        return overlap_start

    # --- the next chunk -----------------------------------------------------------------------------

    def _move_to(self, end: int) -> None:
        """Advance to the chunk that starts at `end`."""
        start = self._start
        parts = self._sentences.after(start, end - 1)
        self._inside = parts[-1] != end
        if self._limits.overlap_percent:
            parts[-1] = end
            self._parts_before = parts
            self._clauses_before = self._clauses_to_repeat(start, parts)
        self._start = end
        self._counter.forget(start)
        for buffer in (*self._buffers.values(), self._non_blank):
            buffer.forget(end)

    def _clauses_to_repeat(self, start: int, parts: list[int]) -> list[int]:
        """Where those clauses of the chunk start that the next one may repeat, the last one first.

        `parts` are the ends of its sentences, or of the parts of them that it has.
        """
        end = parts[-1]
        starts = sorted({start, *parts, *clause_ends(self._text, start, end)})[:-1]
        asked = -(-len(starts) * self._limits.overlap_percent // 100)  # rounded up
        earliest = start
        if self._limits.sentences is not None:
            spare = self._limits.sentences - 1 + self._inside
            earliest = [start, *parts][max(0, len(parts) - spare)]
        content = start + len(self._text[start:end].rstrip())
        return [at for at in starts[: -asked - 1 : -1] if earliest <= at < content]
