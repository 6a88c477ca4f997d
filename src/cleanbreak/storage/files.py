"""The one seam through which a world changes the disk.

Every step (make a folder, write, sync, rename, sync a folder, remove) goes through one method of
`Files`, which calls an observer first. So steps can be numbered, recorded and made to fail, which
is how the tests prove that a crash at any of them loses nothing.

The order that survives a power cut is: temporary file beside the target, write, sync, rename, sync
the folder. A rename without the sync before it left 100 of 100 files empty in trials. Syncing one
file at a time is slow, so files that may become durable together are synced by several threads,
and their folder once.
"""

import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cleanbreak.errors import DiskFullError, StoreError, WriteFailedError

Observer = Callable[[str, Path], None]
"""Called with the name of a step and the file or folder that the step is about to touch."""

Check = Callable[[], None]
"""Called between the blocks of a long work; it raises what is to end the work."""

TEMPORARY_PREFIX, TEMPORARY_SUFFIX = ".cb-", ".tmp"

# EFBIG is what a limit on file size gives, EDQUOT (not on every system) a quota: all three mean
# to the person that there is no room.
NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
# Some network and FUSE file systems sync names by themselves and refuse to be asked.
_FOLDERS_NOT_SYNCED = frozenset({errno.EINVAL, errno.ENOTSUP})
_SYNC_THREADS = 8
_COPIED_AT_ONCE = 1 << 20
# As much as the shared memory of an SQLite log takes.
_PROBED_BYTES = 64 << 10


def no_check() -> None:
    """Let the work run to its end."""


class Identity(NamedTuple):
    """Which bytes a file holds: their number and their SHA-256 in hexadecimal digits."""

    size: int
    sha256: str


class ChangedError(Exception):
    """A file that is copied no longer holds the bytes that were expected (internal)."""


def is_temporary(name: str) -> bool:
    """Whether a file of that name is a writer's unfinished work.

    A database that is built aside has two more files beside it.
    """
    own = name.removesuffix("-wal").removesuffix("-shm")
    return name.startswith(TEMPORARY_PREFIX) and own.endswith(TEMPORARY_SUFFIX)


def is_unicode(name: str) -> bool:
    """Whether a name can be written in UTF-8.

    Python hands bytes of a name that are not UTF-8 over as lone surrogates (PEP 383); old disks,
    archives and network shares have such names.

    >>> is_unicode("café.txt"), is_unicode("caf" + chr(0xDCE9))
    (True, False)
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_text(name: str) -> str:
    """A name as JSON can hold it: what is not Unicode is shown as an escape."""
    return name.encode(errors="backslashreplace").decode()


def sha256_of(path: Path, check_stop: Check = no_check) -> str:
    """The digest of a file's bytes; raises `OSError` where it cannot be read."""
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as stream:
        while block := stream.read(_COPIED_AT_ONCE):
            digest.update(block)
            check_stop()
    return digest.hexdigest()


class Files:
    """Writes durably; nothing is acknowledged before it is on the disk.

    Raises (all methods):
        DiskFullError: if there is no room, or a quota or limit of size is reached.
        WriteFailedError: for any other refusal. Both name the file, never its folder.
    """

    def __init__(self, observer: Observer | None = None, *, group_size: int = 256) -> None:
        self._observer = observer
        self.group_size = group_size

    def make_folder(self, path: Path) -> None:
        """Make a folder and those above it, each durable in its parent."""
        if path.is_dir():
            return
        self.make_folder(path.parent)
        with self._step("make_folder", path):
            path.mkdir(exist_ok=True)
        self.sync_folder(path.parent)

    def write(self, path: Path, data: bytes) -> None:
        """Replace one file whole: after a crash it has the old bytes or the new."""
        self.write_group([(path, data)])

    def write_group(self, group: Iterable[tuple[Path, bytes]]) -> None:
        """Replace files of one folder whole; all are durable when this returns."""
        waiting: list[tuple[Path, Path]] = []
        try:
            for path, data in group:
                temporary = temporary_name(path)
                waiting.append((temporary, path))
                self._write_new(temporary, data)
            self._sync([temporary for temporary, _ in waiting])
            for temporary, path in waiting:
                self._replace(temporary, path)
        except BaseException:
            discard(temporary for temporary, _ in waiting)
            raise
        if waiting:
            self.sync_folder(waiting[0][1].parent)

    def copy(self, source: Path, target: Path, expected: str, check_stop: Check = no_check) -> None:
        """Copy a file whose SHA-256 is known, and put the copy in place only if it has that digest.

        The copy is read back after its sync and hashed. That one pass proves both that the source
        still held the bytes that were expected and that the disk took them.

        Raises:
            ChangedError: if `source` holds other bytes; nothing is put in place.
            OSError: if `source` cannot be read; what fails on the side of `target` is a
                `StoreError`, as for every method.
        """
        temporary = target.with_name(f"{TEMPORARY_PREFIX}copy{TEMPORARY_SUFFIX}")
        try:
            with source.open("rb") as stream:
                self._write_stream(temporary, stream, target, check_stop)
            self._sync([temporary])
            self._check(temporary, source, expected, check_stop)
            self._replace(temporary, target)
        except BaseException:
            discard([temporary])
            raise
        self.sync_folder(target.parent)

    def rename_folder(self, source: Path, target: Path) -> None:
        """Rename a folder in one step; `target` must not be there."""
        with self._step("rename_folder", target):
            source.rename(target)
        self.sync_folder(target.parent)
        if source.parent != target.parent:
            self.sync_folder(source.parent)

    def put_in_place(self, temporary: Path, target: Path) -> None:
        """Make a file that others wrote durable, then give it its name."""
        self._sync([temporary])
        self.replace(temporary, target)

    def replace(self, source: Path, target: Path) -> None:
        """Move a file that is durable already over another."""
        self._replace(source, target)
        self.sync_folder(target.parent)

    def remove(self, path: Path) -> None:
        """Remove one file, if it is there."""
        with self._step("remove", path):
            path.unlink(missing_ok=True)

    def clear_for_file(self, path: Path) -> None:
        """Remove a folder that stands where a file belongs."""
        if path.is_dir() and not path.is_symlink():
            self.remove_tree(path)

    def clear_for_folder(self, path: Path) -> None:
        """Remove a file, or a link to nothing, that stands where a folder belongs."""
        if (path.exists() or path.is_symlink()) and not path.is_dir():
            self.remove(path)

    def remove_tree(self, path: Path) -> None:
        """Remove a folder with all it holds, if it is there."""
        if not path.exists():
            return
        with self._step("remove_tree", path):
            shutil.rmtree(path)
        self.sync_folder(path.parent)

    def sync_folder(self, path: Path) -> None:
        """Make the names in a folder durable."""
        if os.name == "nt":  # folders cannot be opened there; NTFS journals the rename itself
            return
        with self._step("sync_folder", path):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            except OSError as error:
                if error.errno not in _FOLDERS_NOT_SYNCED:
                    raise
            finally:
                os.close(descriptor)

    # --- steps -----------------------------------------------------------------------------------

    @contextmanager
    def _step(self, name: str, path: Path, named: Path | None = None) -> Iterator[None]:
        """One change of the disk; `named` is the file that an error names in place of `path`."""
        try:
            if self._observer:
                self._observer(name, path)
            yield
        except OSError as error:
            raise translated(error, named or path) from None

    def _write_new(self, path: Path, data: bytes) -> None:
        with self._step("write", path), path.open("wb", buffering=0) as stream:
            _write_all(stream.fileno(), data)
        # Closed here and not by the collector: closing is where some disks say that they are full.

    def _write_stream(self, path: Path, stream: BinaryIO, named: Path, check_stop: Check) -> None:
        with self._step("write", path, named):
            target = path.open("wb", buffering=0)
        try:
            while block := stream.read(_COPIED_AT_ONCE):
                with self._step("write_block", path, named):
                    _write_all(target.fileno(), block)
                check_stop()
        finally:
            try:
                target.close()
            except OSError as error:  # some full disks say so only here
                raise translated(error, named) from None

    def _check(self, copy: Path, source: Path, expected: str, check_stop: Check) -> None:
        with self._step("check", copy):
            same = sha256_of(copy, check_stop) == expected
        if same:
            return
        if sha256_of(source) != expected:
            raise ChangedError
        raise translated(OSError(errno.EIO, ""), copy)  # the source is right, so the copy is not

    def _sync(self, paths: list[Path]) -> None:
        for path in paths:
            if self._observer:
                with self._step("sync", path):
                    pass
        if len(paths) == 1:
            _sync_each(paths)
            return
        # A share of the files for each thread: on a fast disk a task a file costs as much as its sync.
        shares = [paths[first::_SYNC_THREADS] for first in range(_SYNC_THREADS)]
        with ThreadPoolExecutor(_SYNC_THREADS) as pool:
            for _ in pool.map(_sync_each, shares):
                pass

    def _replace(self, source: Path, target: Path) -> None:
        with self._step("replace", target):
            source.replace(target)


def _sync_each(paths: Iterable[Path]) -> None:
    for path in paths:
        try:
            descriptor = os.open(path, os.O_RDWR)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise translated(error, path) from None


def _write_all(descriptor: int, data: bytes) -> None:
    """Write to the end: a disk that is nearly full takes a part and says so only by the count."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def temporary_name(path: Path) -> Path:
    """Where a file is written before it has its name: beside it, so that a rename can reach."""
    return path.with_name(f"{TEMPORARY_PREFIX}{path.name}{TEMPORARY_SUFFIX}")


def final_name(path: Path) -> str:
    """The name of a file, or the one that a temporary file is to get.

    >>> final_name(Path("chunks/.cb-000150.json.tmp"))
    '000150.json'
    """
    if not is_temporary(path.name):
        return path.name
    return path.name.removeprefix(TEMPORARY_PREFIX).removesuffix(TEMPORARY_SUFFIX)


def discard(paths: Iterable[Path]) -> None:
    """Give back the room of unfinished files, so that a full disk is not made fuller."""
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def translated(error: OSError, path: Path) -> StoreError:
    """What a refusal of the disk means to a person; names the file, never its folder."""
    number = error.errno or 0
    name = final_name(path)
    if number in NO_ROOM:
        return DiskFullError(
            f"There is no room to write {name!r}; what was stored before is safe. Make room, then "
            "resume.",
            name=name,
            errno=number,
        )
    reason = os.strerror(number) if number else type(error).__name__
    return WriteFailedError(
        f"{name!r} could not be written ({reason}); what was stored before is safe. Remove the "
        "cause, then resume.",
        name=name,
        errno=number,
    )


def check_room(folder: Path) -> None:
    """Find out whether a disk is full, where a library said only that it failed to write.

    Raises:
        DiskFullError: if there is no room for a small file, or a quota is reached.
    """
    probe = folder / f"{TEMPORARY_PREFIX}room{TEMPORARY_SUFFIX}"
    try:
        with probe.open("wb", buffering=0) as stream:
            _write_all(stream.fileno(), bytes(_PROBED_BYTES))
            os.fsync(stream.fileno())
    except OSError as error:
        if error.errno in NO_ROOM:
            raise translated(error, probe) from None
    finally:
        discard([probe])


def unreadable(error: OSError, path: Path) -> StoreError:
    """A disk that failed to read, perhaps only now; names the file, never its folder."""
    number = error.errno or 0
    reason = os.strerror(number) if number else type(error).__name__
    return WriteFailedError(
        f"{path.name!r} could not be read ({reason}); nothing was changed. Remove the cause, then run "
        "again.",
        name=path.name,
        errno=number,
    )
