"""List the files of a vault with sizes and times, without opening a file."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cleanbreak.vaults.canvas import SUFFIX as CANVAS_SUFFIX
from cleanbreak.vaults.globs import Globs


class FileStamp(NamedTuple):
    """Size and modification time, to detect changes without reading the file."""

    size: int
    mtime_ns: int


class Problem(NamedTuple):
    """A problem with one file or folder of a vault; the other files are indexed.

    ``path`` is relative to the vault. ``code`` is the code of an error, which leaves the note out
    of the index, or of a warning.
    """

    path: str
    code: str
    message: str
    is_error: bool = True


class Scan(NamedTuple):
    """The files of a vault, by path with forward slashes."""

    notes: dict[str, FileStamp]
    """The notes and canvases. A canvas is an attachment too: links name it with its suffix."""
    attachments: set[str]
    problems: list[Problem]
    unread: list[str]
    """What could not be looked into, folders with a slash at the end: their notes are not gone."""

    def may_hold(self, path: str) -> bool:
        """Whether a file that was not found may be there, in what could not be looked into."""
        return any(
            path.startswith(unread) if unread.endswith("/") or not unread else path == unread
            for unread in self.unread
        )


def scan(folder: Path, notes: Globs, left_out: Globs) -> Scan:
    """Walk the vault, symbolic links included, and visit each folder once."""
    found = Scan({}, set(), [], [])
    seen: set[tuple[int, int]] = set()
    pending = [("", str(folder))]
    while pending:
        prefix, directory = pending.pop()
        try:
            status = os.stat(directory)  # noqa: PTH116 (half the time of Path.stat, for every folder)
            if (status.st_dev, status.st_ino) in seen:
                found.problems.append(_repeated(prefix))
                continue
            seen.add((status.st_dev, status.st_ino))
            pending += _list(directory, prefix, found, notes, left_out)
        except OSError as error:
            found.problems.append(_unreadable(prefix, error))
            if not (prefix and isinstance(error, FileNotFoundError)):
                found.unread.append(prefix)  # a folder that is gone was deleted during this scan
    return found


def _list(
    directory: str, prefix: str, found: Scan, notes: Globs, left_out: Globs
) -> Iterator[tuple[str, str]]:
    """Add the files of one folder to `found`; return its folders in reverse order of visit."""
    real: list[tuple[str, str]] = []
    linked: list[tuple[str, str]] = []
    with os.scandir(directory) as entries:
        for entry in entries:
            path = prefix + entry.name
            if not _is_unicode(entry.name):
                found.problems.append(_unnameable(path))
            elif _is_folder(entry):
                if not left_out.match(path, folder=True):
                    (linked if entry.is_symlink() else real).append((path + "/", entry.path))
            elif not left_out.match(path):
                is_note = notes.match(path)
                if is_note or path.endswith(CANVAS_SUFFIX):
                    _note(entry, path, found)
                if not is_note:
                    found.attachments.add(path)
                    if entry.is_symlink() and not os.path.exists(entry.path):  # noqa: PTH110
                        found.unread.append(path + "/")  # perhaps to a folder of a disk not mounted
    # `scan` pops from the end, so real folders come before links to them: a note that is reached
    # both ways gets the path of the real folder.
    return iter([*linked, *real])


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a symbolic link to itself
        return False


def _note(entry: "os.DirEntry[str]", path: str, found: Scan) -> None:
    try:
        status = entry.stat()
    except OSError as error:
        found.problems.append(_unreadable(path, error))
        if entry.is_symlink() or not isinstance(error, FileNotFoundError):
            found.unread.append(path)
    else:
        found.notes[path] = FileStamp(status.st_size, status.st_mtime_ns)


def _is_unicode(name: str) -> bool:
    """Whether a name can be stored. Undecodable bytes of a name are lone surrogates."""
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)


def _unnameable(path: str) -> Problem:
    shown = os.fsencode(path).decode("utf-8", "replace")
    return Problem(shown, "SOURCE_UNREADABLE", "Its name is not valid Unicode; rename it.")


def _unreadable(path: str, error: OSError) -> Problem:
    missing = isinstance(error, FileNotFoundError)
    return Problem(
        path or ".",
        "SOURCE_MISSING" if missing else "SOURCE_UNREADABLE",
        f"It cannot be opened ({error.strerror}).",
    )


def _repeated(prefix: str) -> Problem:
    return Problem(
        prefix,
        "FOLDER_REPEATED",
        "This link points to a folder of the vault that is indexed under another path; it is skipped.",
        is_error=False,
    )
