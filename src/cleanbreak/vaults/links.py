"""The links of a note: wikilinks, Markdown links to files, and wikilinks in its front matter."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from cleanbreak.core.document import Span
from cleanbreak.core.markdown.front_matter import FrontMatter
from cleanbreak.core.markdown.parser import Link
from cleanbreak.stores.fulltext.rows import LinkRow
from cleanbreak.vaults.flavour import Flavour
from cleanbreak.vaults.names import NOTE_SUFFIXES

_EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_DENDRON = re.compile(r"dendron://[^/]*/")
_PAGE = re.compile(r"\[\[([^\[\]]+)\]\]|\(\([^()]*\)\)")
_NEWLINE = re.compile(r"[\r\n]")
# What stands before a value of YAML that is not quoted. A string without quotes starts with no bracket.
_BARE = re.compile(r"(?:[:,\[-]|^)\s*\Z", re.MULTILINE)
_SUFFIX = re.compile(r"\.\w+$")
# A link of Hugo: [text]({{< relref "page.md#part" >}}), also with ref, %, other quotes, or path="page.md".
_SHORTCODE = re.compile(
    r"""!?\[[^\[\]]*\]\(\s*\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?(["`]?)([^\r\n"`]+?)\1(?:\s[^\r\n]*?)?\s*/?[>%]\}\}\s*\)"""
)
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]\r\n|]+)(?:\|[^\[\]\r\n]*)?\]\]")


def target_of(
    link: Link, text: str, flavour: Flavour = "obsidian"
) -> tuple[str, str | None] | None:
    """The file that a link names and the fragment in it; ``None`` if it points out of the vault.

    ``[[]]`` and ``[text]()`` are unfinished links: they name nothing. Dendron writes the text of a
    link before its target, ``[[text|target]]``, and may name the vault, ``dendron://vault/target``.
    """
    if not link.destination.strip():
        return None
    if link.wiki:
        if _NEWLINE.search(text, *link.span):
            return None  # two brackets and two brackets, not a link
        if flavour == "dendron":
            inside = text[link.span.start : link.span.end].lstrip("![").rstrip("]")
            target = _DENDRON.sub("", inside.rpartition("|")[2].strip())
            if "://" in target:
                return None
            # A block may also be named without "#".
            return _split_fragment(target if "#" in target else target.replace("^", "#^", 1))
        return None if "://" in link.destination else _split_fragment(link.destination)
    if _EXTERNAL.match(link.destination) or text[link.span.start] == "<":
        return None
    if page := _PAGE.fullmatch(link.destination.strip()):
        # Of Logseq: [text]([[Page]]), and [text](((id of a block))), which names no page.
        return _split_fragment(page[1]) if page[1] else None
    target, fragment = _split_fragment(link.destination)
    return unquote(_without_query(target)), unquote(fragment) if fragment else fragment


def _without_query(target: str) -> str:
    """Without what follows a ``?`` after a file suffix; in ``Why?.md`` it belongs to the name."""
    path, _, query = target.partition("?")
    is_query = _SUFFIX.search(path) and not query.lower().endswith(NOTE_SUFFIXES)
    return path if is_query else target


def shortcode_links(text: str) -> Iterator[LinkRow]:
    """The links that Hugo's shortcodes ``ref`` and ``relref`` make, also those in code."""
    if "{{" not in text:
        return
    for match in _SHORTCODE.finditer(text):
        target, fragment = _split_fragment(match[2])
        yield LinkRow("markdown", False, target, fragment, *match.span(), 0)


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
    surplus: dict[str, int] = {}
    for match in _WIKILINK.finditer(text, *front.body):
        surplus[match[0]] = surplus.get(match[0], -words.count(match[0])) + 1
    for match in _WIKILINK.finditer(text, *front.body):
        if surplus[match[0]] > 0 and _BARE.search(text[front.body.start : match.start()]):
            surplus[match[0]] -= 1
        elif match[0] in words:
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
