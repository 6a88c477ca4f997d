"""The splitter that keeps sentences whole: so many sentences a chunk, so many tokens, or both."""

from collections.abc import Iterator
from types import MappingProxyType

from cleanbreak.core.cache import SHARED
from cleanbreak.core.checks import one_of, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, as_document
from cleanbreak.core.measures.measure import as_measure
from cleanbreak.core.packing.assemble import Piece, assemble
from cleanbreak.core.packing.by_sentence import Grouper, Limits
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.sentences.languages import check_language
from cleanbreak.core.sentences.segment import iter_sentences
from cleanbreak.core.sentences.segmenter import Segmenter
from cleanbreak.core.text.graphemes import is_boundary
from cleanbreak.core.text.wrapping import is_hard_wrapped
from cleanbreak.errors import SettingsError


class SentenceSplitter:
    """Groups whole sentences, within a number of sentences, of tokens, or both.

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
        segmenter: another way to find sentences, a function from a text to spans. It has no name,
            so the recipe cannot be locked.

    Raises:
        SettingsError: if neither limit is given, or a setting is out of its range.

    >>> text = "One sentence. Another, with clauses; see? A third."
    >>> splitter = SentenceSplitter(max_sentences=2, overlap_percent=50)
    >>> [(chunk.overlap_text, chunk.text) for chunk in splitter.split(text)]
    [('', 'One sentence. Another, with clauses; see? '), ('with clauses; see? ', 'A third.')]
    """

    NAME = "sentences"
    VERSION = 1

    def __init__(
        self,
        max_sentences: int | None = None,
        max_tokens: int | None = None,
        overlap_percent: int = 0,
        language: str = "auto",
        measure: object = "words",
        *,
        oversize: str = "raise",
        segmenter: Segmenter | None = None,
    ) -> None:
        if max_sentences is None and max_tokens is None:
            raise SettingsError("max_sentences", None, "given, unless max_tokens is")
        if max_sentences is not None:
            whole_number("max_sentences", max_sentences, minimum=1)
        if max_tokens is not None:
            whole_number("max_tokens", max_tokens, minimum=1)
        self.max_sentences = max_sentences
        self.max_tokens = max_tokens
        self.overlap_percent = whole_number(
            "overlap_percent", overlap_percent, minimum=0, maximum=75
        )
        self.language = check_language(language)
        self.measure = as_measure(measure)
        self.oversize = one_of("oversize", oversize, ("raise", "emit"))
        if segmenter is not None and not callable(segmenter):
            raise SettingsError("segmenter", segmenter, "a function from a string to spans")
        self._segmenter = segmenter

    @property
    def recipe(self) -> Recipe:
        """The splitter as one frozen value."""
        settings = {
            "max_sentences": self.max_sentences,
            "max_tokens": self.max_tokens,
            "overlap_percent": self.overlap_percent,
            "language": self.language,
            "oversize": self.oversize,
        }
        # A segmenter of the caller's has no name, so such a recipe can split but not be locked.
        measure = None if self._segmenter else self.measure.name
        return Recipe(self.NAME, self.VERSION, MappingProxyType(settings), measure)

    def split(self, source: str | Document, *, use_cache: bool = True) -> list[Chunk]:
        """All chunks of `source`, from memory if it was cut before; none if its text is blank."""
        if use_cache:
            return SHARED.chunks(self.recipe, as_document(source), self.stream)
        return list(self.stream(source))

    def stream(self, source: str | Document) -> Iterator[Chunk]:
        """Yield the chunks of `source` while cutting, holding one at a time."""
        document = as_document(source)
        return assemble(document, self._pieces(document.text), self.recipe)

    def _pieces(self, text: str) -> Iterator[Piece]:
        if not text or text.isspace():
            return
        grouper = Grouper(
            text,
            self._sentence_ends(text),
            self.measure,
            Limits(self.max_sentences, self.max_tokens, self.overlap_percent),
            lines=not is_hard_wrapped(text),
            emit_oversize=self.oversize == "emit",
        )
        yield from grouper.pieces()

    def _sentence_ends(self, text: str) -> Iterator[int]:
        spans = iter_sentences(text, self.language, segmenter=self._segmenter)
        ends = (span.end for span in spans)
        return ends if self._segmenter is None else (end for end in ends if is_boundary(text, end))
