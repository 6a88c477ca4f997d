"""A source file: its bytes and its name, and errors that say what to do."""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cleanbreak.errors import (
    SettingsError,
    SourceEmptyError,
    SourceLimitError,
    SourceMissingError,
    SourceUnreadableError,
)
from cleanbreak.readers.limits import Limits

# ``s3://bucket/book.txt``, also as a path, which has one slash. A drive of Windows is one letter.
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[/\\]")
_PATTERN = re.compile(r"[*?]|\[[^\]]+\]")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The content of a file. ``name`` is its name without the folder."""

    name: str
    data: bytes = field(repr=False)

    @property
    def sha256(self) -> str:
        """The digest of the bytes, as hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


def peek(path: str | os.PathLike[str], count: int, limits: Limits) -> tuple[str, bytes]:
    """The name of a regular file and its first `count` bytes.

    Raises:
        SourceMissingError: if there is no file of that name.
        SourceUnreadableError: if it is a folder, a device or a pipe, or may not be opened.
        SourceEmptyError: if it has no bytes.
        SourceLimitError: if it is larger than the limit.
    """
    name = Path(path).name
    with _opened(path, limits) as stream:
        head = stream.read(count)
    if not head:
        raise empty(name)
    return name, head


def load(path: str | os.PathLike[str], limits: Limits) -> SourceFile:
    """Read a whole regular file.

    Raises:
        SourceError: as `peek` does.
    """
    name = Path(path).name
    with _opened(path, limits) as stream:
        data = stream.read()
    _check_size(len(data), name, limits)  # again, as the file may have grown
    return SourceFile(name, data)


def receive(source: bytes | BinaryIO, name: str, limits: Limits) -> SourceFile:
    """The source file of bytes, or of what a binary file object has left to read.

    Raises:
        SettingsError: if the object does not give bytes.
        SourceUnreadableError: if it cannot be read.
        SourceLimitError: if there is more than the limit.
        SourceEmptyError: if there are no bytes.
    """
    data = source if isinstance(source, bytes) else _read_object(source, name, limits)
    _check_size(len(data), name, limits)
    if not data:
        raise empty(name)
    return SourceFile(name, data)


def _read_object(stream: BinaryIO, name: str, limits: Limits) -> bytes:
    try:
        data = stream.read(limits.max_bytes + 1)
    except Exception as error:  # noqa: BLE001 (an object of the caller's; its message may name a path)
        raise SourceUnreadableError(
            f"{name!r} cannot be read from its file object ({type(error).__name__}).", name=name
        ) from None
    if not isinstance(data, bytes):
        raise SettingsError(
            "source", type(data), "a file object that is open in binary mode ('rb')"
        )
    return data


def empty(name: str) -> SourceEmptyError:
    """The error that there is nothing to read in the file called `name`."""
    return SourceEmptyError(
        f"{name!r} holds no text, or only white space; check that it is the right file.", name=name
    )


def missing(path: str | os.PathLike[str]) -> SourceMissingError:
    """The error that there is no such file, with what it may be instead."""
    name = Path(path).name
    if _ADDRESS.match(os.fspath(path)):
        why = f"{name!r} is at an address of the network, and files are read; download it first."
    elif _PATTERN.search(name):
        why = (
            f"There is no file {name!r}; a pattern is replaced by the shell, if it is not in quotes "
            "and some file fits it. A folder stands for all files in it."
        )
    else:
        why = f"There is no file {name!r}; check its name and folder."
    return SourceMissingError(why, name=name)


@contextmanager
def _opened(path: str | os.PathLike[str], limits: Limits) -> Iterator[BinaryIO]:
    file = Path(path)
    name = file.name
    try:
        status = file.stat()
        _check_kind(status.st_mode, name)
        _check_size(status.st_size, name, limits)
        with file.open("rb") as stream:
            yield stream
    except FileNotFoundError:
        raise missing(path) from None
    except (OSError, ValueError) as error:
        # ValueError: a path with a NUL. Only the reason is used, as str(error) contains the path.
        reason = getattr(error, "strerror", None) or "not a usable path"
        raise SourceUnreadableError(
            f"{name!r} cannot be opened ({reason}); check its permissions.", name=name
        ) from None


def _check_kind(mode: int, name: str) -> None:
    if stat.S_ISREG(mode):
        return
    what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
    raise SourceUnreadableError(f"{name!r} is {what}; name a file to read.", name=name)


def _check_size(size: int, name: str, limits: Limits) -> None:
    if size > limits.max_bytes:
        raise SourceLimitError(
            f"{name!r} has more than {limits.max_bytes:,} bytes; split it, or raise max_bytes.",
            name=name,
            limit="max_bytes",
            allowed=limits.max_bytes,
        )
