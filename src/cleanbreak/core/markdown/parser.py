r"""Headings, blocks, links and prose of Markdown text, with their offsets.

The parser is pulldown-cmark (through ``pyromark``). It does not recurse, takes linear time on
hostile input, and gives a range of UTF-8 bytes for every event. This module converts the ranges to
code points of the unchanged text. LF, CR LF and CR each end a line.

There is one function for each use, so that a caller pays only for what it needs:

- `headings`: the sections of a note, for readers and for heading paths;
- `blocks`: where a section may be cut cleanly, for the splitter;
- `inlines`: links, embeds and prose, for the index of a vault.

Besides CommonMark the parser reads what is common in notes: pipe tables, footnotes,
~~strikethrough~~, ``[[wikilinks]]``, and front matter (YAML or TOML) at the very start.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from cleanbreak.core.document import Section, Span
from cleanbreak.core.markdown.front_matter import BYTE_ORDER_MARK, body_start, front_matter
from cleanbreak.core.markdown.math import without_newlines_in_math
from cleanbreak.core.text.utf8 import code_point_at, lone_surrogate

BlockKind = Literal[
    "heading", "paragraph", "list", "item", "quote", "fence", "code", "html", "table", "row",
    "footnote", "rule", "front matter",
]  # fmt: skip


class Block(NamedTuple):
    """A block, at the top level or inside another block."""

    kind: BlockKind
    start: int
    """The start of its first line, so that markers and indentation belong to it."""
    end: int
    depth: int
    """The number of blocks around it; 0 at the top level."""


class Link(NamedTuple):
    """A link, wikilink, image or embed, outside code and math."""

    destination: str
    """As written in the brackets, with entities and escapes resolved: ``Note#Part``, ``a%20b.md``.
    For a reference link, the destination of its definition."""
    span: Span
    wiki: bool
    """True for ``[[…]]``."""
    embed: bool
    """True with ``!`` in front: an image, or the text of another note."""


class Prose(NamedTuple):
    r"""A run of plain text: not code, math, HTML, a link or its text.

    The span is of the source, so it includes the backslash of an escape: ``\#x`` starts no tag.
    """

    span: Span
    in_heading: bool


Inline: TypeAlias = Link | Prose

# --- events --------------------------------------------------------------------------------------

_Event: TypeAlias = Any  # a string, or a dict with one key and its details
_Events: TypeAlias = Iterator[tuple[_Event, dict[str, int]]]


@cache
def _parser(*, math: bool) -> Any:
    import pyromark  # a C extension: loaded on first use

    known = pyromark.Options
    options = (
        known.ENABLE_TABLES
        | known.ENABLE_FOOTNOTES
        | known.ENABLE_STRIKETHROUGH
        | known.ENABLE_WIKILINKS
    )
    return pyromark.Markdown(options=options | known.ENABLE_MATH if math else options)


_lone_cr = re.compile("\r(?!\n)")


def _events(extract: str, start: int, *, prose: bool = False) -> _Events:
    """The events of `extract`, which starts at offset `start`, with ranges of its bytes.

    For `prose`, runs of text are whole and math is apart from them.
    """
    if "$$" in extract:
        # CommonMark knows no math, and would take lines of it for headings and lists.
        extract = without_newlines_in_math(extract)
    if "\r" in extract:
        # The parser ignores a lone CR after indented code. LF has the same meaning and length.
        extract = _lone_cr.sub("\n", extract)
    try:
        events: _Events = _parser(math=prose).events_with_range(extract, merge_text=prose)
    except UnicodeEncodeError as error:
        raise lone_surrogate(start + error.start) from None
    return events


def _code_points(extract: str, byte_offsets: list[int], start: int) -> list[int]:
    """Convert sorted byte offsets of `extract`, which starts at `start`, to offsets of the text."""
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


# --- headings ------------------------------------------------------------------------------------


class Outline(NamedTuple):
    """The headings and the top-level blocks of a text."""

    sections: tuple[Section, ...]
    """The sections of its headings, in order; each ends at the next heading of its level or higher."""
    block_starts: list[int]
    """The start of the first line of each top-level block, including front matter."""


def headings(text: str) -> tuple[Section, ...]:
    r"""The sections of the headings of `text`, in order; each ends at the next of its level or higher.

    Only headings at the top level count: a heading in a quote or a list item opens no section.
    Titles are without inline markup, with white space collapsed; the lines of a setext title are
    joined by spaces. If only blank text or a byte order mark stands before the first heading, its
    section starts at 0, because that text belongs to no other section.

    >>> [(s.level, s.title, s.span) for s in headings("# A *b*\n\ntext\n\n## C\n")]
    [(1, 'A b', Span(start=0, end=20)), (2, 'C', Span(start=15, end=20))]

    Raises:
        TextInvalidError: if the text holds a lone surrogate.
    """
    return outline(text).sections


def outline(text: str, start: int = 0, end: int | None = None) -> Outline:
    """The headings of `text` (see `headings`) and the starts of its blocks, in one pass.

    `start` and `end` select whole top-level blocks, such as one section.

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
    """The byte offset of each top-level block; index, level and title of each heading."""
    starts: list[int] = []
    titled = []
    end = 0
    for event, where in events:
        if where["start"] < end:
            continue  # inside a top-level block
        end = where["end"]
        if "Start" in event and "Heading" in (kind := event["Start"]):
            titled.append((len(starts), int(kind["Heading"]["level"][1]), _title(events)))
        starts.append(where["start"])
    return starts, titled


def _line_starts(text: str, offsets: list[int], floor: int) -> list[int]:
    """Move the offsets of top-level blocks back over their indentation."""
    for index, offset in enumerate(offsets):
        if text[offset - 1] in " \t":
            while offset > floor and text[offset - 1] in " \t":
                offset -= 1
            offsets[index] = offset
    return offsets


def _title(events: _Events) -> str:
    """The visible text of the heading that is open."""
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
    """The sections of headings, given as level, title and start."""
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

    `start` and `end` select whole top-level blocks, such as one section. Link reference
    definitions are not blocks: they stand between blocks.

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
    events, at = _events(extract, start), code_point_at(extract, start)
    ends: list[int] = []  # of the open blocks, in bytes
    line = offset = start
    for event, where in events:
        kind = _kind(event)
        if kind is None:
            continue
        while ends and ends[-1] <= where["start"]:
            ends.pop()
        # Searching back only to the last block keeps many blocks on one line linear.
        before, offset = offset, at(where["start"])
        line = max(line, text.rfind("\n", before, offset) + 1, text.rfind("\r", before, offset) + 1)
        yield Block(kind, line, at(where["end"]), len(ends))
        ends.append(where["end"])


def _kind(event: _Event) -> BlockKind | None:
    """The kind of block that `event` opens, or ``None``."""
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
    r"""The links and the prose of `text`, in order, without front matter, code, math and HTML.

    Without `prose` it gives links only, in half the time.

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
    events, at = _events(extract, body, prose=True), code_point_at(extract, body)
    hidden_until = -1  # byte end of the code block or link whose text is not prose
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
        destination = destination[:-1]  # [[Note\|alias]], the form that a table requires
    return Link(destination, span, wiki, embed)
