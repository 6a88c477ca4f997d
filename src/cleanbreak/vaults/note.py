"""A note: reads its file once and extracts all that the index stores."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cleanbreak.core.document import Span
from cleanbreak.core.markdown.front_matter import front_matter
from cleanbreak.core.markdown.parser import Link, Prose, inlines
from cleanbreak.core.text.characters import count_newlines
from cleanbreak.errors import SourceMalformedError
from cleanbreak.readers import DEFAULT_LIMITS, properties
from cleanbreak.readers.file import SourceFile, load
from cleanbreak.readers.text import read_text
from cleanbreak.stores.fulltext.rows import LinkRow, TagRow
from cleanbreak.vaults.canvas import SUFFIX as CANVAS_SUFFIX
from cleanbreak.vaults.canvas import CanvasError, read_canvas
from cleanbreak.vaults.flavour import Flavour, listed, page_properties
from cleanbreak.vaults.links import property_links, shortcode_links, target_of
from cleanbreak.vaults.opaque import opaque_spans
from cleanbreak.vaults.scan import Problem
from cleanbreak.vaults.tags import front_matter_tags, inline_tags, is_tagged, may_hold_tags


@dataclass(frozen=True, slots=True)
class Note:
    """A note or canvas of a vault; ``key`` is its path in the vault, with forward slashes."""

    key: str
    text: str = field(repr=False)
    digest: str
    title: str
    aliases: tuple[str, ...]
    links: tuple[LinkRow, ...]
    tags: tuple[TagRow, ...]
    problems: tuple[Problem, ...]
    """Warnings: an encoding that was guessed, front matter that is broken."""
    opaque: tuple[Span, ...] = ()
    """What a search is not to look in: the data of pictures and drawings."""
    kind: str = "note"
    authors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's name."""
        return self.key.rpartition("/")[2]

    @property
    def tag_names(self) -> tuple[str, ...]:
        """The note's tags, each once, in its first spelling."""
        named = {tag.tag.casefold(): tag.tag for tag in reversed(self.tags)}
        return tuple(dict.fromkeys(named[tag.tag.casefold()] for tag in self.tags))


def read_note(vault: Path, key: str, flavour: Flavour = "obsidian", encoding: str = "auto") -> Note:
    """Read the note or canvas at path `key` of the vault, which the program `flavour` wrote.

    `encoding` is for notes that are not UTF-8.

    Raises:
        SourceError: if it cannot be opened, is too large, or is not text.
    """
    file = load(vault / key, DEFAULT_LIMITS)
    if key.lower().endswith(CANVAS_SUFFIX):
        return _read_canvas(file, key)
    text, problems = _decode(file, key, encoding)
    front = front_matter(text)
    found: Mapping[str, Any] = {}
    if front:
        try:
            found = properties.of(text, front)
        except properties.PropertiesError as error:
            found = properties.readable(text, front)
            message = f"The front matter is broken: {error}; what can be read of it is used."
            problems.append(Problem(key, "FRONT_MATTER_INVALID", message, is_error=False))
    links = [
        LinkRow("property", False, target, fragment, *span, 0)
        for target, fragment, span in (property_links(text, front, found) if front else ())
    ]
    tags = [TagRow(tag, inline=False, line=1) for tag in front_matter_tags(found)]
    if flavour == "logseq":
        found = {**found, **_page_properties(text, tags)}
    title = found.get("title")
    _read_body(text, links, tags, flavour)
    return Note(
        key=key,
        text=text,
        digest=hashlib.sha256(file.data).hexdigest(),
        title=title if isinstance(title, str) and title.strip() else Path(key).stem,
        aliases=_listed(found, "aliases", "alias"),
        authors=_authors(found),
        links=tuple(_with_lines(text, links)),
        tags=tuple(tags),
        problems=tuple(problems),
        opaque=tuple(opaque_spans(text, found)),
    )


def _read_canvas(file: SourceFile, key: str) -> Note:
    """A canvas: the words and links of its cards, and the files that are cards.

    Tags in cards are no tags, as in Obsidian. The paths of files are links and no words.
    """
    try:
        canvas = read_canvas(file.data)
    except CanvasError:
        raise SourceMalformedError(
            f"{file.name!r} is not a canvas; open it in Obsidian, or exclude it.", name=file.name
        ) from None
    links: list[LinkRow] = []
    for card in canvas.cards:
        words = canvas.text[card.span.start : card.span.end]
        if card.kind == "file":
            links.append(LinkRow("canvas", True, words, card.fragment, *card.span, 0))
        elif card.kind == "text":
            found: list[LinkRow] = []
            _read_body(words, found, [], "obsidian")
            links += [_shifted(link, card.span.start) for link in found]
    return Note(
        key=key,
        text=canvas.text,
        digest=hashlib.sha256(file.data).hexdigest(),
        title=Path(key).stem,
        aliases=(),
        links=tuple(_with_lines(canvas.text, links)),
        tags=(),
        problems=(),
        opaque=tuple(card.span for card in canvas.cards if card.kind == "file"),
        kind="canvas",
    )


def _shifted(link: LinkRow, by: int) -> LinkRow:
    return link._replace(start=link.start + by, end=link.end + by)


def _decode(file: SourceFile, key: str, encoding: str) -> tuple[str, list[Problem]]:
    """Decode a note. UTF-8 is kept as it is, with its byte order mark and control characters.

    So offsets of the text are offsets of the file, and the joined chunks equal the file.
    """
    try:
        return file.data.decode("utf-8"), []
    except UnicodeDecodeError:
        document = read_text(
            file, encoding=None if encoding == "auto" else encoding, media_type="text/markdown"
        )
        return document.text, [
            Problem(key, warning.code, warning.message, is_error=False)
            for warning in document.warnings
        ]


def _page_properties(text: str, tags: list[TagRow]) -> dict[str, Any]:
    """Title and aliases of a Logseq page, which is linked to by both; its tags go to `tags`."""
    aliases: list[str] = []
    found: dict[str, Any] = {}
    for name, value in page_properties(text):
        if name == "title":
            found["title"] = value
            aliases.append(value)
        elif name == "alias":
            aliases += listed(value)
        elif name == "tags":
            tags += [TagRow(tag, inline=False, line=1) for tag in listed(value)]
    return {**found, "aliases": aliases}


def _read_body(text: str, links: list[LinkRow], tags: list[TagRow], flavour: Flavour) -> None:
    """Add the links and tags of the body, in one pass of the Markdown parser."""
    shortcodes = list(shortcode_links(text))
    prose = bool(shortcodes) or may_hold_tags(text)
    if not prose and not any(sign in text for sign in ("](", "[[", "]:")):
        return
    line, at = 1, 0
    for inline in inlines(text, prose=prose):
        for offset, tag in _tags_of(inline, text):
            line, at = line + count_newlines(text[at:offset]), offset
            tags.append(TagRow(tag, inline=True, line=line))
        if isinstance(inline, Link):
            if named := target_of(inline, text, flavour):
                kind = "wikilink" if inline.wiki else "markdown"
                links.append(LinkRow(kind, inline.embed, *named, *inline.span, 0))
        else:
            links += [link for link in shortcodes if link.start in range(*inline.span)]


def _tags_of(inline: Link | Prose, text: str) -> Iterator[tuple[int, str]]:
    """The tags in prose, and ``#[[two words]]``, a link of Logseq that is a tag too."""
    if isinstance(inline, Prose):
        yield from inline_tags(text, inline.span)
    elif inline.wiki and is_tagged(text, inline.span.start):
        yield inline.span.start - 1, inline.destination.strip()


def _with_lines(text: str, links: list[LinkRow]) -> Iterator[LinkRow]:
    """The links with their line numbers, counted in one pass."""
    line, at = 1, 0
    for link in sorted(links, key=lambda link: link.start):
        line, at = line + count_newlines(text[at : link.start]), link.start
        yield link._replace(line=line)


def _listed(found: Mapping[str, Any], *keys: str) -> tuple[str, ...]:
    """The values of a property under any of its names: a list, or a string separated by commas."""
    named: list[str] = []
    for key, value in found.items():
        if key.lower() in keys:
            listed = value.split(",") if isinstance(value, str) else value
            if isinstance(listed, list):
                named += [one.strip() for one in listed if isinstance(one, str)]
    return tuple(dict.fromkeys(filter(None, named)))


def _authors(found: Mapping[str, Any]) -> tuple[str, ...]:
    """The authors, without the brackets of a link: ``author: "[[Herman Melville]]"`` is one."""
    return tuple(name.strip("[]") for name in _listed(found, "author", "authors"))
