r"""Markdown as CommonMark reads it: headings, blocks, links and prose, with where they lie.

The parser is pulldown-cmark (through ``pyromark``): no recursion, linear on hostile input, and a
range of UTF-8 bytes for every event. Here ranges become code points of the text as given: nothing
is normalised, and LF, CR LF and CR each end a line.

Three readers share this page, each paying only for what it asks:

- `headings`: the sections of a note, for readers and for heading paths;
- `blocks`: where a section may be cut cleanly, for the splitter;
- `inlines`: links, embeds and prose, for the index of a vault.

Besides CommonMark these are read, as people's notes hold them: pipe tables, footnotes,
~~strikethrough~~, ``[[wikilinks]]``, and front matter (YAML or TOML) at the very start.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate
from typing import Any, Literal, NamedTuple, TypeAlias

from cleanbreak.core.document import Section, Span
from cleanbreak.core.text.utf8 import lone_surrogate

BYTE_ORDER_MARK = "\ufeff"


class FrontMatter(NamedTuple):
    """Properties at the very start of a note, between two fence lines."""

    kind: Literal["yaml", "toml"]
    span: Span
    """From the start of the text to the end of the closing line."""
    body: Span
    """The lines between the fences."""


BlockKind = Literal[
    "heading", "paragraph", "list", "item", "quote", "fence", "code", "html", "table", "row",
    "footnote", "rule", "front matter",
]  # fmt: skip


class Block(NamedTuple):
    """A block, at the top level or inside another one."""

    kind: BlockKind
    start: int
    """Where its first line starts, so that markers and indentation belong to it."""
    end: int
    depth: int
    """How many blocks it lies in; 0 at the top level."""


class Link(NamedTuple):
    """A link, wikilink, image or embed, outside code."""

    destination: str
    """As written between the brackets, entities and escapes resolved: ``Note#Part``, ``a%20b.md``.
    Of a reference link, what its definition says."""
    span: Span
    wiki: bool
    """Written ``[[…]]``."""
    embed: bool
    """Written with ``!`` in front: an image, or another note's text."""


class Prose(NamedTuple):
    r"""A run of plain text: not code, HTML, a link or its text.

    The span is of the source, so an escape keeps its backslash: in ``\#x`` no tag starts.
    """

    span: Span
    in_heading: bool


Inline: TypeAlias = Link | Prose

# --- front matter --------------------------------------------------------------------------------

_NEWLINE = r"(?:\r\n|\n|\r)"
_LINE = r"[^\r\n]*"


def _fenced(fence: str, closing: str) -> re.Pattern[str]:
    # The line after the opening fence is not blank (pandoc's rule): that is a thematic break.
    # Lines are taken one by one and each is looked at once, so an unclosed fence costs one pass.
    return re.compile(
        f"{BYTE_ORDER_MARK}?{fence}[ \t]*{_NEWLINE}(?![ \t]*(?:[\r\n]|\\Z))"
        f"(?P<body>(?:(?!(?:{closing})[ \t]*(?:[\r\n]|\\Z)){_LINE}{_NEWLINE})*+)"
        f"(?:{closing})[ \t]*(?:{_NEWLINE}|\\Z)"
    )


_YAML = _fenced("---", r"---|\.\.\.")
_TOML = _fenced(r"\+\+\+", r"\+\+\+")

_YAML_KEY = re.compile(r" *[^\s#:*>|-][^:]*:(?:[ \t]|$)")
_TOML_KEY = re.compile(r"[ \t]*(?:[\w\"'.-]+[ \t]*=|\[)")


def front_matter(text: str) -> FrontMatter | None:
    r"""The front matter that `text` starts with, after an optional byte order mark.

    It must be closed, by the line that opened it (YAML also by ``...``), and hold a key: a
    thematic break at the start of a note opens no front matter.

    >>> front_matter("---\ntags: [a]\n---\n# Title\n")
    FrontMatter(kind='yaml', span=Span(start=0, end=18), body=Span(start=4, end=14))
    >>> front_matter("---\n\nAn old letter.\n\n---\n") is None
    True
    """
    if text.startswith(("---", BYTE_ORDER_MARK)) and (found := _YAML.match(text)):
        key, kind = _YAML_KEY, "yaml"
    elif text.startswith(("+++", BYTE_ORDER_MARK)) and (found := _TOML.match(text)):
        key, kind = _TOML_KEY, "toml"
    else:
        return None
    lines = re.split(_NEWLINE, found["body"])
    # Between two thematic breaks may stand prose or a list. What makes it front matter is a key; a
    # block of nothing but comments, or of nothing, is front matter too.
    if not any(map(key.match, lines)) and any(line.strip()[:1] not in ("", "#") for line in lines):
        return None
    return FrontMatter(kind, Span(0, found.end()), Span(*found.span("body")))  # type: ignore[arg-type]


# --- events --------------------------------------------------------------------------------------

_Event: TypeAlias = Any  # a word, or a dict of one word to its details
_Events: TypeAlias = Iterator[tuple[_Event, dict[str, int]]]


@cache
def _parser() -> Any:
    import pyromark  # a C extension: only who reads Markdown loads it

    options = pyromark.Options
    return pyromark.Markdown(
        options=options.ENABLE_TABLES
        | options.ENABLE_FOOTNOTES
        | options.ENABLE_STRIKETHROUGH
        | options.ENABLE_WIKILINKS
    )


_lone_cr = re.compile("\r(?!\n)")


def _events(extract: str, start: int, *, merge_text: bool = False) -> _Events:
    """The events of an extract that starts at `start`, with ranges of its bytes."""
    if "\r" in extract:
        # The parser misses a lone CR after indented code. LF means the same and is as long.
        extract = _lone_cr.sub("\n", extract)
    try:
        events: _Events = _parser().events_with_range(extract, merge_text=merge_text)
    except UnicodeEncodeError as error:
        raise lone_surrogate(start + error.start) from None
    return events


def _code_points(extract: str, byte_offsets: list[int], start: int) -> list[int]:
    """Sorted byte offsets of an extract that starts at `start`, as offsets of the whole text."""
    if extract.isascii():
        return [start + byte for byte in byte_offsets] if start else byte_offsets
    utf8 = extract.encode()
    offsets = []
    done = 0
    for byte in byte_offsets:
        start += len(utf8[done:byte].decode())
        done = byte
        offsets.append(start)
    return offsets


def _offsets(extract: str, start: int) -> Callable[[int], int]:
    """What turns a byte offset of an extract that starts at `start` into a text's offset."""
    return start.__add__ if extract.isascii() else _Offsets(extract.encode(), start)


class _Offsets:
    """Code point offsets by byte offset: those of every 256th byte are counted once, in one pass."""

    __slots__ = ("_counted", "_utf8")

    def __init__(self, utf8: bytes, start: int) -> None:
        starts = (
            len(utf8[at : at + _STEP].translate(None, _INSIDE)) for at in range(0, len(utf8), _STEP)
        )
        self._counted = list(accumulate(starts, initial=start))
        self._utf8 = utf8

    def __call__(self, byte: int) -> int:
        block = byte // _STEP
        rest = self._utf8[block * _STEP : byte]
        return self._counted[block] + len(rest.translate(None, _INSIDE))


_STEP = 256
_INSIDE = bytes(range(0x80, 0xC0))
"""Bytes that continue a character and start none."""


def body_start(text: str) -> int:
    """Where Markdown starts: after the front matter, or after a byte order mark."""
    if front := front_matter(text):
        return front.span.end
    return 1 if text.startswith(BYTE_ORDER_MARK) else 0


# --- headings ------------------------------------------------------------------------------------


class Outline(NamedTuple):
    """The top level of a text, found in one pass."""

    sections: tuple[Section, ...]
    """Those that its headings open, in order, each up to the next of its level or higher."""
    block_starts: list[int]
    """Where the first line of each block of the top level starts, front matter among them."""


def headings(text: str) -> tuple[Section, ...]:
    r"""The sections that the headings of `text` open, in order, each up to the next of its level.

    Only headings at the top level count: one in a quote or a list item opens no section of the
    note. Titles have their inline markup stripped and white space collapsed; one over several
    lines (setext) is joined by spaces. A first heading with nothing before it but blank text or a
    byte order mark starts at 0, as that text belongs to no other section.

    >>> [(s.level, s.title, s.span) for s in headings("# A *b*\n\ntext\n\n## C\n")]
    [(1, 'A b', Span(start=0, end=20)), (2, 'C', Span(start=15, end=20))]

    Raises:
        TextInvalidError: if the text holds a lone surrogate.
    """
    return outline(text).sections


def outline(text: str, start: int = 0, end: int | None = None) -> Outline:
    """The headings of `text` (see `headings`) and where its blocks start, in one pass.

    `start` and `end` may narrow it to whole blocks of the top level, such as one section.

    Raises:
        TextInvalidError: if the text holds a lone surrogate.
    """
    end = len(text) if end is None else end
    body = start or body_start(text)
    extract = text[body:end]
    starts, titled = _top_level(_events(extract, body))
    block_starts = _line_starts(text, _code_points(extract, starts, body), body)
    found = [(level, title, block_starts[index]) for index, level, title in titled]
    if found and not text[start : found[0][2]].lstrip(BYTE_ORDER_MARK).strip():
        found[0] = (*found[0][:2], start)
    if body - start > len(BYTE_ORDER_MARK):
        block_starts.insert(0, start)  # the front matter
    return Outline(_sections(found, end), block_starts)


def _top_level(
    events: _Events,
) -> tuple[list[int], list[tuple[int, int, str]]]:
    """Where each block of the top level starts, in bytes; index, level and title of headings."""
    starts: list[int] = []
    titled = []
    end = 0
    for event, where in events:
        if where["start"] < end:
            continue  # inside a block of the top level
        end = where["end"]
        if "Start" in event and "Heading" in (kind := event["Start"]):
            titled.append((len(starts), int(kind["Heading"]["level"][1]), _title(events)))
        starts.append(where["start"])
    return starts, titled


def _line_starts(text: str, offsets: list[int], floor: int) -> list[int]:
    """The offsets of blocks of the top level, with their indentation."""
    for index, offset in enumerate(offsets):
        if text[offset - 1] in " \t":
            while offset > floor and text[offset - 1] in " \t":
                offset -= 1
            offsets[index] = offset
    return offsets


def _title(events: _Events) -> str:
    """The visible text up to the heading's end."""
    parts = []
    for event, _ in events:
        if event == "SoftBreak" or event == "HardBreak":
            parts.append(" ")
        elif "Text" in event:
            parts.append(event["Text"])
        elif "Code" in event:
            parts.append(event["Code"])
        elif "End" in event and "Heading" in event["End"]:
            break
    # CommonMark 2.3: for security, U+0000 is read as the replacement character.
    return " ".join("".join(parts).replace("\0", "\ufffd").split())


def _sections(found: list[tuple[int, str, int]], end: int) -> tuple[Section, ...]:
    """Sections of headings given as level, title and start; each ends where its level ends."""
    sections = []
    nearest = [end] * 7  # by level: the start of the nearest later heading of that level or higher
    for level, title, start in reversed(found):
        sections.append(Section("heading", title, level, Span(start, nearest[level])))
        nearest[level:] = [start] * (7 - level)
    return tuple(reversed(sections))


# --- blocks --------------------------------------------------------------------------------------

_KINDS: dict[str, BlockKind] = {
    "Heading": "heading",
    "Paragraph": "paragraph",
    "List": "list",
    "Item": "item",
    "BlockQuote": "quote",
    "HtmlBlock": "html",
    "Table": "table",
    "TableHead": "row",
    "TableRow": "row",
    "FootnoteDefinition": "footnote",
}


def blocks(text: str, start: int = 0, end: int | None = None) -> Iterator[Block]:
    r"""The blocks of `text`, outer before inner, in order.

    `start` and `end` may narrow it to whole blocks of the top level, such as one section. Link
    reference definitions are no blocks: they lie between others.

    >>> [(b.kind, b.depth, b.start) for b in blocks("- a\n- b\n\nc\n")]
    [('list', 0, 0), ('item', 1, 0), ('item', 1, 4), ('paragraph', 0, 9)]

    Raises:
        TextInvalidError: if the text holds a lone surrogate.
    """
    end = len(text) if end is None else end
    if start == 0 and (front := front_matter(text)):
        yield Block("front matter", 0, front.span.end, 0)
    start = start or body_start(text)
    extract = text[start:end]
    events, at = _events(extract, start), _offsets(extract, start)
    ends: list[int] = []  # of the blocks that are open, in bytes
    line = offset = start
    for event, where in events:
        kind = _kind(event)
        if kind is None:
            continue
        while ends and ends[-1] <= where["start"]:
            ends.pop()
        # Looking back no further than the last block keeps a thousand blocks on one line linear.
        before, offset = offset, at(where["start"])
        line = max(line, text.rfind("\n", before, offset) + 1, text.rfind("\r", before, offset) + 1)
        yield Block(kind, line, at(where["end"]), len(ends))
        ends.append(where["end"])


def _kind(event: _Event) -> BlockKind | None:
    """The kind of block that `event` opens, if it opens one."""
    if event == "Rule":
        return "rule"
    if "Start" not in event:
        return None
    name = event["Start"]
    if isinstance(name, dict):
        if "CodeBlock" in name:
            return "code" if name["CodeBlock"] == "Indented" else "fence"
        name = next(iter(name))
    return _KINDS.get(name)


# --- inlines -------------------------------------------------------------------------------------


def inlines(text: str, *, prose: bool = True) -> Iterator[Inline]:
    r"""The links and the prose of `text`, in order; front matter, code and HTML are passed over.

    Without `prose`, links only, in half the time.

    >>> for inline in inlines("See [[Note#Part|it]] and #tag\n"):
    ...     print(inline)
    Prose(span=Span(start=0, end=4), in_heading=False)
    Link(destination='Note#Part', span=Span(start=4, end=20), wiki=True, embed=False)
    Prose(span=Span(start=20, end=29), in_heading=False)

    Raises:
        TextInvalidError: if the text holds a lone surrogate.
    """
    body = body_start(text)
    extract = text[body:]
    events, at = _events(extract, body, merge_text=True), _offsets(extract, body)
    hidden_until = -1  # the end, in bytes, of the code block or link whose text is no prose
    heading_end = -1
    for event, where in events:
        start, end = where["start"], where["end"]
        if "Text" in event:
            if prose and start >= hidden_until:
                yield Prose(Span(at(start), at(end)), in_heading=start < heading_end)
        elif "Start" in event:
            what = event["Start"]
            if "CodeBlock" in what:
                hidden_until = end
            elif "Heading" in what:
                heading_end = end
            elif "Link" in what or "Image" in what:
                yield _link(what, Span(at(start), at(end)))
                hidden_until = max(hidden_until, end)


def _link(what: dict[str, Any], span: Span) -> Link:
    embed = "Image" in what
    details = what["Image" if embed else "Link"]
    wiki = isinstance(details["link_type"], dict)
    destination: str = details["dest_url"]
    if wiki and destination.endswith("\\"):
        destination = destination[:-1]  # [[Note\|alias]], as it must be written inside a table
    return Link(destination, span, wiki, embed)
