"""What kind of file it is, by its first bytes and its extension together.

Content that proves a kind wins over the name: a PDF called ``book.txt`` is read as a PDF, with a
warning. The extension decides between kinds whose files are all plain text.
"""

from enum import Enum
from pathlib import PurePath
from typing import NamedTuple

from cleanbreak.core.document import SourceWarning
from cleanbreak.errors import SourceUnsupportedError

HEAD_BYTES = 4096
"""How many of the first bytes `detect` needs."""


class Kind(Enum):
    """A kind of file that can be read; the value is its media type."""

    TEXT = "text/plain"
    MARKDOWN = "text/markdown"
    PDF = "application/pdf"
    EPUB = "application/epub+zip"


EXTENSIONS = {
    ".txt": Kind.TEXT,
    ".text": Kind.TEXT,
    ".md": Kind.MARKDOWN,
    ".markdown": Kind.MARKDOWN,
    ".mdown": Kind.MARKDOWN,
    ".mkd": Kind.MARKDOWN,
    ".pdf": Kind.PDF,
    ".epub": Kind.EPUB,
}
"""The kind of each extension, in lower case; case makes no difference."""

_PDF_MARK = b"%PDF-"
# Bytes of other data that PDF readers accept before the header (PDF 1.7, appendix H.3.4.1).
_PDF_HEADER_WITHIN = 1024
_EPUB_START = b"mimetypeapplication/epub+zip"
_EPUB_START_AT = 30  # after the header of the first zip entry (OCF 3.3, 4.3)

_FOREIGN = (
    # First bytes that no text has: their offset, the bytes, and what the file is.
    (0, b"\x89PNG", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"\x1f\x8b\x08", "a gzip archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"\xd0\xcf\x11\xe0", "an Office document of the old kind"),
    (0, b"SQLite format 3\0", "a SQLite database"),
    (0, b"\x7fELF", "a program"),
    (0, b"{\\rtf", "an RTF document"),
    (60, b"BOOKMOBI", "a Kindle book"),
)
_ZIP = b"PK\x03\x04"
_HTML = (b"<!doctype html", b"<html")


class Detected(NamedTuple):
    """The kind, and a warning if the extension is that of another kind."""

    kind: Kind
    warnings: tuple[SourceWarning, ...] = ()


def detect(name: str, head: bytes) -> Detected:
    """The kind of the file called `name` that starts with `head`.

    Raises:
        SourceUnsupportedError: if it is of no kind that can be read.
    """
    extension = PurePath(name).suffix.lower()
    named = EXTENSIONS.get(extension)
    proved = _proved(head)
    if proved is not None:
        return Detected(proved, () if named is proved else _mismatch(name, extension, proved))
    _refuse_foreign(name, head, named)
    if named is None and extension:
        raise _unsupported(name, f"a {extension[:20]!r} file", "if it is plain text, name it .txt")
    return Detected(named or Kind.TEXT)


def _proved(head: bytes) -> Kind | None:
    if head.startswith(_ZIP):
        return Kind.EPUB if head.startswith(_EPUB_START, _EPUB_START_AT) else None
    if _PDF_MARK not in head[:_PDF_HEADER_WITHIN]:
        return None
    # If it is not at the start, an object must follow it: prose may mention PDF headers too.
    starts = head.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(_PDF_MARK)
    return Kind.PDF if starts or b" obj" in head else None


def _refuse_foreign(name: str, head: bytes, named: Kind | None) -> None:
    for at, start, what in _FOREIGN:
        if head.startswith(start, at):
            raise _unsupported(name, what)
    if head.startswith(_ZIP) and named is not Kind.EPUB:
        raise _unsupported(name, "a zip archive (Office documents are zip archives too)")
    if named in (Kind.PDF, Kind.EPUB) and head.lstrip().lower().startswith(_HTML):
        raise _unsupported(name, "a web page")


def _unsupported(name: str, what: str, advice: str = "") -> SourceUnsupportedError:
    advice = advice or "convert it to text, Markdown, PDF or EPUB"
    return SourceUnsupportedError(f"{name!r} is {what}, which is not read; {advice}.", name=name)


def _mismatch(name: str, extension: str, kind: Kind) -> tuple[SourceWarning, ...]:
    if not extension:
        return ()
    message = (
        f"The name ends in {extension[:20]}, but the content is {kind.name}; read as {kind.name}."
    )
    return (SourceWarning("KIND_MISMATCH", message, place=name),)
