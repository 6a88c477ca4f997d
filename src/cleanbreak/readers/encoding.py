"""The encoding of a text file: first by proof, and only if there is none, by a guess.

The order matters: byte order mark; the pattern of NUL bytes in UTF-16 and UTF-32; the escapes of
the seven-bit encodings, which are valid ASCII and so must come before it; strict UTF-8 over the
*whole* file, as one late byte can refute any sample; UTF-8 with a few bytes of Windows between, as
editors leave them; and only then statistics (`guess`). An encoding that is guessed must decode the
whole file strictly.
"""

import codecs
import re
from typing import NamedTuple

from cleanbreak.errors import SettingsError, SourceUndecodableError
from cleanbreak.readers.guess import first_beyond_ascii, guess

_BOMS = (
    # UTF-32 first: its little-endian mark starts with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Bytes that are searched for the pattern of NULs; divisible by 4.
_SAMPLE = 1 << 16
_NUL_PATTERNS = (
    # For each byte of four, whether it is a high byte, which is NUL if the text has only the first
    # 256 characters. None: either.
    ("utf-32-le", (False, None, True, True)),
    ("utf-32-be", (True, True, None, False)),
    ("utf-16-le", (False, True, False, True)),
    ("utf-16-be", (True, False, True, False)),
)
_MANY = 0.25
_FEW = 0.02
_NEARLY_ALL = 0.8
_CONTROLS = range(1, 0x20)

_ESCAPES = (
    # There are two bytes for a character between the escapes; anything else resembles them by chance.
    (
        "iso2022_jp_2",
        b"\x1b",
        re.compile(rb"\x1b\$[@B](?:[!-~]{2})+(?:[\r\n]*\x1b\([BJ]|[!-~]?\Z)"),
    ),
    ("iso2022_kr", b"\x1b", re.compile(rb"\A\x1b\$\)C")),
    ("hz", b"~", re.compile(rb"~\{(?:[!-w][!-~])+~\}")),
)

# With at least this number of well-formed UTF-8 characters beyond ASCII for each byte that fits
# none, a file is UTF-8 with some bytes of another encoding. In other encodings sequences are seldom
# well-formed by chance.
_STRAY_RATIO = 3
# How Python shows bytes that do not fit, and what they are in the code page of Windows, from which
# they come nearly always: quotation marks and accents typed or pasted into a UTF-8 file.
_STRAY = re.compile("[\udc80-\udcff]")
_STRAYS = {
    chr(0xDC00 + byte): bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)
}

# Bytes of a character in UTF-8.
_LONGEST_CHARACTER = 4
# The reasons that codecs give if bytes of the last character are missing.
_INCOMPLETE = ("unexpected end of data", "truncated data", "incomplete multibyte sequence")


class Decoded(NamedTuple):
    """A text, the codec that decoded it, and the confidence in that codec from 0 to 1."""

    text: str
    encoding: str
    confidence: float
    truncated: bool = False
    """The file ends inside a character; U+FFFD stands for it."""
    strays: int = 0
    """Bytes that are not UTF-8 in a file that is, and so were read as cp1252."""


def check_encoding(encoding: str | None) -> str | None:
    """The canonical name of the codec for `encoding`; ``None`` for ``None``.

    Raises:
        SettingsError: if Python has no text encoding of that name.
    """
    if encoding is None:
        return None
    try:
        codec = codecs.lookup(encoding)
        "".encode(encoding)  # raises for codecs that are not for text, such as hex
    except (LookupError, TypeError, ValueError):
        raise SettingsError("encoding", encoding, "the name of a text encoding") from None
    return codec.name


def decode(data: bytes, name: str, encoding: str | None = None) -> Decoded:
    """The text of `data`, decoded strictly, in the encoding given or else the one found.

    A byte order mark is not part of the text.

    Raises:
        SourceUndecodableError: with the offset of the first byte that does not fit.
    """
    if encoding is not None:
        return _marked(data, name, encoding)
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return _named_by_mark(data, name, codec)
    return _proved(data, name) or _guessed(data, name)


def _named_by_mark(data: bytes, name: str, codec: str) -> Decoded:
    try:
        return _marked(data, name, codec)
    except SourceUndecodableError:
        mixed = _mixed_utf8(data[len(codecs.BOM_UTF8) :]) if codec == "utf-8-sig" else None
        if mixed is None:
            raise
        return mixed._replace(encoding=codec)


def _marked(data: bytes, name: str, encoding: str) -> Decoded:
    if encoding == "utf-8-sig":
        try:
            # Without a copy of a large file or text.
            return Decoded(str(memoryview(data)[_mark(data) :], "utf-8"), encoding, 1.0)
        except UnicodeDecodeError:
            pass  # below, so that the offset is one of the file
    # Not utf-8-sig, whose errors count offsets from the end of the mark.
    text, truncated = _strict(data, name, encoding.replace("utf-8-sig", "utf-8"))
    return Decoded(text.removeprefix("\ufeff"), encoding, 1.0, truncated)


def _mark(data: bytes) -> int:
    return len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0


def _proved(data: bytes, name: str) -> Decoded | None:
    """What the bytes themselves prove, without a byte order mark."""
    for codec in (*_by_nuls(data), *_by_escapes(data)):
        try:
            text, truncated = _strict(data, name, codec)
        except SourceUndecodableError:
            continue
        return Decoded(text, codec, 1.0, truncated)
    try:
        return Decoded(data.decode("utf-8"), "utf-8", 1.0)
    except UnicodeDecodeError:
        return _mixed_utf8(data)


def _by_nuls(data: bytes) -> list[str]:
    sample = data[:_SAMPLE]
    if 0 not in sample:
        return []
    quarters = [sample[at::4] for at in range(4)]
    return [codec for codec, pattern in _NUL_PATTERNS if _shows(quarters, pattern)]


def _shows(quarters: list[bytes], pattern: tuple[bool | None, ...]) -> bool:
    return all(
        leads is None or (_leads(quarter) if leads else quarter.count(0) <= _FEW * len(quarter))
        for quarter, leads in zip(quarters, pattern, strict=True)
    )


def _leads(quarter: bytes) -> bool:
    """Whether they are high bytes: many NULs, or nearly all NUL or one other, as 4 in Cyrillic."""
    nuls = quarter.count(0)
    return nuls >= _MANY * len(quarter) or (
        nuls + max(map(quarter.count, _CONTROLS)) >= _NEARLY_ALL * len(quarter)
    )


def _by_escapes(data: bytes) -> list[str]:
    if not data.isascii():
        return []
    # To find one byte is many times faster than to search a pattern, and most files have neither.
    return [codec for codec, first, escape in _ESCAPES if first in data and escape.search(data)]


def _mixed_utf8(data: bytes) -> Decoded | None:
    """UTF-8 that ends too early, or that has bytes of Windows between; ``None`` if it is not UTF-8."""
    fitting = data.decode("utf-8", "ignore")
    strays = len(data) - len(fitting.encode())
    if len(fitting) - len(fitting.encode("ascii", "ignore")) < _STRAY_RATIO * strays:
        return None
    whole, truncated = _without_cut_character(data)
    strays -= len(data) - len(whole)
    text = whole.decode("utf-8", "surrogateescape") + ("\ufffd" if truncated else "")
    text = _STRAY.sub(lambda found: _STRAYS[found.group()], text)
    return Decoded(text, "utf-8", 1.0, truncated, strays)


def _without_cut_character(data: bytes) -> tuple[bytes, bool]:
    """The bytes without the start of a character at their end, and whether there was one."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    decoder.decode(data[-_LONGEST_CHARACTER:])
    rest, _ = decoder.getstate()
    return data[: len(data) - len(rest)], bool(rest)


def _guessed(data: bytes, name: str) -> Decoded:
    """The text in the encoding that the detector finds from the bytes beyond ASCII."""
    found = guess(data)
    if found is None:
        offset = first_beyond_ascii(data)
        raise SourceUndecodableError(
            f"{name!r} is not text in any known encoding (from byte offset {offset:,} on); "
            "if it is text, name its encoding.",
            name=name,
            byte_offset=offset,
        )
    text, truncated = _strict(data, name, found.encoding)
    return Decoded(text, found.encoding, round(found.confidence, 3), truncated)


def _strict(data: bytes, name: str, encoding: str) -> tuple[str, bool]:
    """The text, and whether the end of its last character is missing; any other damage raises."""
    try:
        return data.decode(encoding), False
    except UnicodeDecodeError as error:
        if error.start > 0 and error.end == len(data) and error.reason in _INCOMPLETE:
            return data[: error.start].decode(encoding) + "\ufffd", True
        raise SourceUndecodableError(
            f"{name!r} is not {encoding} text: the byte at offset {error.start:,} does not fit; "
            "repair it, or name the file's encoding.",
            name=name,
            encoding=encoding,
            byte_offset=error.start,
        ) from None
