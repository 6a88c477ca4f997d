"""Readers: files into exact text with pages, chapters and warnings.

Importing this package loads no parser; each is imported when a file first needs it.
"""

import os
from pathlib import Path

from cleanbreak.core.document import Document
from cleanbreak.errors import SourceUnsupportedError
from cleanbreak.readers.encoding import check_encoding
from cleanbreak.readers.file import load
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits
from cleanbreak.readers.text import read_text

__all__ = ["DEFAULT_LIMITS", "Limits", "read"]

_TEXT_TYPES = {
    "": "text/plain",
    ".txt": "text/plain",
    ".text": "text/plain",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
}


def read(
    path: str | os.PathLike[str],
    *,
    encoding: str | None = None,
    password: str | None = None,  # noqa: ARG001 (the PDF reader's)
    limits: Limits | None = None,
) -> Document:
    """Read a file into a document: its text, sections, metadata and warnings.

    Args:
        path: the file.
        encoding: the encoding of a text file; found out if not given.
        password: of a PDF that needs one.
        limits: what reading may cost.

    Raises:
        SettingsError: if the encoding is unknown.
        SourceError: one of its kinds, each with ``details["name"]``.
    """
    encoding = check_encoding(encoding)
    file = load(path, limits or DEFAULT_LIMITS)
    media_type = _TEXT_TYPES.get(Path(file.name).suffix.lower())
    if media_type is None:
        raise SourceUnsupportedError(
            f"{file.name!r} is not a kind of file that is read; convert it to text, Markdown, "
            "PDF or EPUB.",
            name=file.name,
        )
    return read_text(file, encoding=encoding, media_type=media_type)
