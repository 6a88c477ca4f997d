"""The levels of breaks, and the one place where the orders of the splitters differ.

A splitter looks for the first level of its order, then for the next one, until a break is found
that fits. Below every order lies the whole character (``grapheme``), where only the limit decides.
"""

from collections.abc import Iterable
from typing import NamedTuple

from cleanbreak.core.chunk import BreakLevel
from cleanbreak.core.packing.trace import SearchedLevel, Trace, by_finder
from cleanbreak.core.sentences.backwards import SentenceFinder
from cleanbreak.core.text.breaks import (
    FINDERS,
    Finder,
    finders_for,
    newlines_in,
    no_break,
)
from cleanbreak.core.text.characters import NEWLINES, NO_BREAK_SPACES, SPACES, ZERO_WIDTH_SPACE

Order = tuple[BreakLevel, ...]

# ``clause`` is found for searched levels only in scripts without spaces (`last_clause`): there a word
# end is where a sentence or clause ends, and what follows is the cut anywhere.

# The specification's order. Somebody put the line end there, so it says more than a full stop.
BOUNDARY: Order = ("paragraph", "line", "sentence", "clause", "word")
# The line ends of hard-wrapped text were put there by a program: they are spaces, found as words.
BOUNDARY_WRAPPED: Order = ("paragraph", "sentence", "clause", "word")

# A chunk is as full as a whole number of sentences allows. A line end inside a sentence is the
# worse place.
TOKENS: Order = ("paragraph", "sentence", "line", "clause", "word")

# Blocks come first, from the parser, and no block of prose holds a blank line. Line ends inside a
# paragraph of Markdown are spaces to a reader.
MARKDOWN: Order = ("sentence", "line", "clause", "word")

# Nodes and lines come first, from the parser. What is left is a line that is too long: a comment, a
# string, or code that a program wrote.
CODE: Order = ("sentence", "clause", "word")

# An overlap is read as prose, on its own, so a sentence is the best place to start it. It is no
# longer than what a paragraph break would be worth.
OVERLAP: Order = ("sentence", "line", "clause")
# The boundary splitter takes the first word in reach: to look for a sentence as well would cost as
# much as to look for the cut.
OVERLAP_BY_WORDS: Order = ()
OVERLAP_BY_LINES: Order = ("line",)

# Whole sentences are what the splitter is for; only one that is too long is cut, after a line that
# somebody ended, or else after a clause.
SENTENCES: Order = ("sentence", "line", "clause", "word", "grapheme")
SENTENCES_WRAPPED: Order = ("sentence", "clause", "word", "grapheme")

# White space that a line may be broken at; a cut next to it is one between words.
WHITE = frozenset(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_BLANK = WHITE | frozenset(NO_BREAK_SPACES)
_BLANK_CHARACTERS = "".join(sorted(_BLANK))
_last_paragraph = FINDERS["paragraph"]
# Characters before a cut in which the mark of a sentence and what closes it lie.
MARK_WITHIN = 16


class Level(NamedTuple):
    """A level of breaks and how to find the last one in a window."""

    name: BreakLevel
    find_last: Finder


class Breaks:
    """The breaks of one text: for each level, how to find the last one in a window.

    What is true of the whole text is looked at once, here, for packer and overlap together.
    Sentences end where `cleanbreak.sentences` ends them. `lines` says whether a line end is a break;
    in hard-wrapped text it is a space. A packer notes in `trace`, if there is one, where it looks.
    """

    __slots__ = ("finders", "lines", "only_lf", "text", "trace")

    def __init__(
        self,
        text: str,
        *,
        lines: bool = True,
        language: str = "auto",
        trace: Trace | None = None,
    ) -> None:
        self.text = text
        self.trace = trace
        self.lines = lines
        newlines = newlines_in(text)
        self.only_lf = newlines in {"", "\n"}
        self.finders = finders_for(text, newlines)
        sentences = SentenceFinder(text, newlines, language)
        self.finders["sentence"] = sentences.find_last
        if not lines:
            self.finders["line"] = no_break

    def levels(self, order: Order) -> tuple[Level, ...]:
        """The levels of an order, each with its finder."""
        return tuple(Level(name, self.finders[name]) for name in order)

    def searched(self, start: int, levels: Iterable[Level]) -> list[SearchedLevel]:
        """The levels as a trace notes them, for the chunk that starts at `start`."""
        return [SearchedLevel(name, by_finder(self.text, start, find)) for name, find in levels]

    def level_at(self, start: int, end: int, found: BreakLevel) -> BreakLevel:
        """The level of the break at which the chunk ``text[start:end]`` ends.

        `found` is the level that was looked for. Where blanks were taken along, or where a limit
        happens to fall on a cleaner break, the text shows a cleaner level.
        """
        text = self.text
        last = text[end - 1]
        if last in _BLANK:
            if _is_behind_blank_line(text, start, end):
                return "paragraph"
            if found in {"word", "grapheme"}:
                if last in NEWLINES and self.lines:
                    return "line"
                found = "word" if last in WHITE else found
        if found != "grapheme":
            return found
        if not last.isalnum():
            find_last = self.finders["sentence"]
            if find_last(text, max(start, end - MARK_WITHIN), end) == end:
                return "sentence"
        return "word" if text[end : end + 1] in WHITE else "grapheme"


def _is_behind_blank_line(text: str, start: int, end: int) -> bool:
    """Whether the blanks at the end of ``text[start:end]`` hold a blank line."""
    if end - start < 2 or text[end - 2] not in _BLANK:
        return False
    content = start + len(text[start:end].rstrip(_BLANK_CHARACTERS))
    return _last_paragraph(text, content, end) != -1
