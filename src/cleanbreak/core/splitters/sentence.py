"""The splitter that keeps sentences whole: up to a number of sentences, of tokens, or both."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from cleanbreak.core.checks import function_or_none, one_of, whole_number, yes_or_no
from cleanbreak.core.document import Document
from cleanbreak.core.measures.measure import Measure, as_measure
from cleanbreak.core.packing.assemble import Piece, PieceFields
from cleanbreak.core.packing.by_sentence import Grouper, Limits
from cleanbreak.core.packing.chapters import by_chapter
from cleanbreak.core.packing.trace import Trace
from cleanbreak.core.sentences.languages import check_language, detect_language
from cleanbreak.core.sentences.own_abbreviations import abbreviations_of
from cleanbreak.core.sentences.segment import iter_sentences
from cleanbreak.core.sentences.segmenter import Segmenter
from cleanbreak.core.splitters.base import FrozenSplitter
from cleanbreak.core.text.characters import is_blank
from cleanbreak.core.text.graphemes import is_boundary
from cleanbreak.core.text.wrapping import has_sentence_lines, is_hard_wrapped
from cleanbreak.errors import SettingsError


@dataclass(frozen=True, slots=True, init=False)
class SentenceSplitter(FrozenSplitter):
    """Groups whole sentences, within a number of sentences, of tokens, or both.

    Every chunk, with its overlap, is within each limit that is given; sentences are those of
    `cleanbreak.sentences`.

    - By ``max_sentences``: that many sentences in a chunk.
    - By ``max_tokens``: as many whole sentences as fit.
    - By both: as many whole sentences as both allow; where it is the tokens that end a chunk, the
      first clauses of the next sentence fill it up.

    A sentence that alone is over ``max_tokens`` is cut after clauses; a clause that is, between
    words; a word that is, between grapheme clusters. In a text that is not hard-wrapped, line ends
    go before clauses. No chunk is blank where the limit allows, and a blank text gives none.

    Both limits hold for ``overlap_text`` and ``text`` together, and a sentence counts wherever a
    part of it is touched; so with one sentence a chunk there is no room for overlap, except
    between the parts of one that is cut. Overlap is the last whole clauses of the chunk before, at
    most `overlap_percent` of them (rounded up) and of `max_tokens`; where not even one fits, its
    last words or else characters. A chunk's first sentence stays whole before overlap is long, but
    is cut before there is none.

    Args:
        max_sentences: sentences in a chunk.
        max_tokens: what a chunk may hold, counted by `measure`.
        overlap_percent: how much of a chunk the next one repeats apart, from 0 to 75.
        language: an ISO code, or "auto"; see `cleanbreak.sentences`.
        measure: what tokens are; see `cleanbreak.core.measures.measure.as_measure`.
        oversize: what becomes of a character that alone is over the limit: ``"raise"`` an error,
            or ``"emit"`` it as a chunk that says so.
        cross_chapters: whether a chunk may hold the end of one chapter of a `Document` and the
            start of the next.
        abbreviations: words after which a full stop ends no sentence, besides those of the language;
            see `cleanbreak.sentences`.
        segmenter: another way to find sentences, a function from a text to spans. It has no name,
            so the recipe cannot be locked.

    Raises:
        SettingsError: if neither limit is given, or a setting is out of its range.
        IndivisibleTextError: when cutting, at a character over the limit, unless it is emitted.
        MeasureError: when cutting, if the measure fails.
        TextInvalidError: when cutting half of a surrogate pair.
        SplitError: when cutting, if `segmenter` fails or breaks its promise.

    >>> text = "One sentence. Another, with clauses; see? A third."
    >>> splitter = SentenceSplitter(max_sentences=2, overlap_percent=50)
    >>> [(chunk.overlap_text, chunk.text) for chunk in splitter.split(text)]
    [('', 'One sentence. Another, with clauses; see? '), ('with clauses; see? ', 'A third.')]
    """

    NAME = "sentences"
    VERSION = 1
    FUNCTIONS = ("segmenter",)
    LATER = MappingProxyType({"cross_chapters": False, "abbreviations": ()})

    max_sentences: int | None
    max_tokens: int | None
    overlap_percent: int
    language: str
    measure: Measure
    oversize: str
    cross_chapters: bool
    abbreviations: tuple[str, ...]
    segmenter: Segmenter | None

    def __init__(
        self,
        max_sentences: int | None = None,
        max_tokens: int | None = None,
        overlap_percent: int = 0,
        language: str = "auto",
        measure: object = "words",
        *,
        oversize: str = "raise",
        cross_chapters: bool = False,
        abbreviations: Iterable[str] = (),
        segmenter: Segmenter | None = None,
    ) -> None:
        if max_sentences is None and max_tokens is None:
            raise _no_limit()
        self._settle(
            max_sentences=_whole_number_or_none("max_sentences", max_sentences),
            max_tokens=_whole_number_or_none("max_tokens", max_tokens),
            overlap_percent=whole_number("overlap_percent", overlap_percent, minimum=0, maximum=75),
            language=check_language(language),
            measure=as_measure(measure),
            oversize=one_of("oversize", oversize, ("raise", "emit")),
            cross_chapters=yes_or_no("cross_chapters", cross_chapters),
            abbreviations=abbreviations_of(abbreviations),
            segmenter=function_or_none("segmenter", segmenter, "a function from a string to spans"),
        )

    def _cut(
        self, document: Document, trace: Trace | None = None
    ) -> tuple[Document, Iterator[PieceFields]]:
        text = document.text
        # Each is decided once for the document: a short chapter may be too little for that.
        language = detect_language(text) if self.language == "auto" else self.language
        lines = not is_hard_wrapped(text)
        ends = lines and has_sentence_lines(text)
        cut = partial(self._pieces, language=language, lines=lines, newline_ends=ends, trace=trace)
        return document, by_chapter(document, cut, cross=self.cross_chapters, trace=trace)

    def _pieces(
        self, text: str, *, language: str, lines: bool, newline_ends: bool, trace: Trace | None
    ) -> Iterator[Piece]:
        if is_blank(text):
            return
        grouper = Grouper(
            text,
            self._sentence_ends(text, language, newline_ends=newline_ends),
            self.measure,
            Limits(self.max_sentences, self.max_tokens, self.overlap_percent),
            lines=lines,
            emit_oversize=self.oversize == "emit",
            trace=trace,
        )
        yield from grouper.pieces()

    def _sentence_ends(self, text: str, language: str, *, newline_ends: bool) -> Iterator[int]:
        spans = iter_sentences(
            text,
            language,
            newline_ends=newline_ends,
            segmenter=self.segmenter,
            abbreviations=self.abbreviations,
        )
        ends = (span.end for span in spans)
        return ends if self.segmenter is None else (end for end in ends if is_boundary(text, end))


def _no_limit() -> SettingsError:
    return SettingsError(
        "max_sentences",
        None,
        "given, or else max_tokens",
        sentence="Give max_sentences, max_tokens or both.",
        allowed=("max_sentences", "max_tokens"),
    )


def _whole_number_or_none(field: str, value: int | None) -> int | None:
    return None if value is None else whole_number(field, value, minimum=1)
