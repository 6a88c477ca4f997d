"""`read`: a file into a document. The libraries of a reader are loaded when first needed."""

import os
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import BinaryIO

from cleanbreak.core.checks import one_of
from cleanbreak.core.document import Document
from cleanbreak.errors import SettingsError
from cleanbreak.readers.detect import HEAD_BYTES, Kind, detect, is_prose
from cleanbreak.readers.encoding import check_encoding
from cleanbreak.readers.file import SourceFile, load, peek, receive
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits
from cleanbreak.readers.own import own_reader, read_own

PASSWORD_VARIABLE = "CLEANBREAK_PDF_PASSWORD"  # noqa: S105 (the variable's name)
"""The environment variable with the password of PDFs, if none is given. Other users cannot see it in
the list of processes, as they can see an argument, and a resumed run finds it again."""

FURNITURE = ("drop", "keep")
"""What may become of running heads and feet."""

FORMATS = {"text": Kind.TEXT, "markdown": Kind.MARKDOWN, "html": Kind.HTML}
"""The kinds that a file can be read as on request. All are text, so no content refutes them."""

# Kinds with large parsers, whose files come from anywhere. They are read in a child process.
_HOSTILE = (Kind.PDF, Kind.EPUB, Kind.HTML, Kind.DOCX, Kind.ODT, Kind.RTF)


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of `cleanbreak.read`, checked."""

    encoding: str | None = None
    password: str | None = None
    furniture: str = "drop"
    limits: Limits = DEFAULT_LIMITS


def check_options(encoding: str | None, as_format: str | None, furniture: str) -> None:
    """Refuse what `read` would refuse, before there is a file.

    Raises:
        SettingsError: if the encoding is unknown, or one of the others is none of its words.
    """
    check_encoding(encoding)
    one_of("furniture", furniture, FURNITURE)
    if as_format is not None:
        one_of("as_format", as_format, tuple(FORMATS))


def read_here(
    source: str | os.PathLike[str] | SourceFile, kind: Kind, options: Options
) -> Document:
    """Read a file, or the one at a path, as `kind`, in this process.

    Raises:
        SourceError: a subclass of it.
    """
    file = source if isinstance(source, SourceFile) else load(source, options.limits)
    if kind is Kind.PDF:
        from cleanbreak.readers.pdf import read_pdf

        return read_pdf(
            file.data,
            file.name,
            password=options.password,
            furniture=options.furniture,
            limits=options.limits,
        )
    if kind is Kind.EPUB:
        from cleanbreak.readers.epub import read_epub

        return read_epub(file, limits=options.limits)
    if kind is Kind.HTML:
        from cleanbreak.readers.html.reader import read_html

        return read_html(file, encoding=options.encoding)
    if kind is Kind.DOCX:
        from cleanbreak.readers.office.docx import read_docx

        return read_docx(file, limits=options.limits)
    if kind is Kind.ODT:
        from cleanbreak.readers.office.odt import read_odt

        return read_odt(file, limits=options.limits)
    if kind is Kind.RTF:
        from cleanbreak.readers.office.rtf import read_rtf

        return read_rtf(file)
    if kind is Kind.MARKDOWN:
        from cleanbreak.readers.markdown import read_markdown

        return read_markdown(file, encoding=options.encoding)
    from cleanbreak.readers.text import read_book, read_text

    read_plain = read_book if is_prose(file.name) else read_text
    return read_plain(file, encoding=options.encoding)


def read(
    source: str | os.PathLike[str] | bytes | bytearray | BinaryIO,
    name: str | None = None,
    *,
    as_format: str | None = None,
    encoding: str | None = None,
    password: str | None = None,
    furniture: str = "drop",
    limits: Limits | None = None,
    isolate: bool = True,
) -> Document:
    """Read a file into a document: its text, sections, metadata and warnings.

    The reader is chosen by content and extension together. All but text and Markdown is read in a child
    process, within the limits of time and memory, so a damaged or hostile file is an error and
    not a crash. Files of a suffix that has a reader of your own (`register_reader`) are read by it.

    Args:
        source: the path of a file, its bytes, or a file object that is open in binary mode.
        name: the file's name, which must be given with bytes and file objects: its extension
            decides between kinds of plain text, and errors and citations name it.
        as_format: ``"text"``, ``"markdown"`` or ``"html"`` reads the file as that, also if its name says
            otherwise.
        encoding: the encoding of a text file; detected if not given.
        password: for a PDF that needs one; by default the value of ``CLEANBREAK_PDF_PASSWORD``.
        furniture: of a PDF, ``"drop"`` leaves out running heads and feet, and a warning counts
            them; ``"keep"`` puts them in square brackets after the paragraph that they interrupt.
        limits: what reading may cost.
        isolate: false to read every file in this process, without limits of time and
            memory; for callers that have limits of their own.

    Raises:
        SettingsError: if `source` is none of these or has no name, the encoding is unknown, or
            `furniture` or `as_format` is none of these words.
        SourceError: a subclass of it, with the name of the file in ``details["name"]``.

    >>> [section.title for section in read(b"# Goats", name="note.md").sections]
    ['Goats']
    """
    password = password or os.environ.get(PASSWORD_VARIABLE)
    check_options(encoding, as_format, furniture)
    options = Options(check_encoding(encoding), password, furniture, limits or DEFAULT_LIMITS)
    taken = _taken(source, name, options.limits)
    if isinstance(taken, SourceFile):
        name, head = taken.name, taken.data[:HEAD_BYTES]
    else:
        name, head = peek(taken, HEAD_BYTES, options.limits)
    own = None if as_format else own_reader(PurePath(name).suffix)
    if own is not None:
        return read_own(
            taken if isinstance(taken, SourceFile) else load(taken, options.limits), own
        )
    kind, warnings = (FORMATS[as_format], ()) if as_format else detect(name, head)
    if isolate and kind in _HOSTILE:
        from cleanbreak.readers.isolate import read_isolated

        document = read_isolated(taken, kind, options)
    else:
        document = read_here(taken, kind, options)
    return replace(document, warnings=(*warnings, *document.warnings)) if warnings else document


def _taken(
    source: str | os.PathLike[str] | bytes | bytearray | BinaryIO, name: str | None, limits: Limits
) -> str | os.PathLike[str] | SourceFile:
    """A path as it is, as its reader may be another process; anything else with its bytes."""
    # Never a path: errors and records show it.
    file_name = None if name is None else PurePath(str(name)).name
    if file_name == "":
        raise SettingsError("name", name, "the name of a file, such as 'book.pdf'")
    if isinstance(source, str | os.PathLike):
        return source if file_name is None else replace(load(source, limits), name=file_name)
    if isinstance(source, bytearray):
        source = bytes(source)
    if not isinstance(source, bytes) and not callable(getattr(source, "read", None)):
        rule = "the path of a file, its bytes, or a file object open in binary mode"
        raise SettingsError("source", type(source), rule)
    if file_name is None:
        rule = "the file's name, such as 'book.pdf', where the source is bytes or a file object"
        raise SettingsError("name", None, rule)
    return receive(source, file_name, limits)
