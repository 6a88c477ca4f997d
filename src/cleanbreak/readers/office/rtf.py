"""RTF files into documents, after the RTF specification 1.9.1."""

import re

from cleanbreak.core.document import Document, Metadata
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.html.document import document_of
from cleanbreak.readers.messages import Warnings
from cleanbreak.readers.office.rtf_body import Body

MEDIA_TYPE = "application/rtf"
_LONGEST = 1 << 16


def read_rtf(file: SourceFile) -> Document:
    """The document of an RTF file: its text with tracked changes accepted.

    Headings are sections. Footnotes and text boxes stand after the paragraph in which they are
    anchored, or the table around it.

    Raises:
        SourceEmptyError: if it has no text.
    """
    warnings = Warnings()
    body = Body(warnings)
    if not body.write(file.data):
        warnings.add("FILE_TRUNCATED")
    chapter = body.chapter()
    title, author = _field(body.info, b"title"), _field(body.info, b"author")
    metadata = Metadata(title=title, authors=(author,) if author else ())
    return document_of(file, MEDIA_TYPE, chapter, metadata, warnings)


def _field(info: bytes, name: bytes) -> str | None:
    """A field of the information group, in the characters of the document."""
    found = re.search(rb"\{\\" + name + rb" (.*?)(?<!\\)\}", info[:_LONGEST], re.DOTALL)
    if found is None:
        return None
    body = Body(Warnings())
    body.write(found[1])
    return " ".join(body.chapter().text.split()) or None
