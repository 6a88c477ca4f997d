"""What splitters have in common: what they promise, and what the built-in ones share."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import ClassVar, Protocol

from cleanbreak.core.checks import whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, as_document
from cleanbreak.core.measures.measure import CHARACTERS, Measure
from cleanbreak.core.packing.assemble import PieceFields, assemble
from cleanbreak.core.packing.explanation import Explanation, explain
from cleanbreak.core.packing.trace import Trace
from cleanbreak.core.packing.window import checked_pieces
from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import SettingsError

# What can be iterated over, and is no sequence of strings that follow one another.
_NO_PIECES = (str, bytes, bytearray, Mapping)


class Splitter(Protocol):
    """Cuts a text or document into chunks that obey the laws (docs/design/laws.md).

    Any object with these three will do; a class that inherits this one writes two.
    """

    __slots__ = ()

    @property
    def recipe(self) -> Recipe:
        """The splitter as one frozen value."""
        ...

    def stream(self, source: str | Document) -> Iterator[Chunk]:
        """Yield the chunks of `source` while cutting, holding one at a time.

        Joined they are its text; the offsets of each count code points and UTF-8 bytes of it.

        Raises:
            SettingsError: at once, if `source` is neither a string nor a document.
            TextInvalidError: for half of a surrogate pair, which has no UTF-8 form.
            IndivisibleTextError: where one character alone is over the limit.
            MeasureError, SplitError: if a function of the caller's fails, or breaks its promise.
        """
        ...

    def split(self, source: str | Document) -> list[Chunk]:
        """All chunks of `source`; none if its text is empty.

        Raises:
            CleanbreakError: as `stream` does.
        """
        return list(self.stream(source))


@dataclass(frozen=True, slots=True, init=False)
class FrozenSplitter(Splitter):
    """A splitter that is a frozen value: its settings are the fields of a dataclass.

    They cannot be assigned, equal settings make equal splitters, and the recipe is read from them.
    A splitter checks its settings in ``__init__``, which hands them to `_settle`, and says in
    `_cut` where the chunks end.
    """

    NAME: ClassVar[str]
    """The name in recipes and of ``--by``."""
    VERSION: ClassVar[int]
    """Goes up when the same settings cut otherwise."""
    FUNCTIONS: ClassVar[tuple[str, ...]] = ()
    """Fields that are a caller's own function, or ``None``: no settings, as they have no name."""
    LATER: ClassVar[Mapping[str, object]] = MappingProxyType({"cross_chapters": False})
    """Settings left out of the recipe at these values, so that a recipe that was stored before they
    existed keeps its digest."""

    @property
    def recipe(self) -> Recipe:
        """The splitter as one frozen value, with every setting and the name of its measure.

        Equal recipes that are `lockable` cut equal texts equally.
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        functions = [name for name in self.FUNCTIONS if values.pop(name) is not None]
        for name, value in self.LATER.items():
            if values[name] == value:
                del values[name]
        measure = values.pop("measure", CHARACTERS)
        return Recipe(self.NAME, self.VERSION, values, measure.name, tuple(functions))

    def stream(self, source: str | Document | Iterable[str]) -> Iterator[Chunk]:
        """Yield the chunks of `source` while cutting, holding one at a time.

        Strings that follow one another are cut as the text that they make together. What must be
        known of the whole text is, as everywhere, decided once: where headings and chapters lie,
        whether it is hard-wrapped, its language. So only the boundary splitter holds less than the
        whole text; see there.

        Raises:
            SettingsError: if `source` is none of these, such as bytes.
        """
        if isinstance(source, _NO_PIECES) or not isinstance(source, Iterable):
            return self._chunks(as_document(source))
        return self._stream_pieces(source)

    def split(self, source: str | Document) -> list[Chunk]:
        """All chunks of `source`; none if its text is empty."""
        return list(self._chunks(as_document(source)))

    def explain(self, source: str | Document, number: int) -> Explanation:
        """Why the chunk `number` of `source` ends where it does.

        The text is cut again up to there, and the packer itself notes the window in which it looks,
        so this costs as much as cutting.

        Raises:
            SettingsError: if `source` is none of these, or there is no such chunk.
            CleanbreakError: as `stream` does.

        >>> import cleanbreak as cb
        >>> splitter = cb.BoundarySplitter(chunk_size=12, max_lookback=8, overlap_size=0)
        >>> found = splitter.explain("One. Two. Three", 1)
        >>> found.window_start, found.window_end, found.character_end_offset, found.break_level
        (4, 12, 9, 'sentence')
        >>> found.reason
        'The last break of the level sentence that fits; the window holds none of the level paragraph or line.'
        """
        whole_number("number", number, minimum=1)
        trace = Trace()
        document, pieces = self._cut(as_document(source), trace)
        measure: Measure = getattr(self, "measure", CHARACTERS)
        last = 0
        for chunk in assemble(document, pieces, self.recipe):
            last = chunk.number
            if last == number:
                searches = trace.of(chunk.start)
                count = chunk.token_count
                size = measure(chunk.text) if count is None else count
                return explain(chunk, document.text, self.recipe, size, searches)
            trace.forget(chunk.start)
        raise SettingsError("number", number, f"a chunk's, from 1 to {last}")

    def _chunks(self, document: Document) -> Iterator[Chunk]:
        document, pieces = self._cut(document)
        return assemble(document, pieces, self.recipe)

    def _stream_pieces(self, pieces: Iterable[str]) -> Iterator[Chunk]:
        """The chunks of a text that arrives in pieces; for most, all must have come."""
        yield from self._chunks(Document("".join(checked_pieces(pieces))))

    @abstractmethod
    def _cut(
        self, document: Document, trace: Trace | None = None
    ) -> tuple[Document, Iterator[PieceFields]]:
        """The document, with the sections that were found in it, and the pieces that it is cut in.

        The packers note in `trace`, if there is one, where they look for the end of each chunk.
        """

    def _settle(self, **settings: object) -> None:
        """Fill the fields, once: they cannot be assigned."""
        for name, value in settings.items():
            object.__setattr__(self, name, value)
