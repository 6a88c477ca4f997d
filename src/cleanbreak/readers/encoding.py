"""Which encoding a text is in: proof first, a guess only over what is left."""

import codecs
from typing import NamedTuple

from cleanbreak.errors import SettingsError, SourceUndecodableError

_BOMS = (
    # UTF-32 first: its little-endian mark starts with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Decoded(NamedTuple):
    """A text with the codec it was decoded by and how sure that is, from 0 to 1."""

    text: str
    encoding: str
    confidence: float


def check_encoding(encoding: str | None) -> str | None:
    """The codec's canonical name.

    Raises:
        SettingsError: if Python has no text encoding of that name.
    """
    if encoding is None:
        return None
    try:
        codec = codecs.lookup(encoding)
        "".encode(encoding)  # refuses codecs that are not of text, such as hex
    except (LookupError, TypeError, ValueError):
        raise SettingsError("encoding", encoding, "the name of a text encoding") from None
    return codec.name


def decode(data: bytes, name: str, encoding: str | None = None) -> Decoded:
    """The text of `data`, in the encoding given or else the one found; strictly.

    Raises:
        SourceUndecodableError: with the offset of the first byte that does not fit.
    """
    if encoding is not None:
        return Decoded(_strict(data, name, encoding), encoding, 1.0)
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return Decoded(_strict(data, name, codec), codec, 1.0)
    return Decoded(_strict(data, name, "utf-8"), "utf-8", 1.0)


def _strict(data: bytes, name: str, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceUndecodableError(
            f"{name!r} is not {encoding} text: the byte at offset {error.start:,} does not fit; "
            "name its encoding.",
            name=name,
            encoding=encoding,
            byte_offset=error.start,
        ) from None
