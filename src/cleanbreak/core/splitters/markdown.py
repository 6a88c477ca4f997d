"""The splitter for notes: sections as CommonMark reads them, big ones cut at their own structure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from types import MappingProxyType

from cleanbreak.core.checks import one_of, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, Span, as_document
from cleanbreak.core.markdown.breaks import markdown_breaks
from cleanbreak.core.markdown.parser import outline
from cleanbreak.core.measures.measure import as_measure
from cleanbreak.core.packing.assemble import PieceFields, assemble
from cleanbreak.core.packing.by_structure import Packer, Ruler
from cleanbreak.core.packing.overlap import overlap_start
from cleanbreak.core.recipe import Recipe, Setting
from cleanbreak.core.sentences.backwards import SentenceFinder
from cleanbreak.core.text.breaks import LINE, WORD, Level


class MarkdownSplitter:
    r"""Cuts a note at its headings, and big sections at their blocks.

    Every heading opens a chunk, and no chunk holds text of two sections. A section over the limit
    is cut between blocks, then between list items, table rows or lines of code, then sentences,
    lines, words. What fits in a chunk stays whole: a paragraph, table, list item or fence.
    Neighbouring small blocks of a section share a chunk. Without headings, that leaves cutting by
    paragraph. A text of nothing but blanks gives no chunks.

    The headings are those of the document's sections where it has some (an EPUB's, say); else the
    text is read as Markdown, and the chunks have the heading paths found there.

    Args:
        chunk_size: the limit, in units of `measure`.
        overlap_size: how much earlier text each chunk carries apart, in ``overlap_text``; it
            starts at a sentence where one starts near.
        measure: what sizes are counted in; see `cleanbreak.core.measures.measure.as_measure`.
        merge_small: a section smaller than this is joined with the next one while both fit in a
            chunk, which then has the heading path of the first; 0 joins none.
        oversize: what becomes of a single character over the limit (an emoji of five tokens, at a
            limit of four): ``"raise"`` an error, or ``"emit"`` it as a chunk that says so.

    Raises:
        SettingsError: for a size that is not a whole number in its range, or no such measure.

    >>> chunks = MarkdownSplitter().split("# Tea\n\nHot.\n\n## Green\n\nBitter.\n")
    >>> [(str(chunk.heading_path), chunk.text) for chunk in chunks]
    [('# Tea', '# Tea\n\nHot.\n\n'), ('# Tea > ## Green', '## Green\n\nBitter.\n')]
    """

    NAME = "markdown"
    VERSION = 1

    def __init__(
        self,
        chunk_size: int = 1000,
        overlap_size: int = 100,
        measure: object = "characters",
        *,
        merge_small: int = 0,
        oversize: str = "raise",
    ) -> None:
        self.chunk_size = whole_number("chunk_size", chunk_size, minimum=1)
        self.overlap_size = whole_number("overlap_size", overlap_size, minimum=0)
        self.measure = as_measure(measure)
        self.merge_small = whole_number("merge_small", merge_small, minimum=0)
        self.oversize = one_of("oversize", oversize, ("raise", "emit"))
        settings: dict[str, Setting] = {
            "chunk_size": self.chunk_size,
            "overlap_size": self.overlap_size,
            "merge_small": self.merge_small,
            "oversize": self.oversize,
        }
        self.recipe = Recipe(self.NAME, self.VERSION, MappingProxyType(settings), self.measure.name)

    def split(self, source: str | Document) -> list[Chunk]:
        """All chunks of `source`; none if its text is blank."""
        return list(self.stream(source))

    def stream(self, source: str | Document) -> Iterator[Chunk]:
        """Yield the chunks of `source` while cutting, holding one at a time."""
        document = as_document(source)
        block_starts = None
        if any(section.kind == "heading" for section in document.sections):
            document = _with_first_at_start(document)
        else:
            sections, block_starts = outline(document.text)
            document = replace(document, sections=(*document.sections, *sections))
        return assemble(document, self._pieces(document, block_starts), self.recipe)

    def _pieces(self, document: Document, block_starts: list[int] | None) -> Iterator[PieceFields]:
        text = document.text
        if not text or text.isspace():
            return
        ruler = Ruler(text, self.measure)
        sentence = Level("sentence", SentenceFinder(text).find_last)
        fine = (sentence, LINE, WORD)
        packer = Packer(text, ruler, self.chunk_size, fine, emit_oversize=self.oversize == "emit")
        start = 0
        for section in self._sections(document, ruler):
            structure = partial(_breaks, text, section, block_starts, packer)
            for end in packer.pack(*section, structure):
                count = None if ruler.in_characters else ruler.count(start, end)
                overlap = overlap_start(text, start, self.overlap_size, ruler, sentence.find_last)
                yield end, overlap, count, count is not None and count > self.chunk_size, "word"
                start = end

    def _sections(self, document: Document, ruler: Ruler) -> Iterable[tuple[int, int]]:
        """The stretches that chunks keep to, in order; together they are the text."""
        text = document.text
        starts = {section.span.start for section in document.sections if section.kind == "heading"}
        edges = sorted(starts | {0, len(text)})
        edges = [start for start, end in pairwise(edges) if not text[start:end].isspace()]
        sections = pairwise([0, *edges[1:], len(text)])
        return self._merged(sections, ruler) if self.merge_small else sections

    def _merged(
        self, sections: Iterable[tuple[int, int]], ruler: Ruler
    ) -> Iterator[tuple[int, int]]:
        """The sections, each small one joined with the next while both fit in a chunk."""
        begun = done = 0
        for start, end in sections:
            is_small = ruler.count(begun, start) < self.merge_small
            if start > begun and not (is_small and ruler.count(begun, end) <= self.chunk_size):
                yield begun, start
                begun = start
            done = end
        yield begun, done


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
) -> list[list[int]]:
    """The breaks inside a section; its blocks are looked for if they are not known."""
    start, end = section
    if block_starts is None:
        block_starts = outline(text, start, end).block_starts
    inside = block_starts[bisect_right(block_starts, start) : bisect_left(block_starts, end)]
    return markdown_breaks(text, start, end, inside, packer.may_exceed)
