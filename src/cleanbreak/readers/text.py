"""Plain text: the characters of the file, newlines and all."""

import re
from dataclasses import replace
from itertools import pairwise

from cleanbreak.core.document import Document, Section, Source, SourceWarning, Span
from cleanbreak.errors import SourceUndecodableError
from cleanbreak.readers.chapters import chapters
from cleanbreak.readers.controls import clean, replaced
from cleanbreak.readers.encoding import Decoded, decode
from cleanbreak.readers.file import SourceFile, empty
from cleanbreak.readers.guess import UNSURE
from cleanbreak.readers.gutenberg import licence

_FORM_FEED = re.compile("\f")
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


def read_book(file: SourceFile, *, encoding: str | None = None) -> Document:
    """The document of a plain text file, with its pages, chapters and licence as sections.

    Raises:
        SourceError: as `read_text` does.
    """
    document = read_text(file, encoding=encoding)
    return replace(document, sections=_sections(document.text))


def _sections(text: str) -> tuple[Section, ...]:
    around = licence(text)
    start = around[0].span.end if around else 0
    end = around[1].span.start if len(around) > 1 else len(text)
    return (*_pages(text), *around, *chapters(text, start, end))


def _pages(text: str) -> tuple[Section, ...]:
    """A form feed ends a page."""
    if "\f" not in text:
        return ()
    ends = [found.end() for found in _FORM_FEED.finditer(text.rstrip())]
    return tuple(
        Section("page", str(number), 1, Span(start, end))
        for number, (start, end) in enumerate(pairwise([0, *ends, len(text)]), 1)
    )


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
