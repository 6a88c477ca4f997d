"""The zip archive of a book or an office document: entries found by inexact names, inflated with a count.

The sizes in the archive's directory are not trusted. Bytes are counted while they are inflated, and
the ratio is that of the bytes read so far, so a zip bomb is refused long before its end.
"""

import io
import re
import struct
import unicodedata
import zipfile
import zlib
from typing import NamedTuple
from urllib.parse import unquote

from cleanbreak.errors import SourceEncryptedError, SourceLimitError, SourceMalformedError
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.limits import Limits

# Bytes that are inflated between two checks of the limits.
_STEP = 1 << 20
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_ENCRYPTED_FLAG = 1
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


class Damaged(Exception):  # noqa: N818 (always caught, and turned into a warning)
    """The bytes of an entry cannot be read: its checksum, compression or offset is wrong."""


class Target(NamedTuple):
    """The place inside the archive that an href points at."""

    path: str
    fragment: str
    leaks: bool
    """It would go above the root of the archive; as in browsers, it stays at the root."""


def resolve(base: str, href: str) -> Target | None:
    """The target of `href` in the file at `base`; ``None`` if it is outside the archive.

    >>> resolve("OEBPS/nav.xhtml", "text/a%20b.xhtml#x")
    Target(path='OEBPS/text/a%20b.xhtml', fragment='x', leaks=False)
    >>> resolve("OEBPS/nav.xhtml", "../../../etc/passwd").path
    'etc/passwd'
    """
    if _SCHEME.match(href):
        return None
    path, _, fragment = href.strip().replace("\\", "/").partition("#")
    path = path.partition("?")[0]
    if not path:
        return Target(base, unquote(fragment), leaks=False)
    climbed = path if path.startswith("/") else f"{base.rpartition('/')[0]}/{path}"
    parts: list[str] = []
    leaks = False
    for part in climbed.split("/"):
        plain = unquote(part)
        if plain == "..":
            leaks |= not parts
            del parts[-1:]
        elif plain not in ("", "."):
            parts.append(part)
    return Target("/".join(parts), unquote(fragment), leaks)


class Archive:
    """The entries of one archive, and the count of bytes inflated so far."""

    def __init__(self, file: SourceFile, limits: Limits, kind: str) -> None:
        self._name = file.name
        self._kind = kind
        self._data = file.data
        self._limits = limits
        self._inflated = 0
        directory = self._directory()
        self._entries = {info.filename: info for info in directory}
        self.repeated = len(directory) - len(self._entries)
        """Entries whose name another one has; of these the last is read."""
        self._loose = {_loose(name): name for name in self._entries}

    def find(self, path: str) -> str | None:
        """The name of the entry that `path` means: as written, unquoted, or in other case."""
        for name in (path, unquote(path)):
            if name in self._entries:
                return name
        return self._loose.get(_loose(unquote(path)))

    def read(self, name: str) -> bytes:
        """The bytes of the entry called `name`, as `find` gave it.

        Raises:
            Damaged: if they cannot be read.
            SourceEncryptedError: if the entry needs a password.
            SourceLimitError: if they are too many.
        """
        info = self._entries[name]
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise SourceEncryptedError(
                f"{self._name!r} is locked with a password; unlock it first.", name=self._name
            )
        packed = self._packed(info)
        if info.compress_type == zipfile.ZIP_STORED:
            self._count(len(packed), len(packed), 0)
            data = bytes(packed)
        elif info.compress_type == zipfile.ZIP_DEFLATED:
            data = self._inflate(packed)
        else:
            raise Damaged("packed in a way that no book is")
        if zlib.crc32(data) != info.CRC:
            raise Damaged("checksum")
        return data

    def _directory(self) -> list[zipfile.ZipInfo]:
        try:
            entries = zipfile.ZipFile(io.BytesIO(self._data)).infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, struct.error):
            # ValueError: offsets that make no sense, names that are not UTF-8 though they say so.
            raise SourceMalformedError(
                f"{self._name!r} is not a whole {self._kind}: its zip directory is damaged or missing; "
                "download it again.",
                name=self._name,
            ) from None
        if len(entries) > self._limits.max_entries:
            raise SourceLimitError(
                f"{self._name!r} has {len(entries):,} entries; raise max_entries to read it.",
                name=self._name,
                limit="max_entries",
                allowed=self._limits.max_entries,
            )
        return entries

    def _packed(self, info: zipfile.ZipInfo) -> memoryview:
        at = info.header_offset
        if not 0 <= at <= len(self._data) - _LOCAL_HEADER.size:
            raise Damaged("place")
        mark, name_size, extra_size = _LOCAL_HEADER.unpack_from(self._data, at)
        if mark != b"PK\x03\x04":
            raise Damaged("place")
        start = at + _LOCAL_HEADER.size + name_size + extra_size
        return memoryview(self._data)[start : start + info.compress_size]

    def _inflate(self, packed: memoryview) -> bytes:
        engine = zlib.decompressobj(-zlib.MAX_WBITS)
        parts: list[bytes] = []
        size = 0
        rest: bytes | memoryview = packed
        try:
            while not engine.eof:
                part = engine.decompress(rest, _STEP)
                rest = engine.unconsumed_tail
                if not part and not rest and not engine.eof:
                    raise Damaged("cut short")
                size += len(part)
                self._count(len(part), size, len(packed) - len(rest))
                parts.append(part)
        except zlib.error:
            raise Damaged("packing") from None
        return b"".join(parts)

    def _count(self, more: int, size: int, packed: int) -> None:
        """Add to what was inflated in all; `size` and `packed` are of this entry so far."""
        self._inflated += more
        limits = self._limits
        if self._inflated > limits.max_inflated_bytes:
            raise self._bomb("max_inflated_bytes", limits.max_inflated_bytes)
        if size > limits.ratio_floor_bytes and 0 < packed * limits.max_inflate_ratio < size:
            raise self._bomb("max_inflate_ratio", limits.max_inflate_ratio)

    def _bomb(self, limit: str, allowed: int) -> SourceLimitError:
        return SourceLimitError(
            f"{self._name!r} inflates to more than {limit} allows ({allowed:,}); it may be a zip "
            f"bomb. Raise {limit} if you trust it.",
            name=self._name,
            limit=limit,
            allowed=allowed,
        )


def _loose(name: str) -> str:
    """A name without what often differs between href and entry: case, composition, slashes."""
    return unicodedata.normalize("NFC", name.replace("\\", "/")).casefold().lstrip("/")
