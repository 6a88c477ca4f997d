"""`read`: a file into a document. The libraries of a reader are loaded when first needed."""

import os
from dataclasses import dataclass, replace

from cleanbreak.core.checks import one_of
from cleanbreak.core.document import Document
from cleanbreak.errors import SettingsError
from cleanbreak.readers.detect import HEAD_BYTES, Kind, detect
from cleanbreak.readers.encoding import check_encoding
from cleanbreak.readers.file import load, peek
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits

PASSWORD_VARIABLE = "CLEANBREAK_PDF_PASSWORD"  # noqa: S105 (the variable's name)
"""The environment variable with the password of PDFs, if none is given. Other users cannot see it in
the list of processes, as they can see an argument, and a resumed run finds it again."""

FURNITURE = ("drop", "keep")
"""What may become of running heads and feet."""

# Kinds with large parsers, whose files come from anywhere. They are read in a child process.
_HOSTILE = (Kind.PDF, Kind.EPUB, Kind.HTML, Kind.DOCX, Kind.ODT, Kind.RTF)


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of `cleanbreak.read`, checked."""

    encoding: str | None = None
    password: str | None = None
    furniture: str = "drop"
    limits: Limits = DEFAULT_LIMITS


def read_here(path: str | os.PathLike[str], kind: Kind, options: Options) -> Document:
    """Read the file at `path` as `kind`, in this process.

    Raises:
        SourceError: a subclass of it.
    """
    file = load(path, options.limits)
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
    from cleanbreak.readers.text import read_book

    return read_book(file, encoding=options.encoding)


def read(
    path: str | os.PathLike[str],
    *,
    encoding: str | None = None,
    password: str | None = None,
    furniture: str = "drop",
    limits: Limits | None = None,
    isolate: bool = True,
) -> Document:
    """Read a file into a document: its text, sections, metadata and warnings.

    The reader is chosen by content and extension together. All but text and Markdown is read in a child
    process, within the limits of time and memory, so a damaged or hostile file is an error and
    not a crash.

    Args:
        path: the file: plain text, Markdown, HTML, EPUB, PDF, DOCX, ODT or RTF.
        encoding: the encoding of a text file; detected if not given.
        password: for a PDF that needs one; by default the value of ``CLEANBREAK_PDF_PASSWORD``.
        furniture: of a PDF, ``"drop"`` leaves out running heads and feet, and a warning counts
            them; ``"keep"`` puts them in square brackets after the paragraph that they interrupt.
        limits: what reading may cost.
        isolate: false to read every file in this process, without limits of time and
            memory; for callers that have limits of their own.

    Raises:
        SettingsError: if `path` is not a path, the encoding is unknown, or `furniture` is neither
            of these words.
        SourceError: a subclass of it, with the name of the file in ``details["name"]``.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     note = pathlib.Path(folder, "note.md")
    ...     _ = note.write_text("# Goats", encoding="utf-8")
    ...     [section.title for section in read(note).sections]
    ['Goats']
    """
    if not isinstance(path, str | os.PathLike):
        raise SettingsError("path", type(path), "the path of a file")
    password = password or os.environ.get(PASSWORD_VARIABLE)
    one_of("furniture", furniture, FURNITURE)
    options = Options(check_encoding(encoding), password, furniture, limits or DEFAULT_LIMITS)
    name, head = peek(path, HEAD_BYTES, options.limits)
    kind, warnings = detect(name, head)
    if isolate and kind in _HOSTILE:
        from cleanbreak.readers.isolate import read_isolated

        document = read_isolated(path, kind, options)
    else:
        document = read_here(path, kind, options)
    return replace(document, warnings=(*warnings, *document.warnings)) if warnings else document
