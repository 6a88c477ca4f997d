"""Routes of texts: what can be read, reading, and a stretch of a text."""

from typing import Any

import msgspec

from cleanbreak._version import __version__
from cleanbreak.core.chunk import SectionRecord, section_record
from cleanbreak.core.document import Document, Source
from cleanbreak.errors import RequestError
from cleanbreak.readers import EXTENSIONS, read
from cleanbreak.web.desk import Desk
from cleanbreak.web.endpoint import Endpoint, Stop
from cleanbreak.web.routes.settings import SplitterRecord, measures, splitters

MOST_CHARACTERS = 1_000_000
"""The longest stretch of a text in one answer."""


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    """A request without fields."""


class Formats(msgspec.Struct):
    """What this server can read and how it can cut."""

    version: str
    splitters: list[SplitterRecord]
    extensions: list[str]
    measures: list[str]
    max_upload_bytes: int


class NewText(msgspec.Struct, forbid_unknown_fields=True):
    """A text that was typed or pasted."""

    text: str
    name: str | None = None


class Upload(msgspec.Struct, forbid_unknown_fields=True):
    """A file to read."""

    data: bytes
    name: str
    as_format: str | None = None
    encoding: str | None = None
    furniture: str = "drop"


class DocumentId(msgspec.Struct, forbid_unknown_fields=True):
    """A document that is held."""

    document_id: str


class TextWindow(msgspec.Struct, forbid_unknown_fields=True):
    """A stretch of a document's text."""

    document_id: str
    start: int = 0
    end: int = MOST_CHARACTERS


class WarningOfSource(msgspec.Struct):
    """Something that a reader skipped, guessed or repaired."""

    code: str
    message: str
    count: int
    place: str | None


class DocumentRecord(msgspec.Struct):
    """A document that is held."""

    document_id: str
    source_filename: str | None
    media_type: str | None
    title: str | None
    authors: tuple[str, ...]
    language: str | None
    total_characters: int
    sections: tuple[SectionRecord, ...]
    warnings: tuple[WarningOfSource, ...]


class Documents(msgspec.Struct):
    """All documents that are held."""

    documents: list[DocumentRecord]


class TextRecord(msgspec.Struct):
    """A stretch of text."""

    character_start_offset: int
    character_end_offset: int
    text: str


def formats(desk: Desk, _asked: Nothing, _stop: Stop) -> Formats:
    """What can be read and cut."""
    return Formats(__version__, splitters(), sorted(EXTENSIONS), measures(), desk.limits.body_bytes)


def documents(desk: Desk, _asked: Nothing, _stop: Stop) -> Documents:
    """The documents that are held, and the files that the server was started with."""
    desk.read_files()
    return Documents([_record(key, document) for key, document in desk.documents.items()])


def new_text(desk: Desk, asked: NewText, _stop: Stop) -> DocumentRecord:
    """Hold a text."""
    return hold(desk, text_document(asked.text, asked.name))


def read_upload(desk: Desk, asked: Upload, _stop: Stop) -> DocumentRecord:
    """Read a file and hold its document."""
    how: dict[str, Any] = {"encoding": asked.encoding, "furniture": asked.furniture}
    return hold(desk, read(asked.data, asked.name, as_format=asked.as_format, **how))


def document(desk: Desk, asked: DocumentId, _stop: Stop) -> DocumentRecord:
    """A document that is held."""
    return _record(asked.document_id, desk.documents.get(asked.document_id))


def text(desk: Desk, asked: TextWindow, _stop: Stop) -> TextRecord:
    """A stretch of its text."""
    whole = desk.documents.get(asked.document_id).text
    start = min(max(asked.start, 0), len(whole))
    end = min(max(asked.end, start), len(whole), start + MOST_CHARACTERS)
    return TextRecord(start, end, whole[start:end])


def text_document(text: str, name: str | None) -> Document:
    """The document of a text; a name such as ``"shop.py"`` says what it is.

    Raises:
        RequestError: for a text that holds half of a surrogate pair.
    """
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise RequestError("The text is not Unicode: it holds half of a surrogate pair.") from None
    if name is None:
        return Document(text)
    return Document(text, source=Source(name.rpartition("/")[2], "text/plain", "", size=size))


def hold(desk: Desk, found: Document) -> DocumentRecord:
    """Keep a document on the desk."""
    return _record(desk.documents.add(found, len(found.text)), found)


def _record(key: str, document: Document) -> DocumentRecord:
    source, metadata = document.source, document.metadata
    return DocumentRecord(
        key,
        source.name if source else None,
        source.media_type if source else None,
        metadata.title,
        metadata.authors,
        metadata.language,
        len(document.text),
        tuple(map(section_record, document.sections)),
        tuple(WarningOfSource(w.code, w.message, w.count, w.place) for w in document.warnings),
    )


ENDPOINTS = (
    Endpoint("GET", "/formats", formats, Nothing, Formats, "What can be read and cut."),
    Endpoint("GET", "/documents", documents, Nothing, Documents, "The documents that are held."),
    Endpoint("POST", "/documents", new_text, NewText, DocumentRecord, "Hold a text."),
    Endpoint(
        "POST", "/documents/read", read_upload, Upload, DocumentRecord, "Read a file.", raw=True
    ),
    Endpoint(
        "GET", "/documents/{document_id}", document, DocumentId, DocumentRecord, "A document."
    ),
    Endpoint(
        "GET", "/documents/{document_id}/text", text, TextWindow, TextRecord, "A stretch of text."
    ),
)
