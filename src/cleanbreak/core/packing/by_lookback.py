"""Packing by look-back: chunks up to a size, cut at the cleanest break before the limit."""

from cleanbreak.core.checks import whole_number
from cleanbreak.core.chunk import BreakLevel
from cleanbreak.core.packing.levels import (
    BOUNDARY,
    BOUNDARY_WRAPPED,
    MARK_WITHIN,
    WHITE,
    Breaks,
    Level,
)
from cleanbreak.core.packing.trace import Trace
from cleanbreak.core.sentences.backwards import LOOKS_AHEAD
from cleanbreak.core.text.graphemes import (
    boundary_at_or_after,
    boundary_at_or_before,
    is_boundary,
)


class BreakFinder:
    """Finds where to cut one text. What is true of the whole text is looked at once, here.

    `far` says whether a sentence end in half the chunk goes before a word end within the look-back.
    `separators` take the place of all levels but words. ``cluster`` is the last cut inside a cluster
    too long for a chunk, and an earlier boundary to count from.
    """

    __slots__ = (
        "_breaks",
        "_cluster_end",
        "_has_lf_lines",
        "_is_far",
        "_is_plain",
        "_last_paragraph",
        "_levels",
        "_text",
        "cluster",
    )

    def __init__(
        self, breaks: Breaks, *, far: bool = False, separators: tuple[str, ...] = ()
    ) -> None:
        text, only_lf = breaks.text, breaks.only_lf
        self._breaks = breaks
        self._text = text
        self._is_far = far
        # Then one look finds both paragraphs and lines, as no line ends otherwise.
        self._has_lf_lines = only_lf and breaks.lines
        self._last_paragraph = breaks.finders["paragraph"]
        self._levels = breaks.levels(BOUNDARY if breaks.lines else BOUNDARY_WRAPPED)
        if self._has_lf_lines:
            self._levels = self._levels[2:]
        if separators:
            self._has_lf_lines = False
            words = Level("word", breaks.finders["word"])
            self._levels = (*map(_separator_level, separators), words)
        # Without CR, every place between two ASCII characters is a grapheme boundary.
        self._is_plain = only_lf and text.isascii()
        self.cluster = -1, 0
        self._cluster_end = 0

    def split_point(self, start: int, chunk_size: int, max_lookback: int) -> tuple[int, BreakLevel]:
        """Where the chunk that starts at `start` should end, and the level of the break there."""
        text, is_plain = self._text, self._is_plain
        high = start + chunk_size
        if high >= len(text):
            return len(text), "end"
        low = max(start, high - max_lookback)
        if self._breaks.trace:
            self._note(self._breaks.trace, start, low, high)
        if low < high:
            if self._has_lf_lines and (line := text.rfind("\n", low, high) + 1):
                paragraph = self._last_paragraph(text, low, line)
                return (line, "line") if paragraph == -1 else (paragraph, "paragraph")
            for name, find_last in self._levels:
                if (
                    name == "clause"
                    and self._is_far
                    and (far := self._far_sentence(start, low, high))
                ):
                    return far, "sentence"
                cut = find_last(text, low, high)
                while cut != -1 and not (is_plain or is_boundary(text, cut, start)):
                    cut = find_last(text, low, cut - 1)
                if cut != -1:
                    return cut, name
        cut = high if is_plain else self._last_boundary(start, high)
        if text[cut - 1].isalnum() or cut - low >= MARK_WITHIN:
            # No level ends there, or every one was looked for and not found.
            return cut, "word" if text[cut] in WHITE else "grapheme"
        return cut, self.level_at(start, cut)

    def _note(self, trace: Trace, start: int, low: int, high: int) -> None:
        levels = self._levels
        if self._has_lf_lines:  # one look stands for both in `split_point`
            levels = (*self._breaks.levels(("paragraph", "line")), *levels)
        if self._is_far:
            low = min(low, start + (high - start) // 2)
        trace.searched(start, low, high, self._breaks.searched(start, levels))

    def _far_sentence(self, start: int, low: int, high: int) -> int:
        """The last sentence end before the look-back, within half the chunk; 0 if there is none."""
        text, find_last = self._text, self._breaks.finders["sentence"]
        floor = start + (high - start) // 2
        cut = find_last(text, floor, low) if floor < low else -1
        while cut != -1 and not is_boundary(text, cut, start):
            cut = find_last(text, floor, cut - 1)
        return max(cut, 0)

    def _last_boundary(self, start: int, high: int) -> int:
        """The last boundary after `start` up to `high`, or `high` inside a cluster that is longer."""
        inside, floor = self.cluster
        if start != inside:
            floor = start
        elif high < self._cluster_end:  # known: to look from its start each time would be quadratic
            self.cluster = high, floor
            return high
        cut = boundary_at_or_before(self._text, high, floor)
        if cut > start and is_boundary(self._text, cut, floor):
            return cut
        self.cluster = high, floor
        self._cluster_end = boundary_at_or_after(self._text, high, len(self._text), floor)
        return high

    def level_at(self, start: int, end: int) -> BreakLevel:
        """The level of the break at the end of a chunk that was not cut by looking for breaks."""
        return self._breaks.level_at(start, end, "grapheme")


def _separator_level(separator: str) -> Level:
    """The level of a caller's own separator; its last place in a window, which stays on the left."""

    def find_last(text: str, low: int, high: int) -> int:
        found = text.rfind(separator, low, high)
        return found + len(separator) if found != -1 else -1

    return Level("block", find_last)


def find_split_point(text: str, chunk_size: int, max_lookback: int) -> int:
    """The length of the chunk that should be cut from the beginning of `text`.

    Looks back from `chunk_size`, at most `max_lookback` characters, for the cleanest break:
    paragraph, line, sentence, word; within a level the last one. The separator stays on the left.
    Without a break, or with a look-back of 0, the cut is at the limit itself, or at the last whole
    grapheme before it. Text that fits is one chunk. Costs as much as a chunk, however long the text.

    Raises:
        SettingsError: for a size that is not a whole number in its range.

    >>> find_split_point("One. Two. Three", chunk_size=12, max_lookback=8)
    9
    """
    whole_number("chunk_size", chunk_size, minimum=1)
    whole_number("max_lookback", max_lookback, minimum=0)
    # What lies further ahead changes no cut.
    head = text[: chunk_size + LOOKS_AHEAD]
    return BreakFinder(Breaks(head)).split_point(0, chunk_size, max_lookback)[0]
