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
    # The line after the opening fence is not blank (pandoc's rule): that is a thematic break.
    # Lines are taken one by one and each is looked at once, so an unclosed fence costs one pass.
    # An atomic group, not a possessive one: Python before 3.11.5 does not match those right.
    return re.compile(
        f"{BYTE_ORDER_MARK}?{fence}[ \t]*{_NEWLINE}(?![ \t]*(?:[\r\n]|\\Z))"
        f"(?P<body>(?>(?:(?!(?:{closing})[ \t]*(?:[\r\n]|\\Z)){_LINE}{_NEWLINE})*))"
        f"(?:{closing})[ \t]*(?:{_NEWLINE}|\\Z)"
    )


_YAML = _fenced("---", r"---|\.\.\.")
_TOML = _fenced(r"\+\+\+", r"\+\+\+")

_YAML_KEY = re.compile(r" *[^\s#:*>|-][^:]*:(?:[ \t]|$)")
_TOML_KEY = re.compile(r"[ \t]*(?:[\w\"'.-]+[ \t]*=|\[)")


def front_matter(text: str) -> FrontMatter | None:
    r"""The front matter at the start of `text`, after an optional byte order mark.

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
    # Two thematic breaks may also enclose prose or a list, so front matter needs a key. A block
    # of comments only, or an empty one, is front matter too.
    if not any(map(key.match, lines)) and any(line.strip()[:1] not in ("", "#") for line in lines):
        return None
    return FrontMatter(kind, Span(0, found.end()), Span(*found.span("body")))  # type: ignore[arg-type]


def body_start(text: str) -> int:
    """The offset where Markdown starts: after the front matter, or after a byte order mark."""
    if front := front_matter(text):
        return front.span.end
    return 1 if text.startswith(BYTE_ORDER_MARK) else 0
