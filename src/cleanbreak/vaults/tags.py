"""The tags of a note: ``#a/b`` in its text, ``tags:`` in its front matter."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cleanbreak.core.document import Span

# Obsidian leaves these out, and white space, and allows all else: letters, digits, emoji, currency signs.
_NAME = r"[^\s\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@\^`{|}~\[\]\\]+"
_TAG = re.compile(rf"#({_NAME})")
_WHOLE = re.compile(rf"{_NAME}\Z")
# The parser ends a run of text at these; highlights and comments of Obsidian are text to it.
_ENDS_OF_RUNS = "*_~|>"
_MARKS = ("==", "%%")


def may_hold_tags(text: str) -> bool:
    """Whether `text` holds anything like a tag, in code or in prose."""
    return _TAG.search(text) is not None


def inline_tags(text: str, span: Span) -> Iterator[tuple[int, str]]:
    """The tags of a run of prose, as (offset, name)."""
    for match in _TAG.finditer(text, *span):
        if _may_start(text, match.start(), span) and (tag := _accepted(match[1])):
            yield match.start(), tag


def _may_start(text: str, at: int, span: Span) -> bool:
    """Whether a tag may start here: after white space, or with formatted text."""
    before = text[at - 1] if at else " "
    return (
        before.isspace()
        or (at == span.start and before in _ENDS_OF_RUNS)
        or text.endswith(_MARKS, span.start, at)
    )


def is_tagged(text: str, link: int) -> bool:
    """Whether the link at an offset has a ``#`` before it that may start a tag."""
    return text[link - 1 : link] == "#" and (link == 1 or text[link - 2].isspace())


def front_matter_tags(properties: Mapping[str, Any]) -> list[str]:
    """The values of ``tags`` or ``tag``: a list, or a string separated by commas or white space.

    >>> front_matter_tags({"tags": ["#books", "to read", 1984]})
    ['books']
    >>> front_matter_tags({"tag": "books, notes"})
    ['books', 'notes']
    """
    found: list[str] = []
    for key, value in properties.items():
        if key.lower() in ("tags", "tag"):
            listed = value.replace(",", " ").split() if isinstance(value, str) else value
            named = listed if isinstance(listed, list) else []
            found += [
                _accepted(item.strip().removeprefix("#")) for item in named if isinstance(item, str)
            ]
    return [tag for tag in found if tag]


def _accepted(tag: str) -> str:
    """The tag without slashes around it; empty if it is only digits or no tag."""
    tag = tag.strip("/")
    return tag if _WHOLE.match(tag) and not tag.isdecimal() else ""
