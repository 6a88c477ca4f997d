"""What a reader makes and a splitter takes: exact text, with where it came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from cleanbreak.errors import SettingsError


class Span(NamedTuple):
    """A stretch of text: code point offsets, the end exclusive."""

    start: int
    end: int


SectionKind = Literal["page", "chapter", "heading", "figure", "licence"]


@dataclass(frozen=True, slots=True)
class Section:
    """A named stretch of a document.

    Pages partition the text. Chapters (from an outline or a table of contents) and headings
    nest: a section ends where the next one of the same or a higher level starts. ``title`` is a
    page's label ("iv", "12") where it has one. Levels count from 1. A figure is a picture: its title
    is the caption, or else what the source gives in its place, and its span is that of the caption in
    the text, empty where it has none. A licence is text around a book that is no part of it, such as
    that of Project Gutenberg.
    """

    kind: SectionKind
    title: str
    level: int
    span: Span


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document came from. ``name`` is a file name, never a path."""

    name: str
    media_type: str
    sha256: str
    encoding: str | None = None
    encoding_confidence: float | None = None
    """1.0 where the encoding is proved (a byte order mark, strict UTF-8), less where guessed."""
    size: int | None = None
    """Bytes of the source file."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the source says of itself. ``properties`` is the front matter of a note, as plain data."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    language: str | None = None
    properties: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> tuple[Any, ...]:
        # A mappingproxy cannot be pickled, and documents travel to worker processes.
        return (_metadata, (self.title, self.authors, self.language, dict(self.properties)))


def _metadata(
    title: str | None, authors: tuple[str, ...], language: str | None, properties: dict[str, Any]
) -> Metadata:
    return Metadata(title, authors, language, MappingProxyType(properties))


@dataclass(frozen=True, slots=True)
class SourceWarning:
    """Something a reader skipped, guessed or repaired.

    ``code`` is stable and upper case (``PAGE_WITHOUT_TEXT``); ``message`` is for a person;
    ``count`` is how often; ``place`` says where ("pages 3, 7", a name inside the archive).
    """

    code: str
    message: str
    count: int = 1
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """Text, its sections, and where it came from. The text is exact: offsets index it."""

    text: str = field(repr=False)
    sections: tuple[Section, ...] = ()
    metadata: Metadata = Metadata()
    source: Source | None = None
    warnings: tuple[SourceWarning, ...] = ()


def as_document(source: object) -> Document:
    """A document as it is, a string as a document without sections.

    Raises:
        SettingsError: if `source` is neither. A path is refused on purpose: reading files is the
            work of `cleanbreak.read`. Only its type is named, as bytes may be the text of a source.
    """
    if isinstance(source, Document):
        return source
    if isinstance(source, str):
        return Document(source)
    raise SettingsError(
        "source", type(source), "a string or a Document; cleanbreak.read makes one of a file"
    )
