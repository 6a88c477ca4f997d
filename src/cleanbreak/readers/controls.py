"""Characters that break stores, terminals and protocols, kept out of every document."""

import re

from cleanbreak.core.document import SourceWarning

_SPACING = "\x0b\x1c\x1d\x1e\x1f"
"""Controls that are white space: a space says the same."""

_BROKEN = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
"""Controls but for tab, newlines and form feed; lone surrogates; noncharacters."""

_TABLE = dict.fromkeys((*range(32), *range(127, 160), *range(55296, 57344)), "�")
_TABLE |= dict.fromkeys((*range(64976, 65008), 65534, 65535), "�")
_TABLE |= {ord(space): " " for space in _SPACING}
for _kept in "\t\n\f\r\x85":
    del _TABLE[ord(_kept)]

_ASCII_CONTROLS = bytes(code for code in _TABLE if code < 0x80)


def clean(text: str) -> tuple[str, int]:
    r"""The text without characters that break stores, and how many were replaced.

    One for one, so that offsets stay those of the text as decoded: U+FFFD as CommonMark (2.3)
    does for NUL, a space for the controls that are white space.

    >>> clean("a\0b")
    ('a�b', 1)
    """
    if text.isascii():
        raw = text.encode("ascii")
        count = len(raw) - len(raw.translate(None, _ASCII_CONTROLS))
    else:
        count = len(_BROKEN.findall(text))
    return (text.translate(_TABLE), count) if count else (text, 0)


def replaced(count: int, place: str | None = None) -> tuple[SourceWarning, ...]:
    """The warning that `count` characters were replaced; none if none were."""
    if not count:
        return ()
    message = "Control characters were replaced, as they break stores and terminals."
    return (SourceWarning("CONTROL_REPLACED", message, count, place),)
