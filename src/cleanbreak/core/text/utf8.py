"""Text as UTF-8: its length in bytes, and the one kind of string that has none."""

from collections.abc import Callable
from itertools import accumulate

from cleanbreak.errors import TextInvalidError

# Bytes between the places of which the offset is stored.
_STEP = 256
# Continuation bytes of UTF-8.
_INSIDE = bytes(range(0x80, 0xC0))


def utf8_length(text: str, start: int = 0) -> int:
    """The bytes of `text`, which starts at `start` in its document.

    Raises:
        TextInvalidError: if it holds a lone surrogate, with the offset in the document.
    """
    return len(utf8(text, start))


def utf8(text: str, start: int = 0) -> bytes:
    """The UTF-8 form of `text`, which starts at `start` in its document.

    Raises:
        TextInvalidError: as `utf8_length` does.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise lone_surrogate(start + error.start) from None


def encoded(text: str) -> bytes:
    """The UTF-8 form of `text`, a whole document.

    Raises:
        TextInvalidError: if it holds a lone surrogate, with its offset.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise lone_surrogate(error.start) from None


def code_point_at(extract: str, start: int = 0) -> Callable[[int], int]:
    """A function from byte offsets of `extract`, which starts at `start`, to offsets of the text.

    >>> code_point_at("naïve")(4)
    3
    """
    return start.__add__ if extract.isascii() else _Offsets(extract.encode(), start)


class _Offsets:
    """Code point offsets by byte offset; the offset of every 256th byte is stored in one pass."""

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


def lone_surrogate(offset: int) -> TextInvalidError:
    """The error for half of a surrogate pair at `offset`."""
    return TextInvalidError(
        f"The text holds half of a surrogate pair at offset {offset}, which is not Unicode text; "
        "decode the source again, or replace it.",
        offset=offset,
    )
