"""Where one chunk should end: the cleanest break in reach of the limit."""

from cleanbreak.core.checks import whole_number
from cleanbreak.core.sentences.backwards import LOOKS_AHEAD, SentenceFinder
from cleanbreak.core.text.breaks import (
    LF_PARAGRAPH,
    LF_PARAGRAPH_OR_LINE,
    LINE,
    PARAGRAPH,
    WORD,
    Finder,
    newlines_in,
)
from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary


class BreakFinder:
    """Finds where to cut one text. What is true of the whole text is looked at once, here."""

    __slots__ = ("_finders", "_is_plain", "_text")

    def __init__(self, text: str, *, lines: bool = True) -> None:
        self._text = text
        newlines = newlines_in(text)
        only_lf = newlines in ("", "\n")
        finders: list[Finder] = []
        if only_lf and newlines:
            finders.append((LF_PARAGRAPH_OR_LINE if lines else LF_PARAGRAPH).find_last)
        elif newlines:
            finders.append(PARAGRAPH.find_last)
            if lines:
                finders.append(LINE.find_last)
        self._finders = (*finders, SentenceFinder(text, newlines).find_last, WORD.find_last)
        # Without CR, every place between two ASCII characters is a grapheme boundary.
        self._is_plain = only_lf and text.isascii()

    def split_point(self, start: int, chunk_size: int, max_lookback: int) -> int:
        """The offset at which the chunk that starts at `start` should end."""
        text, is_plain = self._text, self._is_plain
        high = start + chunk_size
        if high >= len(text):
            return len(text)
        low = max(start, high - max_lookback)
        if low < high:
            for find_last in self._finders:
                cut = find_last(text, low, high)
                while cut != -1 and not (is_plain or is_boundary(text, cut, start)):
                    cut = find_last(text, low, cut - 1)
                if cut != -1:
                    return cut
        return high if is_plain else boundary_at_or_before(text, high, start)

    def whole_from(self, offset: int, ceiling: int, floor: int) -> int:
        """The first grapheme boundary from `offset` up to `ceiling`.

        `floor` is an earlier offset known to be one.
        """
        if self._is_plain:
            return offset
        return boundary_at_or_after(self._text, offset, ceiling, floor)


def find_split_point(text: str, chunk_size: int, max_lookback: int) -> int:
    """The length of the chunk that should be cut from the beginning of `text`.

    Looks back from `chunk_size`, at most `max_lookback` characters, for the cleanest break:
    paragraph, line, sentence, word; within a level the last one. The separator stays on the left.
    Sentences end where `sentences` ends them, in the language that `text` seems to be in.
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
    return BreakFinder(head).split_point(0, chunk_size, max_lookback)
