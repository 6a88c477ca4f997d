"""Chunks of at most so many tokens, counted by the tokenizer itself."""

from collections.abc import Callable, Iterator
from types import MappingProxyType

from cleanbreak.core.checks import one_of, string, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, as_document
from cleanbreak.core.measures.measure import as_measure
from cleanbreak.core.packing.assemble import PieceFields, assemble
from cleanbreak.core.packing.by_structure import Ruler
from cleanbreak.core.packing.by_tokens import TokenPacker
from cleanbreak.core.packing.overlap import overlap_start
from cleanbreak.core.recipe import Recipe, Setting
from cleanbreak.core.sentences.backwards import SentenceFinder
from cleanbreak.core.text.utf8 import utf8_length

_VALIDATED_AT_ONCE = 1 << 20


class TokenSplitter:
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

    Raises:
        SettingsError: for a size that is not a whole number in its range, or no such measure.

    >>> splitter = TokenSplitter(4, "words", overlap_tokens=2)
    >>> [(chunk.overlap_text, chunk.text) for chunk in splitter.split("One two. Three four five.")]
    [('', 'One two.'), ('One two.', ' Three four five.')]
    """

    NAME = "tokens"
    VERSION = 1

    def __init__(
        self,
        max_tokens: int | None = None,
        measure: object = None,
        overlap_tokens: int = 0,
        oversize: str = "raise",
    ) -> None:
        self.max_tokens = whole_number("max_tokens", max_tokens, minimum=1)
        self.measure = as_measure(measure)
        self.overlap_tokens = whole_number("overlap_tokens", overlap_tokens, minimum=0)
        self.oversize = one_of("oversize", oversize, ("raise", "emit"))

    @property
    def recipe(self) -> Recipe:
        """The splitter as one frozen value."""
        settings: dict[str, Setting] = {
            "max_tokens": self.max_tokens,
            "overlap_tokens": self.overlap_tokens,
            "oversize": self.oversize,
        }
        return Recipe(self.NAME, self.VERSION, MappingProxyType(settings), self.measure.name)

    def split(self, source: str | Document) -> list[Chunk]:
        """All chunks of `source`; none if its text is empty or blank."""
        return list(self.stream(source))

    def stream(self, source: str | Document) -> Iterator[Chunk]:
        """Yield the chunks of `source` while cutting, holding one at a time."""
        document = as_document(source)
        return assemble(document, self._pieces(document.text), self.recipe)

    def _pieces(self, text: str) -> Iterator[PieceFields]:
        _refuse_surrogates(text)
        emit = self.oversize == "emit"
        sentences = SentenceFinder(text).find_last
        cuts = TokenPacker(text, self.measure, self.max_tokens, sentences, emit_oversize=emit)
        start, ruler = 0, Ruler(text, self.measure)
        for end, tokens, oversize in cuts:
            overlap_from = start
            if self.overlap_tokens:
                overlap_from = overlap_start(text, start, self.overlap_tokens, ruler, sentences)
                ruler.forget()
            yield end, overlap_from, tokens, oversize, "word"
            start = end


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
    """Before the tokenizer sees them: some mend them in silence, others fail in their own ways."""
    if not text.isascii():
        for at in range(0, len(text), _VALIDATED_AT_ONCE):
            utf8_length(text[at : at + _VALIDATED_AT_ONCE], at)
