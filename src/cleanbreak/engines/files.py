"""The files that go into a folder of shards, of this machine or of a file system of fsspec."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, cast

from cleanbreak.core.code.languages import LANGUAGE_OF
from cleanbreak.core.document import Document
from cleanbreak.errors import SourceMissingError, SourceUnreadableError
from cleanbreak.export.places import file_system
from cleanbreak.readers import EXTENSIONS, read
from cleanbreak.storage.files import sha256_of


class File(Protocol):
    """A file to read. It travels to worker processes."""

    @property
    def relative(self) -> str:
        """Its path below the folder that was named, with ``/``: what its rows are known by."""

    @property
    def where(self) -> str:
        """Its full path or address."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of all folders above it, and its own."""

    @property
    def size(self) -> int:
        """Its bytes; 0 where that is not known."""

    def read(self, **options: Any) -> Document:
        """The document; see `cleanbreak.read`.

        Raises:
            SourceError: if it cannot be fetched or read.
        """

    def sha256(self) -> str:
        """The digest of its bytes now.

        Raises:
            SourceError: if it cannot be fetched.
        """


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file of this machine."""

    path: Path
    relative: str

    @property
    def where(self) -> str:
        """See `File`."""
        return os.fspath(self.path.absolute())

    @property
    def parts(self) -> tuple[str, ...]:
        """See `File`."""
        return self.path.absolute().parts[1:]

    @property
    def size(self) -> int:
        """See `File`."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def read(self, **options: Any) -> Document:
        """See `File`."""
        return read(self.path, **options)

    def sha256(self) -> str:
        """See `File`."""
        try:
            return sha256_of(self.path)
        except OSError as error:
            raise SourceUnreadableError(
                f"{self.path.name!r} cannot be read ({error.strerror}).", name=self.path.name
            ) from None


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file at an address."""

    address: str
    relative: str
    size: int

    @property
    def where(self) -> str:
        """See `File`."""
        return self.address

    @property
    def parts(self) -> tuple[str, ...]:
        """See `File`."""
        return PurePosixPath(self.address.partition("://")[2]).parts

    def read(self, **options: Any) -> Document:
        """See `File`."""
        return read(self._fetched(), name=self.parts[-1], **options)

    def sha256(self) -> str:
        """See `File`."""
        return hashlib.sha256(self._fetched()).hexdigest()

    def _fetched(self) -> bytes:
        system, path = file_system(self.address)
        with _said(self.parts[-1]):
            data: bytes = system.cat_file(path)
        return data


def distinct(files: Iterable[File]) -> list[File]:
    """The files, each under a path of its own: files of two folders may have one relative path.

    The second gets the name of a folder above it, too, and so on.
    """
    seen: set[str] = set()
    found = []
    for file in files:
        depth = file.relative.count("/") + 1
        relative = file.relative
        while relative in seen and depth < len(file.parts):
            depth += 1
            relative = "/".join(file.parts[-depth:])
        seen.add(relative)
        found.append(replace(cast("Any", file), relative=relative))
    return found


def list_remote(address: str, by: str) -> list[RemoteFile]:
    """The readable files at and below an address, sorted by path; as `list_files` for a folder.

    Raises:
        SourceMissingError: if there is none.
        SourceUnreadableError: if the address cannot be listed.
        DependencyMissingError: without the package for that kind of address.
    """
    system, root = file_system(address)
    kinds = LANGUAGE_OF if by == "code" else EXTENSIONS
    with _said(PurePosixPath(root).name):
        found = system.find(root, detail=True)
    files = [
        RemoteFile(system.unstrip_protocol(path), _relative(path, root), int(info["size"] or 0))
        for path, info in sorted(found.items())
        if PurePosixPath(path).suffix.lower() in kinds
        and not any(part.startswith(".") for part in PurePosixPath(path).parts)
    ]
    if not files:
        name = PurePosixPath(root).name
        raise SourceMissingError(f"There is no readable file at {name!r}.", name=name)
    return files


def address_of(path: Path) -> str | None:
    """The address that a path stands for, if it is one: a path has lost one of its slashes.

    >>> address_of(Path("s3://books/sea")), address_of(Path("C:/books"))
    ('s3://books/sea', None)
    """
    kind, colon, rest = path.as_posix().partition(":/")
    if not colon or len(kind) < 2 or not kind.isalnum():
        return None
    return f"{kind}://{rest.lstrip('/')}"


def _relative(path: str, root: str) -> str:
    below = path.lstrip("/").removeprefix(root.strip("/")).lstrip("/")
    return below or PurePosixPath(path).name


@contextmanager
def _said(name: str) -> Iterator[None]:
    """Any failure of a remote file system as ours; its own message may hold an address or a key."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 (each file system has errors of its own)
        raise SourceUnreadableError(
            f"{name!r} cannot be fetched ({type(error).__name__}); check the address, your rights and the "
            "network.",
            name=name,
        ) from None
