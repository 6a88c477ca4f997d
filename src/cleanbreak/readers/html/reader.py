"""Web pages into documents."""

import re
from html import unescape

from cleanbreak.core.document import Document, Metadata
from cleanbreak.errors import SourceLimitError
from cleanbreak.readers.encoding import decode
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.html.document import document_of
from cleanbreak.readers.html.frame import TooDeep
from cleanbreak.readers.html.markup import prepare
from cleanbreak.readers.html.styles import read_styles
from cleanbreak.readers.html.text import read_chapter
from cleanbreak.readers.messages import Warnings

_HEAD_WITHIN = 1 << 18
_TITLE = re.compile(r"<title\b[^>]*>([^<]*)</title", re.IGNORECASE)
_AUTHOR = re.compile(r"<meta\b(?=[^>]*\bname\s*=\s*[\"']?author\b)[^>]*\bcontent\s*=\s*[\"']([^\"'<>]*)", re.IGNORECASE)  # fmt: skip
_LANGUAGE = re.compile(r"<html\b[^>]*\blang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style", re.DOTALL | re.IGNORECASE)


def read_html(file: SourceFile, *, encoding: str | None = None) -> Document:
    """The document of an HTML or XHTML file; its headings are sections.

    Nothing is fetched: scripts are not run, and of style sheets only those in the page are read.

    Raises:
        SourceUndecodableError: if the bytes are not text in the `encoding` that is given.
        SourceEmptyError: if there is no text.
        SourceLimitError: if elements are nested too deep.
    """
    warnings = Warnings()
    data = file.data if encoding is None else decode(file.data, file.name, encoding).text.encode()
    markup = prepare(data)
    if markup.guessed:
        warnings.add("ENCODING_GUESSED", markup.guessed)
    warnings.add("TEXT_DAMAGED", None, markup.misfits)
    warnings.add("ENTITY_UNRESOLVED", None, markup.unresolved)
    head = markup.utf8[:_HEAD_WITHIN].decode("utf-8", "replace")
    language = _LANGUAGE.search(head)
    try:
        chapter = read_chapter(
            markup,
            language=language[1] if language else "",
            styles=read_styles(_STYLE.findall(head)),
        )
    except TooDeep:
        raise SourceLimitError(
            f"{file.name!r} nests its elements too deep to be read; it may be made to do so.",
            name=file.name,
        ) from None
    metadata = Metadata(
        title=_words(_TITLE.search(head)),
        authors=tuple(filter(None, [_words(_AUTHOR.search(head))])),
        language=language[1] if language else None,
    )
    return document_of(file, "text/html", chapter, metadata, warnings)


def _words(found: re.Match[str] | None) -> str | None:
    return " ".join(unescape(found[1]).split()) or None if found else None
