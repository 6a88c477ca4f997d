"""A chunk: an exact slice of a document; and its record, the one list of stored fields."""

from typing import Any, Literal, NamedTuple

import msgspec

from cleanbreak.core.citation import chapter_paths, cite, page_labels
from cleanbreak.core.document import Section
from cleanbreak.core.fingerprint import Fingerprint
from cleanbreak.core.text.characters import count_newlines

BreakLevel = Literal[
    "chapter",
    "heading",
    "block",
    "paragraph",
    "line",
    "sentence",
    "clause",
    "word",
    "grapheme",
    "end",
]
"""The levels of breaks, cleanest first; ``end`` is the end of the text."""


class Heading(NamedTuple):
    """A heading's level, from 1, and its title without markup."""

    level: int
    title: str

    def __str__(self) -> str:
        return f"{'#' * self.level} {self.title}"


class HeadingPath(tuple[Heading, ...]):
    """The headings above a place, outermost first; as a string ``# Main > ## Sub``."""

    __slots__ = ()

    def __str__(self) -> str:
        return " > ".join(map(str, self))


class SectionRecord(msgspec.Struct, frozen=True):
    """A page or chapter as it is stored. Offsets are code points, the end exclusive."""

    kind: str
    title: str
    level: int
    character_start_offset: int
    character_end_offset: int


class ChunkRecord(msgspec.Struct, frozen=True):
    """A chunk as it is stored: the one list of field names.

    The JSON of `Chunk.as_dict` and of a world's chunk files, the columns of exports and of the
    search index, and what a hit says of its chunk are all derived from this class. A new field is
    added here and in `Chunk.record`, with a default, so that older files can still be read.

    Character offsets count code points and byte offsets bytes of the text's UTF-8 form; the ends
    are exclusive. ``heading_path`` is the string form, ``# Main > ## Sub``. ``break_level`` is
    ``None`` where an earlier version did not record it. The representation leaves the text out.
    """

    source_filename: str | None
    chunk_number: int
    chunk_id: str
    chunk_text: str
    overlap_text: str
    character_start_offset: int
    character_end_offset: int
    byte_offset: int
    byte_length: int
    token_count: int | None
    heading_path: str | None
    sections: tuple[SectionRecord, ...]
    oversize: bool
    break_level: BreakLevel | None = None

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain data for JSON, and ``pages`` and ``chapters`` as lists of names."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return {
            **fields,
            "sections": list(fields["sections"]),
            "pages": list(page_labels(self.sections)),
            "chapters": list(chapter_paths(self.sections)),
        }

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(chunk_number={self.chunk_number},"
            f" character_start_offset={self.character_start_offset},"
            f" character_end_offset={self.character_end_offset})"
        )


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """An exact slice of a document.

    Guaranteed for the document it was cut from, whichever splitter cut it:

    - ``text == document.text[start:end]``, and ``[byte_start:byte_end]`` of the text's UTF-8 form
      says the same. ``start`` and ``end`` count code points; ends are exclusive.
    - ``overlap_text`` is earlier text that ends where the chunk starts, empty on the first chunk;
      it is never part of ``text``.
    - ``number`` counts from 1; ``token_count`` is the splitter's own measure of ``text`` where it
      counts tokens or words, else ``None``.
    - ``heading_path`` is the headings above ``start``, ``None`` before the first heading.
    - ``sections`` are the pages and chapters that the chunk touches, in order.
    - ``oversize`` marks the one case in which a chunk may exceed the limit: a single grapheme that
      alone exceeds it, where the caller chose to have it emitted.
    - ``break_level`` is the level of the break at which the chunk ends.
    - ``source`` is the file name of the document, never a path; ``None`` for text without a file.
    - ``line`` is the line of the file, from 1, on which the chunk starts; ``None`` if the document
      is not a text file as it stands.

    The representation leaves the text out, so that a logged chunk does not spill it. (A `Struct`
    and not a dataclass because building one costs 0.2 µs instead of 1.4, which is half the time
    of cutting; and as chunks cannot form cycles the collector need not visit them. See
    docs/design/002-chunk-is-a-struct.md.)
    """

    number: int
    text: str
    overlap_text: str
    start: int
    end: int
    byte_start: int
    byte_end: int
    token_count: int | None
    heading_path: HeadingPath | None
    sections: tuple[Section, ...]
    oversize: bool
    fingerprint: Fingerprint
    break_level: BreakLevel = "end"
    source: str | None = None
    line: int | None = None

    @property
    def id(self) -> str:
        """32 hexadecimal digits, the same in every process for the same text, recipe and span."""
        return self.fingerprint.chunk_id(self.start, self.end)

    @property
    def pages(self) -> tuple[str, ...]:
        """The labels of the pages that the chunk touches, in order."""
        return page_labels(self.sections)

    @property
    def chapters(self) -> tuple[str, ...]:
        """The innermost chapters that the chunk touches, each after those it lies in.

        ``("Part I > Storm",)`` for a chunk of the chapter Storm of Part I.
        """
        return chapter_paths(self.sections)

    @property
    def citation(self) -> str:
        """Where to look it up: source, chapters or headings, pages, line, characters.

        ``book.pdf, "Storm", pp. 12-13, characters 1200-2100``; what is not known is left out. The
        line is that of the first visible character. The words are those of a search hit's citation.
        """
        blank = len(self.text) - len(self.text.lstrip())
        return cite(
            self.source,
            chapters=self.chapters,
            heading_path=self._heading_text,
            pages=self.pages,
            start=self.start,
            end=self.end,
            line=None if self.line is None else self.line + count_newlines(self.text[:blank]),
        )

    @property
    def _heading_text(self) -> str | None:
        return None if self.heading_path is None else str(self.heading_path)

    def with_context(self, headings: bool = True, overlap: bool = False) -> str:
        r"""The text after what a reader or a model needs to understand it.

        In this order: the heading path and a blank line, if `headings`; the overlap text, if
        `overlap`; the text. Overlap and text follow each other as in the source, with nothing
        between. Where there is no heading path, the chapter in which the chunk starts takes its
        place; without either, nothing is put before.

        >>> import cleanbreak as cb
        >>> for chunk in cb.split("# Boats\nOak floats. Iron too.", by="markdown", chunk_size=20):
        ...     print(repr(chunk.with_context()))
        '# Boats\n\n# Boats\nOak floats. '
        '# Boats\n\nIron too.'
        """
        above = self._heading_text or self._chapter_at_start() if headings else None
        before = self.overlap_text if overlap else ""
        return (f"{above}\n\n" if above else "") + before + self.text

    def _chapter_at_start(self) -> str | None:
        inside = [section for section in self.sections if section.span.start <= self.start]
        paths = chapter_paths(inside)
        return paths[0] if paths else None

    def record(self) -> ChunkRecord:
        """The chunk as worlds, indexes and exports store it."""
        return ChunkRecord(
            source_filename=self.source,
            chunk_number=self.number,
            chunk_id=self.id,
            chunk_text=self.text,
            overlap_text=self.overlap_text,
            character_start_offset=self.start,
            character_end_offset=self.end,
            byte_offset=self.byte_start,
            byte_length=self.byte_end - self.byte_start,
            token_count=self.token_count,
            heading_path=self._heading_text,
            sections=tuple(map(section_record, self.sections)),
            oversize=self.oversize,
            break_level=self.break_level,
        )

    def as_dict(self) -> dict[str, Any]:
        """The chunk as plain data, for JSON or one row of a table.

        The keys are the fields of `ChunkRecord`, the names that stored records use, and ``pages``
        and ``chapters``.

        >>> import json
        >>> import cleanbreak as cb
        >>> [chunk] = cb.split("A storm came.")
        >>> record = json.loads(json.dumps(chunk.as_dict()))
        >>> record["chunk_text"], record["byte_length"], record["break_level"]
        ('A storm came.', 13, 'end')
        """
        return self.record().as_dict()

    def __repr__(self) -> str:
        return f"Chunk(number={self.number}, start={self.start}, end={self.end})"


def section_record(section: Section) -> SectionRecord:
    """A page, chapter or heading as it is stored."""
    return SectionRecord(section.kind, section.title, section.level, *section.span)
