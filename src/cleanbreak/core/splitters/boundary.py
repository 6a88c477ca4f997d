"""The default splitter: chunks up to a number of characters, cut at the cleanest break near."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import index
from types import MappingProxyType
from typing import NamedTuple

from cleanbreak.core.checks import function_or_none, one_of, whole_number, yes_or_no
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document
from cleanbreak.core.fingerprint import StreamFingerprint
from cleanbreak.core.measures.measure import CHARACTERS
from cleanbreak.core.packing.assemble import PieceFields, assemble_stream
from cleanbreak.core.packing.by_lookback import BreakFinder
from cleanbreak.core.packing.chapters import by_chapter
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import OVERLAP_BY_WORDS, Breaks
from cleanbreak.core.packing.overlap import OverlapFinder
from cleanbreak.core.packing.trace import Trace
from cleanbreak.core.packing.window import Window
from cleanbreak.core.sentences.backwards import LOOKS_AHEAD, last_content_end
from cleanbreak.core.sentences.languages import detect_language
from cleanbreak.core.splitters.base import FrozenSplitter
from cleanbreak.core.text.breaks import has_clause_marks
from cleanbreak.core.text.wrapping import SAMPLED, is_hard_wrapped, samples
from cleanbreak.errors import CleanbreakError, SettingsError, SplitError

_log = logging.getLogger("cleanbreak")

# Characters read at once from a text that arrives in pieces.
_READ = 1 << 16
# Characters before a chunk, and its overlap, by which cuts are judged: sentences and clusters.
_LOOKS_BACK = 4096

ChooseBoundary = Callable[[str, int, int], int]
"""(remaining text, chunk size, max look-back) to the length of the next chunk."""


class _Kind(NamedTuple):
    """What is decided once for a whole text."""

    lines: bool
    far: bool
    language: str = "auto"


@dataclass(frozen=True, slots=True, init=False)
class BoundarySplitter(FrozenSplitter):
    """Cuts at most `chunk_size` characters at a time, at the cleanest break near the limit.

    Every chunk has at most `chunk_size` code points, and ends at a whole character unless that alone
    is larger. A text of nothing but blanks is content, too.

    Args:
        chunk_size: the limit, in code points.
        max_lookback: how far before the limit a break may lie, in code points; 0 cuts at the limit.
        overlap_size: how much earlier text each chunk carries apart, in ``overlap_text``, in code
            points; may be larger than a chunk. It starts at a word where one starts in reach.
        soft_wraps: ``"auto"`` takes a single newline for a space in a document that is hard-wrapped
            (`is_hard_wrapped`), so that its sentences are kept. There, and in scripts without
            spaces, a sentence end within half the chunk is taken before a word end within
            `max_lookback`. ``"never"`` takes every newline for a line break, which outranks a
            sentence end, and never looks back further.
        separators: the caller's own places to cut in place of paragraphs, lines and sentences: plain
            strings, cleanest first, that stay on the left. Where none is in reach, the cut is
            between words, else at the limit. Such a chunk has the ``break_level`` ``"block"``.
        cross_chapters: whether a chunk may hold the end of one chapter of a `Document` and the
            start of the next.
        find_split_point: another boundary chooser, given the remaining text, the chunk size and
            the look-back, and giving the length of the next chunk. It is not trusted: a split
            point that does not progress or lies outside raises `SplitError`.

    ``stream`` of strings that arrive one by one holds some 100,000 characters. The first 65,536 then
    decide whether the text is hard-wrapped and what its language is, where ``split`` looks at
    samples of the whole text; the chunks are the same unless a text starts otherwise than it is.
    The ``id`` of a chunk, which depends on the whole text, can be asked for when all have come.

    Raises:
        SettingsError: for a size that is not a whole number in its range, or a word not allowed.
        SplitError: when cutting, if `find_split_point` fails or breaks its promise.
        TextInvalidError: when cutting half of a surrogate pair.

    >>> splitter = BoundarySplitter(chunk_size=12, max_lookback=8, overlap_size=4)
    >>> [(chunk.overlap_text, chunk.text) for chunk in splitter.split("One. Two. Three. Four.")]
    [('', 'One. Two.'), ('Two.', ' Three.'), ('ree.', ' Four.')]
    """

    NAME = "boundary"
    VERSION = 1
    FUNCTIONS = ("find_split_point",)

    chunk_size: int
    max_lookback: int
    overlap_size: int
    soft_wraps: str
    separators: tuple[str, ...] | None
    cross_chapters: bool
    find_split_point: ChooseBoundary | None

    def __init__(
        self,
        chunk_size: int = 1000,
        max_lookback: int = 200,
        overlap_size: int = 100,
        soft_wraps: str = "auto",
        separators: Sequence[str] | None = None,
        *,
        cross_chapters: bool = False,
        find_split_point: ChooseBoundary | None = None,
    ) -> None:
        self._settle(
            chunk_size=whole_number("chunk_size", chunk_size, minimum=1),
            max_lookback=whole_number("max_lookback", max_lookback, minimum=0),
            overlap_size=whole_number("overlap_size", overlap_size, minimum=0),
            soft_wraps=one_of("soft_wraps", soft_wraps, ("never", "auto")),
            separators=_separators(separators),
            cross_chapters=yes_or_no("cross_chapters", cross_chapters),
            find_split_point=function_or_none(
                "find_split_point",
                find_split_point,
                "a function from a text, a size and a look-back to a length",
            ),
        )

    LATER = MappingProxyType({"separators": None, "cross_chapters": False})

    def _cut(
        self, document: Document, trace: Trace | None = None
    ) -> tuple[Document, Iterator[PieceFields]]:
        cut = partial(self._pieces, kind=self._kind_of(document.text), trace=trace)
        return document, by_chapter(document, cut, cross=self.cross_chapters, trace=trace)

    def _kind_of(self, text: str) -> "_Kind":
        auto = self.soft_wraps == "auto"
        lines = not (auto and is_hard_wrapped(text))
        return _Kind(lines, auto and (not lines or any(map(has_clause_marks, samples(text)))))

    def _finders(
        self, text: str, kind: "_Kind", trace: Trace | None = None
    ) -> tuple[BreakFinder, OverlapFinder]:
        breaks = Breaks(text, lines=kind.lines, language=kind.language, trace=trace)
        counter = Counter(text, CHARACTERS)
        return (
            BreakFinder(breaks, far=kind.far, separators=self.separators or ()),
            OverlapFinder(breaks, self.overlap_size, counter, OVERLAP_BY_WORDS),
        )

    def _pieces(self, text: str, kind: "_Kind", trace: Trace | None) -> Iterator[PieceFields]:
        finder, overlap = self._finders(text, kind, trace)
        start = 0
        while start < len(text):
            if self.find_split_point is None:
                end, level = finder.split_point(start, self.chunk_size, self.max_lookback)
            else:
                end = start + self._ask(self.find_split_point, text[start:])
                level = finder.level_at(start, end) if start < end < len(text) else "end"
            yield end, overlap.start(start), None, False, level
            start = end

    def _stream_pieces(self, pieces: Iterable[str]) -> Iterator[Chunk]:
        if self.find_split_point is not None:  # it is given all that remains
            return super(BoundarySplitter, self)._stream_pieces(pieces)
        fingerprint = StreamFingerprint(self.recipe)
        window = Window(pieces, fingerprint)
        return assemble_stream(window, self._pieces_as_they_come(window), fingerprint)

    def _pieces_as_they_come(self, window: Window) -> Iterator[PieceFields]:
        window.read(SAMPLED)
        kind = self._kind_of(window.text)._replace(language=detect_language(window.text))
        start, cluster = 0, (-1, 0)
        while True:
            base, text = window.start, window.text
            finder, overlap = self._finders(text, kind)
            finder.cluster = cluster[0] - base, cluster[1] - base
            # Where a cut may fall now: what follows must have come, and no run of blanks be open.
            last = last_content_end(text) - self.chunk_size - LOOKS_AHEAD
            while start - base < (len(text) if window.is_whole else last):
                end, level = finder.split_point(start - base, self.chunk_size, self.max_lookback)
                yield base + end, base + overlap.start(start - base), None, False, level
                start = base + end
            if window.is_whole:
                return
            inside, floor = finder.cluster
            cluster = base + inside, base + floor
            needed = start - self.overlap_size - _LOOKS_BACK
            window.drop_before(min(needed, cluster[1]) if cluster[0] == start else needed)
            window.read(max(_READ, self.chunk_size, len(window.text)))

    def _ask(self, choose: ChooseBoundary, remaining: str) -> int:
        """Ask a chooser that is not ours, and turn each of its exceptions into one error.

        So too what is no offset: a float would be found out only when the text is sliced.
        """
        try:
            return index(choose(remaining, self.chunk_size, self.max_lookback))
        except CleanbreakError:
            raise
        except Exception as error:  # noqa: BLE001 (the caller's own code; it ends as one SplitError)
            kind = type(error).__name__
            _log.error("boundary chooser failed: %s with %d characters left", kind, len(remaining))
            raise SplitError(
                f"The boundary chooser failed with {kind}; nothing was cut there.",
                remaining=len(remaining),
            ) from None


def _separators(value: Sequence[str] | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    rule = "a list of strings, none of them empty, cleanest first"
    if not isinstance(value, (list, tuple)) or not value:
        raise SettingsError("separators", type(value), rule)
    if not all(isinstance(separator, str) and separator for separator in value):
        raise SettingsError("separators", list(value), rule)
    return tuple(value)
