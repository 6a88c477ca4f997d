"""The front matter of a note: YAML or TOML at the very start of its text."""

import re
from typing import Literal, NamedTuple

from cleanbreak.core.document import Span

BYTE_ORDER_MARK = "\ufeff"


class FrontMatter(NamedTuple):
    """Properties at the very start of a note, between two fence lines."""

    kind: Literal["yaml", "toml"]
    span: Span
    """From the start of the text to the end of the closing line."""
    body: Span
    """The lines between the fences."""


_NEWLINE = r"(?:\r\n|\n|\r)"
_LINE = r"[^\r\n]*"


def _fenced(fence: str, closing: str) -> re.Pattern[str]:
    # Lines are taken one by one and each is looked at once, so an unclosed fence costs one pass.
    # An atomic group, not a possessive one: Python before 3.11.5 does not match those right.
    return re.compile(
        f"{BYTE_ORDER_MARK}?{fence}[ \t]*{_NEWLINE}"
        f"(?P<body>(?>(?:(?!(?:{closing})[ \t]*(?:[\r\n]|\\Z)){_LINE}{_NEWLINE})*))"
        f"(?:{closing})[ \t]*(?:{_NEWLINE}|\\Z)"
    )


_YAML = _fenced("---", r"---|\.\.\.")
_TOML = _fenced(r"\+\+\+", r"\+\+\+")

_YAML_KEY = re.compile(r" *[^\s#:*>|-][^:]*:(?:[ \t]|$)")
# What may follow a blank first line: a key, an indented line, an item, a comment, a closing bracket.
_YAML_LINE = re.compile(rf"[ \t]*$|[ \t#\]}}-]|{_YAML_KEY.pattern}")
_TOML_KEY = re.compile(r"[ \t]*(?:[\w\"'.-]+[ \t]*=|\[)")


def front_matter(text: str) -> FrontMatter | None:
    r"""The front matter at the start of `text`, after an optional byte order mark.

    It must be closed, by the line that opened it (YAML also by ``...``), and hold a key: a
    thematic break at the start of a note opens no front matter. After a blank first line all lines
    must be properties.

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
    # Two thematic breaks may also enclose prose or a list, so front matter needs a key. A block
    # of comments only, or an empty one, is front matter too.
    if not any(map(key.match, lines)) and any(line.strip()[:1] not in ("", "#") for line in lines):
        return None
    if found["body"] and not lines[0].strip() and not _is_keyed(lines, key):
        return None
    return FrontMatter(kind, Span(0, found.end()), Span(*found.span("body")))  # type: ignore[arg-type]


def _is_keyed(lines: list[str], key: re.Pattern[str]) -> bool:
    """Whether lines after a blank one are properties, and not prose between two thematic breaks.

    The Excalidraw plugin of Obsidian writes its properties after a blank line.
    """
    first = next(filter(str.strip, lines), "")
    is_property = (_YAML_LINE if key is _YAML_KEY else key).match
    # "Some text: more" is prose, though YAML would take it for a key.
    return bool(key.match(first) and " " not in re.split("[:=]", first)[0].strip()) and all(
        is_property(line) for line in lines if line.strip()
    )


def body_start(text: str) -> int:
    """The offset where Markdown starts: after the front matter, or after a byte order mark."""
    if front := front_matter(text):
        return front.span.end
    return 1 if text.startswith(BYTE_ORDER_MARK) else 0
