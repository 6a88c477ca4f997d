"""The links of a note: wikilinks, Markdown links to files, and wikilinks in its front matter."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from cleanbreak.core.document import Span
from cleanbreak.core.markdown.front_matter import FrontMatter
from cleanbreak.core.markdown.parser import Link

_EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]\r\n|]+)(?:\|[^\[\]\r\n]*)?\]\]")


def target_of(link: Link, text: str) -> tuple[str, str | None] | None:
    """The file that a link names and the fragment in it; ``None`` if it points out of the vault.

    ``[[]]`` and ``[text]()`` are unfinished links: they name nothing.
    """
    if not link.destination.strip():
        return None
    if link.wiki:
        return None if "://" in link.destination else _split_fragment(link.destination)
    if _EXTERNAL.match(link.destination) or text[link.span.start] == "<":
        return None
    target, fragment = _split_fragment(link.destination)
    return unquote(target.partition("?")[0]), unquote(fragment) if fragment else fragment


def property_links(
    text: str, front: FrontMatter, properties: Mapping[str, Any]
) -> Iterator[tuple[str, str | None, Span]]:
    """The wikilinks in string values of the front matter: (target, fragment, span).

    The source text gives the spans. A match counts only if a string value contains it, because
    ``[[a]]`` without quotes is a list in a list in YAML.
    """
    words = "\n".join(_words(properties))
    if "[[" not in words:
        return
    for match in _WIKILINK.finditer(text, front.body.start, front.body.end):
        if match[0] in words:
            yield (*_split_fragment(match[2]), Span(*match.span()))


def _split_fragment(destination: str) -> tuple[str, str | None]:
    target, mark, fragment = destination.partition("#")
    return target.strip(), fragment.strip() if mark else None


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _words(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
