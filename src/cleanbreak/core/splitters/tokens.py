"""Chunks up to a number of tokens, counted by the tokenizer itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from cleanbreak.core.checks import one_of, string, whole_number, yes_or_no
from cleanbreak.core.document import Document
from cleanbreak.core.measures.measure import FunctionMeasure, Measure, as_measure
from cleanbreak.core.packing.assemble import PieceFields
from cleanbreak.core.packing.by_tokens import TokenPacker
from cleanbreak.core.packing.chapters import by_chapter
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import Breaks
from cleanbreak.core.packing.overlap import OverlapFinder
from cleanbreak.core.packing.trace import Trace
from cleanbreak.core.splitters.base import FrozenSplitter
from cleanbreak.core.text.utf8 import utf8_length
from cleanbreak.core.text.wrapping import is_hard_wrapped
from cleanbreak.errors import SettingsError

_VALIDATED_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True, init=False)
class TokenSplitter(FrozenSplitter):
    """Cuts at most `max_tokens` at a time, at the cleanest break that is near.

    Every chunk, measured alone, has at most `max_tokens`, and its ``token_count`` is exact. Breaks
    are, cleanest first: paragraph, sentence, line, word; a word is cut, at a whole character, only
    if it does not fit by itself. Cuts stand before spaces and after newlines. No chunk is blank
    where that can be helped, and a blank text has none.

    Args:
        max_tokens: the limit; there is no guessed default, so it must be given.
        measure: what counts, which must be given, too: see `cleanbreak.tokenizers` and `cleanbreak.core.measures.measure.as_measure`.
        overlap_tokens: how much earlier text, counted alone, each chunk carries apart in
            ``overlap_text``. Its tokens come on top of `max_tokens` where both are sent together.
        oversize: what to do with a code point that alone is over the limit: ``"raise"``
            `IndivisibleTextError`, or ``"emit"`` it alone in a chunk that says ``oversize``.
        prefix: what is put before each chunk when it is embedded, such as ``"passage: "``. Prefix and
            chunk are counted together, for the limit and for ``token_count``: tokenizers may join
            the two, so that the sum of their counts is too low.
        cross_chapters: whether a chunk may hold the end of one chapter of a `Document` and the
            start of the next.

    Raises:
        SettingsError: for a size that is not a whole number in its range, or no such measure.
        IndivisibleTextError: when cutting, at a character over the limit, unless it is emitted.
        MeasureError: when cutting, if the measure fails.
        TextInvalidError: when cutting half of a surrogate pair.

    >>> splitter = TokenSplitter(4, "words", overlap_tokens=2)
    >>> [(chunk.overlap_text, chunk.text) for chunk in splitter.split("One two. Three four five.")]
    [('', 'One two.'), ('One two.', ' Three four five.')]
    """

    NAME = "tokens"
    VERSION = 1

    max_tokens: int
    measure: Measure
    overlap_tokens: int
    oversize: str
    prefix: str
    cross_chapters: bool

    LATER = MappingProxyType({"prefix": "", "cross_chapters": False})

    # Both that must be given have a default all the same, so that leaving one out says what it
    # may be.
    def __init__(
        self,
        max_tokens: int | None = None,
        measure: object = None,
        overlap_tokens: int = 0,
        oversize: str = "raise",
        prefix: str = "",
        *,
        cross_chapters: bool = False,
    ) -> None:
        self._settle(
            max_tokens=whole_number("max_tokens", max_tokens, minimum=1),
            measure=as_measure(measure),
            overlap_tokens=whole_number("overlap_tokens", overlap_tokens, minimum=0),
            oversize=one_of("oversize", oversize, ("raise", "emit")),
            prefix=string("prefix", prefix),
            cross_chapters=yes_or_no("cross_chapters", cross_chapters),
        )
        if prefix and (tokens := self.measure(prefix)) >= self.max_tokens:
            raise SettingsError(
                "max_tokens", max_tokens, f"more than the {tokens} tokens of the prefix"
            )

    def with_prefix(self, prefix: str) -> "TokenSplitter":
        """The same splitter with another prefix."""
        return TokenSplitter(
            self.max_tokens,
            self.measure,
            self.overlap_tokens,
            self.oversize,
            prefix,
            cross_chapters=self.cross_chapters,
        )

    def _cut(
        self, document: Document, trace: Trace | None = None
    ) -> tuple[Document, Iterator[PieceFields]]:
        _refuse_surrogates(document.text)
        # Decided once for the document: a chapter may be too short to decide by.
        cut = partial(self._pieces, lines=not is_hard_wrapped(document.text), trace=trace)
        return document, by_chapter(document, cut, cross=self.cross_chapters, trace=trace)

    def _pieces(self, text: str, *, lines: bool, trace: Trace | None) -> Iterator[PieceFields]:
        emit = self.oversize == "emit"
        counter = Counter(text, _after(self.prefix, self.measure))
        # Overlap is counted alone.
        alone = Counter(text, self.measure) if self.prefix else counter
        breaks = Breaks(text, lines=lines, trace=trace)
        overlap = OverlapFinder(breaks, self.overlap_tokens, alone)
        start = 0
        cuts = TokenPacker(breaks, counter, self.max_tokens, emit_oversize=emit)
        for end, tokens, level, oversize in cuts:
            overlap_from = overlap.start(start)
            yield end, overlap_from, tokens, oversize, level
            counter.forget(overlap_from)
            alone.forget(overlap_from)
            start = end


def _after(prefix: str, measure: Measure) -> Measure:
    """The count of a text behind a prefix; the two may share tokens, so they are counted together."""
    return FunctionMeasure(lambda text: measure(prefix + text)) if prefix else measure


def chunk_text_by_tokens(
    text: str, count_fn: Callable[[str], int], max_tokens: int
) -> tuple[list[str], list[int]]:
    """The chunks of a text and their exact counts, as two lists of the same length.

    `count_fn` gives the exact number of tokens of a string; any measure may stand in its place.
    The chunks joined are the text; an empty or blank text gives two empty lists.

    Raises:
        SettingsError: if there is no limit, nothing to count with, or no string to cut.
        IndivisibleTextError: if one code point alone is over the limit.

    >>> chunk_text_by_tokens("One two. Three four five.", lambda text: len(text.split()), 3)
    (['One two.', ' Three four five.'], [2, 3])
    """
    splitter = TokenSplitter(max_tokens, count_fn)
    chunks: list[str] = []
    counts: list[int] = []
    for chunk in splitter.stream(string("text", text)):
        chunks.append(chunk.text)
        counts.append(chunk.token_count or 0)
    return chunks, counts


def _refuse_surrogates(text: str) -> None:
    """Refuse before the tokenizer sees them: some replace them in silence, others fail in their own ways."""
    if not text.isascii():
        for at in range(0, len(text), _VALIDATED_AT_ONCE):
            utf8_length(text[at : at + _VALIDATED_AT_ONCE], at)
