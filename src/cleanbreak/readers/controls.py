"""Characters that break stores, terminals and protocols, and so are kept out of documents."""

import re
from codecs import BOM_UTF8

from cleanbreak.core.document import SourceWarning

# Control characters that are white space; a space replaces them.
_SPACING = "\x0b\x1c\x1d\x1e\x1f"

_BROKEN_BEYOND_ASCII = (
    # C1 controls except NEL; lone surrogates; noncharacters. As UTF-8, each with its first byte:
    # to find one byte is many times faster than to look at every character.
    (b"\xc2", re.compile(rb"\xc2[\x80-\x84\x86-\x9f]")),
    (b"\xed", re.compile(rb"\xed[\xa0-\xbf]")),
    (b"\xef", re.compile(rb"\xef(?:\xb7[\x90-\xaf]|\xbf[\xbe\xbf])")),
)

# Tab, the newlines and form feed are kept.
_TABLE = dict.fromkeys((*range(32), *range(127, 160), *range(55296, 57344)), "�")
_TABLE |= dict.fromkeys((*range(64976, 65008), 65534, 65535), "�")
_TABLE |= {ord(space): " " for space in _SPACING}
for _kept in "\t\n\f\r\x85":
    del _TABLE[ord(_kept)]

_ASCII_CONTROLS = bytes(code for code in _TABLE if code < 0x80)


_COUNTED_AT_ONCE = 1 << 20


def clean(text: str, utf8: bytes | None = None) -> tuple[str, int]:
    r"""The text without characters that break stores, and how many were replaced.

    Each is replaced by one character, so offsets stay those of the decoded text: by U+FFFD, as
    CommonMark (2.3) does with NUL, or by a space if it is white space. `utf8` is the UTF-8 form of
    the text, if the caller has it.

    >>> clean("a\0b")
    ('a�b', 1)
    """
    if utf8 is None:
        utf8 = text.encode("utf-8", "surrogatepass")
    # In blocks, as a copy of a large book would take its whole size again.
    blocks = (utf8[at : at + _COUNTED_AT_ONCE] for at in range(0, len(utf8), _COUNTED_AT_ONCE))
    count = sum(len(block) - len(block.translate(None, _ASCII_CONTROLS)) for block in blocks)
    if not text.isascii():
        start = len(BOM_UTF8) if utf8.startswith(BOM_UTF8) else 0
        for first, broken in _BROKEN_BEYOND_ASCII:
            if utf8.find(first, start) >= 0:
                count += len(broken.findall(utf8))
    return (text.translate(_TABLE), count) if count else (text, 0)


def replaced(count: int, place: str | None = None) -> tuple[SourceWarning, ...]:
    """The warning that `count` characters were replaced; empty if the count is 0."""
    if not count:
        return ()
    message = "Control characters were replaced, as they break stores and terminals."
    return (SourceWarning("CONTROL_REPLACED", message, count, place),)
