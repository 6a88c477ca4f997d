"""Where a folder of shards lies: on a disk of this machine, or on a file system of fsspec."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from cleanbreak.errors import DependencyMissingError, SettingsError, WriteFailedError
from cleanbreak.storage.files import Files, discard, is_temporary, temporary_name


class Place(Protocol):
    """A folder by the names of its files, which may lie one folder below. Every write is whole."""

    name: str

    def names(self, below: str) -> list[str]:
        """The names in the folder `below` (``""`` or one that ends in ``/``); none if it is missing."""

    def read(self, name: str) -> bytes | None:
        """What a file holds; ``None`` if there is none."""

    def write(self, name: str, data: bytes) -> None:
        """Replace a file whole."""

    def temporary(self) -> Path:
        """A local path to write the next file to."""

    def put(self, temporary: Path, name: str) -> None:
        """Move a local file that is finished to its place."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def remove_temporary(self) -> None:
        """Remove what earlier runs left that were killed."""


def is_remote(path: str | os.PathLike[str]) -> bool:
    """Whether a path is an address of a file system of fsspec, such as ``s3://bucket/out``."""
    return "://" in os.fspath(path)


def place_at(path: str | os.PathLike[str]) -> Place:
    """The folder at a path or address.

    Raises:
        DependencyMissingError: for an address without the package that it needs.
    """
    return RemotePlace(os.fspath(path)) if is_remote(path) else LocalPlace(Path(path))


class LocalPlace:
    """A folder of this machine; what was written is durable."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.name = folder.absolute().name
        self._files = Files()

    def names(self, below: str) -> list[str]:
        """See `Place`."""
        try:
            found = [path.name for path in (self._folder / below).iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(name for name in found if not is_temporary(name))

    def read(self, name: str) -> bytes | None:
        """See `Place`."""
        try:
            return (self._folder / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write(self, name: str, data: bytes) -> None:
        """See `Place`."""
        path = self._folder / name
        self._files.make_folder(path.parent)
        self._files.write(path, data)

    def temporary(self) -> Path:
        """See `Place`."""
        return temporary_name(self._folder / "shard")

    def put(self, temporary: Path, name: str) -> None:
        """See `Place`."""
        self._files.put_in_place(temporary, self._folder / name)

    def remove(self, name: str) -> None:
        """See `Place`."""
        self._files.remove(self._folder / name)

    def remove_temporary(self) -> None:
        """See `Place`."""
        discard(path for path in self._folder.iterdir() if is_temporary(path.name))


class RemotePlace:
    """A folder of an object store or another file system that fsspec reaches.

    Object stores make a file appear whole or not at all, which is what a folder of shards needs.
    """

    def __init__(self, address: str) -> None:
        self._system, self._root = file_system(address)
        self.name = self._root.rstrip("/").rpartition("/")[2]

    def names(self, below: str) -> list[str]:
        """See `Place`."""
        try:
            found = self._system.ls(f"{self._root}/{below}".rstrip("/"), detail=False)
        except FileNotFoundError:
            return []
        return sorted(path.rstrip("/").rpartition("/")[2] for path in found)

    def read(self, name: str) -> bytes | None:
        """See `Place`."""
        try:
            data: bytes = self._system.cat_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return None
        return data

    def write(self, name: str, data: bytes) -> None:
        """See `Place`."""
        with _said(name):
            self._system.pipe_file(f"{self._root}/{name}", data)

    def temporary(self) -> Path:
        """See `Place`."""
        handle, name = tempfile.mkstemp(prefix="cleanbreak-")
        os.close(handle)
        return Path(name)

    def put(self, temporary: Path, name: str) -> None:
        """See `Place`."""
        with _said(name):
            self._system.put_file(str(temporary), f"{self._root}/{name}")
        discard([temporary])

    def remove(self, name: str) -> None:
        """See `Place`."""
        with _said(name):
            if self._system.exists(f"{self._root}/{name}"):
                self._system.rm_file(f"{self._root}/{name}")

    def remove_temporary(self) -> None:
        """See `Place`; they lie in the machine's own folder of temporary files."""


def file_system(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path on it.

    Raises:
        DependencyMissingError: without fsspec, or the package for that kind of address.
        SettingsError: for a kind of address that is not known.
    """
    try:
        from fsspec.core import url_to_fs

        system, root = url_to_fs(address)
    except ImportError as error:
        package = error.name or "fsspec"
        raise DependencyMissingError(
            f"Addresses such as s3:// need the package {package}; install cleanbreak[remote] and the "
            "package for that kind of address, such as s3fs or gcsfs.",
            package=package,
            extra="remote",
        ) from None
    except ValueError:
        raise SettingsError(
            "address",
            address.partition("://")[0],
            "a known kind",
            sentence="No file system is known for that address; use s3://, gs://, az:// or another one of "
            "fsspec.",
        ) from None
    return system, root.rstrip("/")


@contextmanager
def _said(name: str) -> Iterator[None]:
    """Any failure of a remote file system as ours; its own message may hold an address or a key."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 (each file system has errors of its own)
        raise WriteFailedError(
            f"{name!r} could not be written ({type(error).__name__}); check the address, your rights and the "
            "network, and run again: what was written is kept.",
            name=name,
        ) from None
