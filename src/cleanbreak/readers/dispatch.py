"""From a kind of file to its reader. Each reader's libraries are loaded when first needed."""

import os
from dataclasses import dataclass

from cleanbreak.core.document import Document
from cleanbreak.readers.detect import Kind
from cleanbreak.readers.file import load
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller of `cleanbreak.read` asked for, checked."""

    encoding: str | None = None
    password: str | None = None
    drop_furniture: bool = False
    limits: Limits = DEFAULT_LIMITS


def read_here(path: str | os.PathLike[str], kind: Kind, options: Options) -> Document:
    """Read the file at `path` as `kind`, in this process.

    Raises:
        SourceError: one of its kinds.
    """
    file = load(path, options.limits)
    if kind is Kind.PDF:
        from cleanbreak.readers.pdf import read_pdf

        return read_pdf(
            file.data,
            file.name,
            password=options.password,
            drop_furniture=options.drop_furniture,
            limits=options.limits,
        )
    if kind is Kind.EPUB:
        from cleanbreak.readers.epub import read_epub

        return read_epub(file, limits=options.limits)
    if kind is Kind.MARKDOWN:
        from cleanbreak.readers.markdown import read_markdown

        return read_markdown(file, encoding=options.encoding)
    from cleanbreak.readers.text import read_text

    return read_text(file, encoding=options.encoding)
