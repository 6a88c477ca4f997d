"""Elements that are known by their attributes: page breaks, note references, what is hidden."""

import re
from collections.abc import Mapping
from enum import Enum, auto
from functools import lru_cache

_PAGE_BREAKS = frozenset(("pagebreak", "doc-pagebreak"))
_REFERENCES = frozenset(("noteref", "doc-noteref", "backlink", "doc-backlink"))
# Notes that are shown when their reference is touched are hidden, but not from the reader.
_NOTES = frozenset((
    "footnote", "endnote", "note", "rearnote", "footnotes", "endnotes", "doc-footnote",
    "doc-endnote", "doc-endnotes",
))  # fmt: skip
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class Marked(Enum):
    """What the attributes of an element say of it."""

    PAGE = auto()
    REFERENCE = auto()
    HIDDEN = auto()


def what_is(attributes: Mapping[str, str | None]) -> Marked | None:
    """What kind of marked element has these attributes."""
    get = attributes.get
    kind, may_hide = _kind(get("epub:type"), get("role"))
    if kind is not Marked.PAGE and is_hidden(attributes):
        return None if may_hide else Marked.HIDDEN
    return kind


@lru_cache(maxsize=4096)
def _kind(epub_type: str | None, role: str | None) -> tuple[Marked | None, bool]:
    """What the element is, hidden or not, and whether it is a note."""
    kinds = f"{epub_type or ''} {role or ''}".split()
    if not _PAGE_BREAKS.isdisjoint(kinds):
        return Marked.PAGE, False
    kind = None if _REFERENCES.isdisjoint(kinds) else Marked.REFERENCE
    return kind, not _NOTES.isdisjoint(kinds)


def is_note(attributes: Mapping[str, str | None]) -> bool:
    """Whether the element is a note, which may be hidden until its reference is touched."""
    return _kind(attributes.get("epub:type"), attributes.get("role"))[1]


def is_hidden(attributes: Mapping[str, str | None]) -> bool:
    """Whether a browser would not show the element, without a look at style sheets."""
    if "hidden" in attributes:
        return True
    style = attributes.get("style")
    return style is not None and _HIDING.search(style) is not None


def page_label(attributes: Mapping[str, str | None], text: str) -> str:
    """A page's number: its title, or the text in it, or what its id ends in."""
    get = attributes.get
    label = get("title") or get("aria-label") or text
    return label.strip() or re.sub(r"^\D*[_-]?", "", get("id") or "")
