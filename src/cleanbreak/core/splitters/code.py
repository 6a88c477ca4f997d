"""The splitter for source code: ends of syntax nodes, definitions before statements before lines."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from cleanbreak.core.checks import one_of, whole_number, yes_or_no
from cleanbreak.core.chunk import BreakLevel
from cleanbreak.core.code.languages import check_code_language, language_of, load_language
from cleanbreak.core.code.lines import line_starts, paragraph_starts
from cleanbreak.core.code.outline import Outline, outline
from cleanbreak.core.document import Document
from cleanbreak.core.measures.measure import CHARACTERS, Measure, as_measure
from cleanbreak.core.packing.assemble import PieceFields
from cleanbreak.core.packing.by_structure import Packer, Places
from cleanbreak.core.packing.chapters import chapter_starts
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import CODE, OVERLAP_BY_LINES, Breaks
from cleanbreak.core.packing.overlap import OverlapFinder
from cleanbreak.core.packing.trace import Trace
from cleanbreak.core.splitters.base import FrozenSplitter
from cleanbreak.core.text.characters import is_blank
from cleanbreak.core.text.wrapping import is_hard_wrapped


@dataclass(frozen=True, slots=True, init=False)
class CodeSplitter(FrozenSplitter):
    r"""Cuts source code where syntax nodes end, the outermost first. Needs the extra ``code``.

    A definition that fits stays whole: a class before its methods, a method before its statements.
    Neighbours that fit share a chunk, and a definition over the limit fills the chunk that is open.
    Below statements come the elements of long expressions, then lines, sentences (of comments),
    words. Every chunk is at most `max_size` by `measure`, and ends where a line does unless the line
    alone is over the limit. Comments, decorators and attributes stay with what they belong to, and
    a docstring with the line that it documents, as long as both fit together. Code with errors is
    cut by what the parser understands.

    The ``heading_path`` of a chunk is the chain of the names around its start, outermost first:
    ``# Stack > ## push``. The ``break_level`` of a node's end is ``"block"``.

    A document whose file name has no suffix of a language below, and a text without a file
    name, is cut between paragraphs and lines. A text of nothing but blanks gives no chunks.

    Args:
        max_size: the limit, in units of `measure`.
        language: ``"c"``, ``"cpp"``, ``"csharp"``, ``"go"``, ``"java"``, ``"javascript"``, ``"php"``,
            ``"python"``, ``"ruby"``, ``"rust"``, ``"tsx"`` or ``"typescript"``; ``"auto"`` is that
            of the suffix of the document's file name.
        measure: what sizes are counted in; see `cleanbreak.core.measures.measure.as_measure`.
        overlap_size: how much earlier text each chunk carries apart, in ``overlap_text``, in units
            of `measure`; it starts at a line or word where one starts in reach.
        oversize: what becomes of a single character over the limit: ``"raise"`` an error, or
            ``"emit"`` it as a chunk that says so.
        cross_chapters: whether a chunk may hold the end of one chapter of a `Document` and the
            start of the next.

    Raises:
        SettingsError: for a size that is not a whole number in its range, no such language or
            measure.
        DependencyMissingError: without the extra ``code``.
        IndivisibleTextError: when cutting, at a character over the limit, unless it is emitted.
        MeasureError: when cutting, if the measure fails.
        TextInvalidError: when cutting half of a surrogate pair.

    >>> text = "import os\n\nclass Stack:\n    def push(self, x):\n        ...\n\n    def pop(self):\n        ...\n"
    >>> for chunk in CodeSplitter(50, "python").split(text):
    ...     print(chunk.heading_path, repr(chunk.text))
    None 'import os\n\n'
    # Stack 'class Stack:\n    def push(self, x):\n        ...\n\n'
    # Stack > ## pop '    def pop(self):\n        ...\n'
    """

    NAME = "code"
    VERSION = 1

    max_size: int
    language: str
    measure: Measure
    overlap_size: int
    oversize: str
    cross_chapters: bool

    def __init__(
        self,
        max_size: int = 1500,
        language: str = "auto",
        measure: object = "characters",
        overlap_size: int = 0,
        *,
        oversize: str = "raise",
        cross_chapters: bool = False,
    ) -> None:
        self._settle(
            max_size=whole_number("max_size", max_size, minimum=1),
            language=check_code_language(language),
            measure=as_measure(measure),
            overlap_size=whole_number("overlap_size", overlap_size, minimum=0),
            oversize=one_of("oversize", oversize, ("raise", "emit")),
            cross_chapters=yes_or_no("cross_chapters", cross_chapters),
        )

    def _cut(
        self, document: Document, trace: Trace | None = None
    ) -> tuple[Document, Iterator[PieceFields]]:
        language = language_of(document) if self.language == "auto" else self.language
        if language is None:
            found = _plain(document.text)
        else:
            found = outline(document.text, load_language(language), self.max_size)
        chapters = [] if self.cross_chapters else chapter_starts(document)
        document = replace(document, sections=(*document.sections, *found.sections))
        return document, self._pieces(document.text, found, chapters, trace)

    def _pieces(
        self, text: str, found: Outline, chapters: list[int], trace: Trace | None
    ) -> Iterator[PieceFields]:
        if is_blank(text):
            return
        counter = Counter(text, self.measure)
        breaks = Breaks(text, trace=trace)
        packer = Packer(breaks, counter, self.max_size, CODE, emit_oversize=self.oversize == "emit")
        overlap = OverlapFinder(breaks, self.overlap_size, counter, OVERLAP_BY_LINES)
        start = 0
        for first, last in pairwise([0, *chapters, len(text)]):
            for end, level in packer.pack(first, last, "chapter", lambda: found.structure):
                count = None if self.measure == CHARACTERS else counter.count(start, end)
                overlap_start = overlap.start(start, first)
                oversize = count is not None and count > self.max_size
                yield end, overlap_start, count, oversize, _level(end, level, found)
                counter.forget(overlap_start)
                start = end


def _plain(text: str) -> Outline:
    """The places to cut of a text that has no grammar."""
    lines = (
        []
        if is_hard_wrapped(text)
        else [Places(line_starts(text), "while little is begun", "line")]
    )
    return Outline((), [Places(paragraph_starts(text)), *lines], frozenset())


def _level(end: int, level: BreakLevel, found: Outline) -> BreakLevel:
    """The level of a cut: the packer takes every place of the structure for the end of a block."""
    if end in found.node_starts:
        return "chapter" if level == "chapter" else "block"
    return "line" if level == "block" else level
