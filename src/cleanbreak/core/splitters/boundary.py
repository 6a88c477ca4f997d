"""The default splitter: chunks of at most so many characters, cut at the cleanest break near."""

import logging
from collections.abc import Callable, Iterator
from operator import index
from types import MappingProxyType

from cleanbreak.core.checks import one_of, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, as_document
from cleanbreak.core.packing.assemble import PieceFields, assemble
from cleanbreak.core.recipe import Recipe, Setting
from cleanbreak.core.splitters.split_point import BreakFinder
from cleanbreak.core.text.wrapping import is_hard_wrapped
from cleanbreak.errors import CleanbreakError, SplitError

_log = logging.getLogger("cleanbreak")

ChooseBoundary = Callable[[str, int, int], int]
"""(remaining text, chunk size, max look-back) to the length of the next chunk."""


class BoundarySplitter:
    """Cuts at most `chunk_size` characters at a time, at the cleanest break near the limit.

    Args:
        chunk_size: the limit, in code points.
        max_lookback: how far before the limit a break may lie; 0 cuts at the limit.
        overlap_size: how much earlier text each chunk carries apart, in ``overlap_text``; may be
            larger than a chunk.
        find_split_point: another boundary chooser, given the remaining text, the chunk size and
            the look-back, and giving the length of the next chunk. It is not trusted: a split
            point that does not progress or lies outside raises `SplitError`.
        soft_wraps: ``"auto"`` takes a single newline for a space in a document that is hard-wrapped
            (`is_hard_wrapped`), so that its sentences are kept; ``"never"`` takes every newline for
            a line break, which outranks a sentence end.

    Raises:
        SettingsError: for a size that is not a whole number in its range, or a word not allowed.

    >>> splitter = BoundarySplitter(chunk_size=12, max_lookback=8, overlap_size=4)
    >>> [(chunk.overlap_text, chunk.text) for chunk in splitter.split("One. Two. Three. Four.")]
    [('', 'One. Two.'), ('Two.', ' Three.'), ('ree.', ' Four.')]
    """

    NAME = "boundary"
    VERSION = 1

    def __init__(
        self,
        chunk_size: int = 1000,
        max_lookback: int = 200,
        overlap_size: int = 100,
        *,
        find_split_point: ChooseBoundary | None = None,
        soft_wraps: str = "never",
    ) -> None:
        self.chunk_size = whole_number("chunk_size", chunk_size, minimum=1)
        self.max_lookback = whole_number("max_lookback", max_lookback, minimum=0)
        self.overlap_size = whole_number("overlap_size", overlap_size, minimum=0)
        self.soft_wraps = one_of("soft_wraps", soft_wraps, ("never", "auto"))
        self._choose = find_split_point

    @property
    def recipe(self) -> Recipe:
        """The splitter as one frozen value."""
        settings: dict[str, Setting] = {
            "chunk_size": self.chunk_size,
            "max_lookback": self.max_lookback,
            "overlap_size": self.overlap_size,
            "soft_wraps": self.soft_wraps,
        }
        # A chooser that is not ours has no name, so such a recipe can split but not be locked.
        measure = "characters" if self._choose is None else None
        return Recipe(self.NAME, self.VERSION, MappingProxyType(settings), measure)

    def split(self, source: str | Document) -> list[Chunk]:
        """All chunks of `source`; none if its text is empty."""
        return list(self.stream(source))

    def stream(self, source: str | Document) -> Iterator[Chunk]:
        """Yield the chunks of `source` while cutting, holding one at a time."""
        document = as_document(source)
        return assemble(document, self._pieces(document.text), self.recipe)

    def _pieces(self, text: str) -> Iterator[PieceFields]:
        finder = BreakFinder(text, lines=self.soft_wraps == "never" or not is_hard_wrapped(text))
        start = overlap_start = 0
        while start < len(text):
            if self._choose is None:
                end = finder.split_point(start, self.chunk_size, self.max_lookback)
            else:
                end = start + self._ask(self._choose, text[start:])
            if start > self.overlap_size:
                # The last overlap's start is whole, and is never after this one's.
                overlap_start = finder.whole_from(start - self.overlap_size, start, overlap_start)
            yield end, overlap_start, None, False, "word"
            start = end

    def _ask(self, choose: ChooseBoundary, remaining: str) -> int:
        """Ask a chooser that is not ours, and turn whatever it raises into one error.

        So too what is no offset: a float would be found out only when the text is sliced.
        """
        try:
            return index(choose(remaining, self.chunk_size, self.max_lookback))
        except CleanbreakError:
            raise
        except Exception as error:  # noqa: BLE001 (it is a stranger's code; it ends as one SplitError)
            kind = type(error).__name__
            _log.error("boundary chooser failed: %s with %d characters left", kind, len(remaining))
            raise SplitError(
                f"The boundary chooser failed with {kind}; nothing was cut there.",
                remaining=len(remaining),
            ) from None
