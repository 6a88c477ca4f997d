"""What kind of file it is, by its first bytes and its extension together.

Content that proves a kind wins over the name: a PDF called ``book.txt`` is read as a PDF, with a
warning. The extension decides between kinds whose files are all plain text.
"""

from enum import Enum
from pathlib import PurePath
from typing import NamedTuple

from cleanbreak.core.code.languages import LANGUAGE_OF
from cleanbreak.core.document import SourceWarning
from cleanbreak.errors import SourceEncryptedError, SourceUnsupportedError

HEAD_BYTES = 4096
"""How many of the first bytes `detect` needs."""


class Kind(Enum):
    """A kind of file that can be read; the value is its media type."""

    TEXT = "text/plain"
    MARKDOWN = "text/markdown"
    PDF = "application/pdf"
    EPUB = "application/epub+zip"
    HTML = "text/html"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    ODT = "application/vnd.oasis.opendocument.text"
    RTF = "application/rtf"


_PROSE = (".txt", ".text")
_PLAIN = (".rst", ".adoc", ".org", ".tex", ".srt", ".vtt")

EXTENSIONS = {
    **dict.fromkeys((*_PROSE, *_PLAIN), Kind.TEXT),
    ".md": Kind.MARKDOWN,
    ".markdown": Kind.MARKDOWN,
    ".mdown": Kind.MARKDOWN,
    ".mkd": Kind.MARKDOWN,
    ".pdf": Kind.PDF,
    ".epub": Kind.EPUB,
    ".html": Kind.HTML,
    ".htm": Kind.HTML,
    ".xhtml": Kind.HTML,
    ".docx": Kind.DOCX,
    ".docm": Kind.DOCX,
    ".odt": Kind.ODT,
    ".rtf": Kind.RTF,
}
"""The kind of each extension, in lower case; case makes no difference. In folders these are read."""

_CODE = (
    ".c .cc .cpp .cs .go .h .hpp .java .jl .js .kt .lua .m .mjs .php .pl .py .pyi .r .rb .rs .scala"
)
_WEB = ".css .ts .tsx .vue"
_SCRIPTS = ".swift .bat .cfg .diff .ini .json .jsonl .patch .ps1 .sh .sql .toml .yaml .yml"
NAMED_ONLY = frozenset(f"{_CODE} {_WEB} {_SCRIPTS} .csv .log .tsv".split()) | LANGUAGE_OF.keys()
"""Extensions of source code, tables and logs: plain text too, but read only if the file is named,
or those of a language with a grammar if a folder of code is cut."""

_PDF_MARK = b"%PDF-"
# Bytes of other data that PDF readers accept before the header (PDF 1.7, appendix H.3.4.1).
_PDF_HEADER_WITHIN = 1024
# The first entry of a zip archive that says what it is, after the header (OCF 3.3, 4.3; ODF 1.3, 2.3.1).
_DECLARED = {
    b"mimetypeapplication/epub+zip": Kind.EPUB,
    b"mimetypeapplication/vnd.oasis.opendocument.textPK": Kind.ODT,
}
_DECLARED_AT = 30
_DOCX_ENTRIES = (b"[Content_Types].xml", b"word/")
_RTF_MARK = b"{\\rtf"

_FOREIGN = (
    # First bytes that no text has: their offset, the bytes, and what the file is.
    (0, b"\x89PNG", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"\x1f\x8b\x08", "a gzip archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"SQLite format 3\0", "a SQLite database"),
    (0, b"\x7fELF", "a program"),
)
_ZIP = b"PK\x03\x04"
_ZIPPED = (Kind.EPUB, Kind.DOCX, Kind.ODT)
_OLE = b"\xd0\xcf\x11\xe0"
_KINDLE = ((60, b"BOOKMOBI"), (0, b"TPZ"), (0, b"CONT\x02\0"), (0, b"\xeaDRMION\xee"))
KINDLE = (".mobi", ".prc", ".azw", ".azw1", ".azw3", ".azw4", ".kfx", ".kpf")
"""Extensions of Kindle books, which are refused with advice."""
_HTML = (b"<!doctype html", b"<html")


_AS_TEXT = 'if it is plain text, read it with as_format="text" (--as text)'


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
    named = Kind.TEXT if extension in NAMED_ONLY else EXTENSIONS.get(extension)
    proved = _proved(head)
    if proved is not None:
        return Detected(proved, () if named is proved else _mismatch(name, extension, proved))
    _refuse_foreign(name, head, named, extension)
    if named is None and extension:
        raise _unsupported(name, f"a {extension[:20]!r} file", _AS_TEXT)
    if named is None and head.lstrip().lower().startswith(_HTML):
        return Detected(Kind.HTML)
    return Detected(named or Kind.TEXT)


def is_prose(name: str) -> bool:
    """Whether a plain text of that name may be a book, with chapters; code and tables are none."""
    extension = PurePath(name).suffix.lower()
    return extension not in NAMED_ONLY and extension not in _PLAIN


def has_lines(name: str) -> bool:
    """Whether the text of a document of that name is that of the file, line by line.

    >>> [has_lines(name) for name in ("book.txt", "notes.md", "book.epub")]
    [True, True, False]
    """
    extension = PurePath(name).suffix.lower()
    kind = Kind.TEXT if extension in NAMED_ONLY else EXTENSIONS.get(extension)
    return kind in (Kind.TEXT, Kind.MARKDOWN)


def _proved(head: bytes) -> Kind | None:
    if head.startswith(_ZIP):
        for start, kind in _DECLARED.items():
            if head.startswith(start, _DECLARED_AT):
                return kind
        return Kind.DOCX if all(entry in head for entry in _DOCX_ENTRIES) else None
    if head.startswith(_RTF_MARK):
        return Kind.RTF
    if _PDF_MARK not in head[:_PDF_HEADER_WITHIN]:
        return None
    # If it is not at the start, an object must follow it: prose may mention PDF headers too.
    starts = head.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(_PDF_MARK)
    return Kind.PDF if starts or b" obj" in head else None


def _refuse_foreign(name: str, head: bytes, named: Kind | None, extension: str) -> None:
    for at, start, what in _FOREIGN:
        if head.startswith(start, at):
            raise _unsupported(name, what)
    is_kindle = any(head.startswith(start, at) for at, start in _KINDLE)
    if is_kindle or (named is None and extension in KINDLE):
        raise _unsupported(
            name, "a Kindle book", "convert it to EPUB, with Calibre's ebook-convert"
        )
    if head.startswith(_OLE) and named in (Kind.DOCX, Kind.ODT):
        raise SourceEncryptedError(
            f"{name!r} is locked with a password; save it without one.", name=name
        )
    if head.startswith(_OLE):
        what = "an Office document of the old kind"
        raise _unsupported(name, what, "save it as DOCX, with Word or LibreOffice")
    if head.startswith(_ZIP) and named not in _ZIPPED:
        raise _unsupported(name, "a zip archive")
    if named in (Kind.PDF, *_ZIPPED) and head.lstrip().lower().startswith(_HTML):
        raise _unsupported(name, "a web page")


def _unsupported(name: str, what: str, advice: str = "") -> SourceUnsupportedError:
    advice = advice or "convert it to text, Markdown, HTML, DOCX, PDF or EPUB"
    return SourceUnsupportedError(f"{name!r} is {what}, which is not read; {advice}.", name=name)


def _mismatch(name: str, extension: str, kind: Kind) -> tuple[SourceWarning, ...]:
    if not extension:
        return ()
    message = (
        f"The name ends in {extension[:20]}, but the content is {kind.name}; read as {kind.name}."
    )
    return (SourceWarning("KIND_MISMATCH", message, place=name),)
