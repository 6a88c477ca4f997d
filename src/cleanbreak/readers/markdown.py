"""Markdown: the text as it is, its front matter as metadata and its headings as sections.

The text keeps front matter and markup, so that its offsets are those of the decoded file.
"""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from cleanbreak.core.document import Document, Metadata, SourceWarning
from cleanbreak.core.markdown.front_matter import front_matter
from cleanbreak.core.markdown.parser import headings
from cleanbreak.readers import properties
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.text import read_text


def read_markdown(file: SourceFile, *, encoding: str | None = None) -> Document:
    """The document of a Markdown file.

    Raises:
        SourceUndecodableError: if the bytes are not text.
        SourceEmptyError: if there is nothing but white space.
    """
    document = read_text(file, encoding=encoding, media_type="text/markdown")
    metadata, warnings = _read_properties(document.text)
    return replace(
        document,
        sections=headings(document.text),
        metadata=metadata,
        warnings=(*document.warnings, *warnings),
    )


def _read_properties(text: str) -> tuple[Metadata, tuple[SourceWarning, ...]]:
    front = front_matter(text)
    if front is None:
        return Metadata(), ()
    try:
        found = properties.of(text, front)
    except properties.PropertiesError as error:
        message = f"The front matter was left as text: {error}."
        return Metadata(), (SourceWarning("FRONT_MATTER_INVALID", message, place="line 1"),)
    return (
        Metadata(
            title=_words(found.get("title")),
            authors=_names(found.get("authors", found.get("author"))),
            language=_words(found.get("language", found.get("lang"))),
            properties=MappingProxyType(found),
        ),
        (),
    )


def _words(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _names(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    return tuple(name for name in listed if _words(name))
