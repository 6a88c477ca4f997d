"""The splitter for notes: sections as CommonMark reads them, big ones cut at their own structure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from cleanbreak.core.checks import one_of, whole_number, yes_or_no
from cleanbreak.core.document import Document, Span
from cleanbreak.core.markdown.breaks import markdown_breaks
from cleanbreak.core.markdown.parser import outline
from cleanbreak.core.measures.measure import CHARACTERS, Measure, as_measure
from cleanbreak.core.packing.assemble import PieceFields
from cleanbreak.core.packing.by_structure import Packer, Places
from cleanbreak.core.packing.chapters import chapter_starts
from cleanbreak.core.packing.counter import Counter
from cleanbreak.core.packing.levels import MARKDOWN, Breaks
from cleanbreak.core.packing.overlap import OverlapFinder
from cleanbreak.core.packing.stretches import join_bare_headings, stretches
from cleanbreak.core.packing.trace import Trace
from cleanbreak.core.splitters.base import FrozenSplitter
from cleanbreak.core.text.characters import is_blank
from cleanbreak.core.text.wrapping import is_hard_wrapped


@dataclass(frozen=True, slots=True, init=False)
class MarkdownSplitter(FrozenSplitter):
    r"""Cuts a note at its headings, and big sections at their blocks.

    Every heading opens a chunk, and no chunk holds text of two sections; only a heading without text
    of its own goes with what follows. Overlap stays inside its section. A section over the limit
    is cut between blocks, then between list items, table rows or lines of code, then sentences,
    lines, words. What fits in a chunk stays whole: a paragraph, table, list item or fence.
    Neighbouring small blocks of a section share a chunk. Without headings, that leaves cutting by
    paragraph. A text of nothing but blanks gives no chunks.

    The headings are those of the document's sections where it has some, or else its chapters (an
    EPUB's, say); else the text is read as Markdown, and the chunks have the heading paths found there.

    Args:
        chunk_size: the limit, in units of `measure`.
        overlap_size: how much earlier text each chunk carries apart, in ``overlap_text``, in units
            of `measure`; it starts at a sentence where one starts near.
        measure: what sizes are counted in; see `cleanbreak.core.measures.measure.as_measure`.
        merge_small: a section smaller than this, in units of `measure`, is joined with the next one
            while both fit in a chunk, which then has the heading path of the first; 0 joins none.
        oversize: what becomes of a single character over the limit (an emoji of five tokens, at a
            limit of four): ``"raise"`` an error, or ``"emit"`` it as a chunk that says so.
        cross_chapters: whether a chunk may hold the end of one chapter of a `Document` and the
            start of the next; then its chapters are no headings.
        join_headings: whether a heading without text of its own is joined with what follows.

    Raises:
        SettingsError: for a size that is not a whole number in its range, or no such measure.
        IndivisibleTextError: when cutting, at a character over the limit, unless it is emitted.
        MeasureError: when cutting, if the measure fails.
        TextInvalidError: when cutting half of a surrogate pair.

    >>> chunks = MarkdownSplitter().split("# Tea\n\nHot.\n\n## Green\n\nBitter.\n")
    >>> [(str(chunk.heading_path), chunk.text) for chunk in chunks]
    [('# Tea', '# Tea\n\nHot.\n\n'), ('# Tea > ## Green', '## Green\n\nBitter.\n')]
    """

    NAME = "markdown"
    VERSION = 1

    chunk_size: int
    overlap_size: int
    measure: Measure
    merge_small: int
    oversize: str
    cross_chapters: bool
    join_headings: bool

    LATER = MappingProxyType({"cross_chapters": False, "join_headings": True})

    def __init__(
        self,
        chunk_size: int = 1000,
        overlap_size: int = 100,
        measure: object = "characters",
        merge_small: int = 0,
        *,
        oversize: str = "raise",
        cross_chapters: bool = False,
        join_headings: bool = True,
    ) -> None:
        self._settle(
            chunk_size=whole_number("chunk_size", chunk_size, minimum=1),
            overlap_size=whole_number("overlap_size", overlap_size, minimum=0),
            measure=as_measure(measure),
            merge_small=whole_number("merge_small", merge_small, minimum=0),
            oversize=one_of("oversize", oversize, ("raise", "emit")),
            cross_chapters=yes_or_no("cross_chapters", cross_chapters),
            join_headings=yes_or_no("join_headings", join_headings),
        )

    def _cut(
        self, document: Document, trace: Trace | None = None
    ) -> tuple[Document, Iterator[PieceFields]]:
        chapters = [] if self.cross_chapters else chapter_starts(document)
        block_starts = None
        kinds = {section.kind for section in document.sections}
        if "heading" not in kinds and "chapter" in kinds and not self.cross_chapters:
            document = _with_chapters_as_headings(document)
            kinds.add("heading")
        if "heading" in kinds:
            document = _with_first_at_start(document)
        else:
            sections, block_starts = outline(document.text)
            document = replace(document, sections=(*document.sections, *sections))
        if self.join_headings:
            document = join_bare_headings(document, chapters)
        return document, self._pieces(document, block_starts, chapters, trace)

    def _pieces(
        self,
        document: Document,
        block_starts: list[int] | None,
        chapters: list[int],
        trace: Trace | None,
    ) -> Iterator[PieceFields]:
        text = document.text
        if is_blank(text):
            return
        counter = Counter(text, self.measure)
        breaks = Breaks(text, lines=not is_hard_wrapped(text), trace=trace)
        packer = Packer(
            breaks, counter, self.chunk_size, MARKDOWN, emit_oversize=self.oversize == "emit"
        )
        overlap = OverlapFinder(breaks, self.overlap_size, counter)
        start = 0
        opens_chapter = frozenset(chapters)
        for section in stretches(
            document, opens_chapter, counter, self.chunk_size, self.merge_small
        ):
            structure = partial(_breaks, text, section, block_starts, packer)
            for end, found in packer.pack(
                *section, "chapter" if section[1] in opens_chapter else "heading", structure
            ):
                count = None if self.measure == CHARACTERS else counter.count(start, end)
                overlap_start = overlap.start(start, section[0])
                yield (
                    end,
                    overlap_start,
                    count,
                    count is not None and count > self.chunk_size,
                    found,
                )
                counter.forget(overlap_start)
                start = end


def _with_chapters_as_headings(document: Document) -> Document:
    """The document with a heading for each chapter, as an EPUB's are."""
    headings = (
        replace(section, kind="heading")
        for section in document.sections
        if section.kind == "chapter"
    )
    return replace(document, sections=(*document.sections, *headings))


def _with_first_at_start(document: Document) -> Document:
    """The document with blank text before its first heading given to that heading."""
    first = min(section.span.start for section in document.sections if section.kind == "heading")
    if not document.text[:first].isspace():
        return document
    sections = tuple(
        replace(section, span=Span(0, section.span.end))
        if section.kind == "heading" and section.span.start == first
        else section
        for section in document.sections
    )
    return replace(document, sections=sections)


def _breaks(
    text: str, section: tuple[int, int], block_starts: list[int] | None, packer: Packer
) -> list[Places]:
    """The breaks inside a section; its blocks are looked for if they are not known."""
    start, end = section
    if block_starts is None:
        block_starts = outline(text, start, end).block_starts
    inside = block_starts[bisect_right(block_starts, start) : bisect_left(block_starts, end)]
    found = markdown_breaks(text, start, end, inside, packer.may_exceed)
    return [Places(offsets) for offsets in found]
