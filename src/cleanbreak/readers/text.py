"""Plain text: the characters of the file, newlines and all."""

from cleanbreak.core.document import Document, Source, SourceWarning
from cleanbreak.errors import SourceUndecodableError
from cleanbreak.readers.controls import clean, replaced
from cleanbreak.readers.encoding import Decoded, decode
from cleanbreak.readers.file import SourceFile, empty
from cleanbreak.readers.guess import UNSURE

_UTF8 = ("utf-8", "utf-8-sig")
# A file is not text if more control characters than this had to be replaced, and these are more than
# a tenth of its characters.
_TOLERATED_CONTROLS = 16
_CONTROL_SHARE = 10


def read_text(
    file: SourceFile, *, encoding: str | None = None, media_type: str = "text/plain"
) -> Document:
    """The document of a text file, without sections.

    Raises:
        SourceUndecodableError: if the bytes are not text.
        SourceEmptyError: if there is only white space.
    """
    decoded = decode(file.data, file.name, encoding)
    is_utf8 = decoded.encoding in _UTF8 and not decoded.truncated
    text, broken = clean(decoded.text, file.data if is_utf8 else None)
    if not text or text.isspace():
        raise empty(file.name)
    if broken > _TOLERATED_CONTROLS and broken * _CONTROL_SHARE > len(text):
        raise SourceUndecodableError(
            f"{file.name!r} is not text: {broken:,} of its {len(text):,} characters are controls.",
            name=file.name,
            controls=broken,
            characters=len(text),
        )
    source = Source(
        name=file.name,
        media_type=media_type,
        sha256=file.sha256,
        encoding=decoded.encoding,
        encoding_confidence=decoded.confidence,
        size=len(file.data),
    )
    warnings = (*_encoding_warnings(decoded, len(file.data)), *replaced(broken))
    return Document(text, source=source, warnings=warnings)


def _encoding_warnings(decoded: Decoded, size: int) -> list[SourceWarning]:
    warnings = []
    if decoded.confidence < UNSURE:
        message = (
            f"The encoding cannot be known from the bytes: read as {decoded.encoding} "
            f"(confidence {decoded.confidence:.2f}); check the letters and name the encoding."
        )
        warnings.append(SourceWarning("ENCODING_UNSURE", message))
    elif decoded.confidence < 1.0:
        message = (
            f"The encoding was guessed as {decoded.encoding} "
            f"(confidence {decoded.confidence:.2f}); name it if letters look wrong."
        )
        warnings.append(SourceWarning("ENCODING_GUESSED", message))
    if decoded.strays:
        message = "Bytes that are not UTF-8 were read as cp1252; check the letters there."
        warnings.append(SourceWarning("ENCODING_MIXED", message, decoded.strays))
    if decoded.truncated:
        message = "The file ends inside a character; U+FFFD stands for it."
        warnings.append(SourceWarning("TEXT_TRUNCATED", message, place=f"byte {size:,}"))
    return warnings
