"""The tags of a note: ``#a/b`` in its text, ``tags:`` in its front matter."""

from collections.abc import Iterator, Mapping
from typing import Any

import regex

from cleanbreak.core.document import Span

_TAG = regex.compile(
    # Allowed before it: nothing, white space, an opening bracket or quote, or emphasis. Not
    # allowed: a letter, a slash or another # (URLs), an ampersand (&#39;) or a backslash.
    r"(?<![^\s(\[{\"'“‘«,;*_~=>|])#"
    r"([\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u200d\ufe0f_/-]+)"
)
_MORE_THAN_NUMBERS = regex.compile(r"[\p{L}\p{Extended_Pictographic}_--\p{N}]", regex.V1)


def may_hold_tags(text: str) -> bool:
    """Whether `text` holds anything like a tag, in code or in prose."""
    return _TAG.search(text) is not None


def inline_tags(text: str, span: Span) -> Iterator[tuple[int, str]]:
    """The tags of a run of prose, as (offset, name)."""
    for match in _TAG.finditer(text, span.start, span.end):
        if tag := _accepted(match[1]):
            yield match.start(), tag


def front_matter_tags(properties: Mapping[str, Any]) -> list[str]:
    """The values of ``tags`` or ``tag``: a list, or a string separated by commas or white space.

    >>> front_matter_tags({"tags": ["#books", "to read", 1984]})
    ['books', 'to read']
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
    """The tag without slashes around it; empty if it has no letter or emoji."""
    tag = tag.strip("/")
    return tag if _MORE_THAN_NUMBERS.search(tag) else ""
