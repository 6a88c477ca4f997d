"""What is text in a note's file and no words of the note: data of pictures and drawings."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cleanbreak.core.document import Span

# A picture inside the note (RFC 2397), to the end of the link or attribute; base64 may be wrapped.
_DATA = re.compile(r"data:[a-zA-Z]+/[\w.+-]+[;,][^\s)>\"'\]]*(?:\r?\n[A-Za-z0-9+/=]{40,})*")
# The drawing in a note of the Excalidraw plugin: a fence, or a bare line in old ones.
_FENCE = re.compile(r"^```(?:compressed-)?json[ \t]*\r?\n(?>(?:(?!```)[^\n]*\n)*)", re.MULTILINE)
_BARE = re.compile(r"^\{\"type\":\"excalidraw\"[^\r\n]*", re.MULTILINE)
_DRAWING = "excalidraw-plugin"


def opaque_spans(text: str, properties: Mapping[str, Any]) -> list[Span]:
    """The spans that a search is not to look in, in order, without overlaps.

    >>> opaque_spans("![cat](data:image/png;base64,iVBORw0KGgo=) sleeps", {})
    [Span(start=7, end=41)]
    """
    found: list[Span] = []
    for span in sorted(_spans(text, properties)):
        if not found or span.start >= found[-1].end:
            found.append(span)
    return found


def _spans(text: str, properties: Mapping[str, Any]) -> Iterator[Span]:
    if "data:" in text:
        yield from (Span(*match.span()) for match in _DATA.finditer(text))
    if _DRAWING in properties:
        for pattern in (_FENCE, _BARE):
            yield from (Span(*match.span()) for match in pattern.finditer(text))
