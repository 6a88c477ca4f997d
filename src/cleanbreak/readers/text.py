"""Plain text: the characters of the file, newlines and all."""

from cleanbreak.core.document import Document, Source
from cleanbreak.errors import SourceEmptyError
from cleanbreak.readers.controls import clean, replaced
from cleanbreak.readers.encoding import decode
from cleanbreak.readers.file import SourceFile


def read_text(
    file: SourceFile, *, encoding: str | None = None, media_type: str = "text/plain"
) -> Document:
    """The document of a text file, without sections.

    Raises:
        SourceUndecodableError: if the bytes are not text.
        SourceEmptyError: if there is nothing but white space.
    """
    decoded = decode(file.data, file.name, encoding)
    text, broken = clean(decoded.text)
    if not text or text.isspace():
        raise SourceEmptyError(f"{file.name!r} holds no text, or only white space.", name=file.name)
    source = Source(
        name=file.name,
        media_type=media_type,
        sha256=file.sha256,
        encoding=decoded.encoding,
        encoding_confidence=decoded.confidence,
        size=len(file.data),
    )
    return Document(text, source=source, warnings=replaced(broken))
