"""What a framework's document says of a chunk: flat, plain values; and the way of sections there."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, Section, Source, Span
from cleanbreak.readers.detect import has_lines
from cleanbreak.retrieval import Hit

SECTIONS = "cleanbreak_sections"
"""The key under which a whole document carries its pages and chapters to a splitter.

Each is ``[kind, title, level, start, end]``. The splitters use it and leave it out of their chunks.
"""


class _Cited(Protocol):
    """What `Chunk` and `Hit` have in common."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def pages(self) -> tuple[str, ...]: ...
    @property
    def chapters(self) -> tuple[str, ...]: ...
    @property
    def citation(self) -> str: ...


def of_document(document: Document) -> dict[str, Any]:
    """The metadata of a whole document: its name, title, authors, language and sections.

    What the source does not say is left out.
    """
    said = {
        "file_name": document.source.name if document.source else None,
        "title": document.metadata.title,
        "author": ", ".join(document.metadata.authors),
        "language": document.metadata.language,
        SECTIONS: [[s.kind, s.title, s.level, *s.span] for s in document.sections],
    }
    return {key: value for key, value in said.items() if value}


def to_document(text: str, metadata: Mapping[str, Any]) -> Document:
    """The document that a framework's text and metadata stand for.

    Sections come from `SECTIONS`, the name for citations from ``file_name`` or ``source``.
    """
    sections = tuple(
        Section(kind, title, level, Span(start, end))
        for kind, title, level, start, end in metadata.get(SECTIONS, ())
    )
    name = str(metadata.get("file_name") or metadata.get("source") or "")
    name = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return Document(text, sections=sections, source=_source(name) if name else None)


def _source(name: str) -> Source:
    # Only a plain text is cited by its lines.
    media_type = "text/plain" if has_lines(name) else "application/octet-stream"
    return Source(name, media_type, sha256="")


def of_chunk(chunk: Chunk) -> dict[str, Any]:
    """The metadata of a chunk; what is not known is left out.

    ``page_label`` is the page and ``chapter`` the chapter in which it starts.
    """
    heading_path = None if chunk.heading_path is None else str(chunk.heading_path)
    return _known(chunk, chunk.id, heading_path) | _known_counts(chunk)


def of_hit(hit: Hit) -> dict[str, Any]:
    """The metadata of a hit: that of its chunk, the book or note it stands in, and the score."""
    return {
        "source": hit.source_path or hit.source_name,
        "title": hit.source_title,
        **_known(hit, hit.chunk_id, hit.heading_path),
        "score": hit.score,
    }


def _known(cited: _Cited, chunk_id: str, heading_path: str | None) -> dict[str, Any]:
    fields = {
        "start_index": cited.start,
        "end_index": cited.end,
        "chunk_number": cited.number,
        "chunk_id": chunk_id,
        "page_label": _first(cited.pages),
        "chapter": _first(cited.chapters),
        "heading_path": heading_path,
        "citation": cited.citation,
    }
    return {key: value for key, value in fields.items() if value is not None}


def _known_counts(chunk: Chunk) -> dict[str, Any]:
    counts = {"token_count": chunk.token_count, "break_level": chunk.break_level}
    return {key: value for key, value in counts.items() if value is not None}


def _first(names: Sequence[str]) -> str | None:
    return names[0] if names else None
