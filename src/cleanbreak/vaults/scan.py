"""What lies in a vault's folder: names, sizes and times, without opening a file."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cleanbreak.vaults.globs import Globs


class FileStamp(NamedTuple):
    """By which a changed file is told without reading it."""

    size: int
    mtime_ns: int


class Problem(NamedTuple):
    """Something in a vault that is not as it should be; the rest went on.

    ``path`` is relative to the vault; ``code`` is that of an error, by which a note is left out of
    the index, or of a warning.
    """

    path: str
    code: str
    message: str
    is_error: bool = True


class Scan(NamedTuple):
    """The files of a vault, by path with forward slashes."""

    notes: dict[str, FileStamp]
    attachments: set[str]
    problems: list[Problem]


def scan(folder: Path, notes: Globs, left_out: Globs) -> Scan:
    """Walk the vault, through links to folders too, each folder once however it is reached."""
    found = Scan({}, set(), [])
    seen: set[tuple[int, int]] = set()
    pending = [("", str(folder))]
    while pending:
        prefix, place = pending.pop()
        try:
            status = os.stat(place)  # noqa: PTH116 (half the time of Path.stat, for every folder)
            if (status.st_dev, status.st_ino) in seen:
                found.problems.append(_seen_before(prefix))
                continue
            seen.add((status.st_dev, status.st_ino))
            pending += _look_into(place, prefix, found, notes, left_out)
        except OSError as error:
            found.problems.append(_unreadable(prefix, error))
    return found


def _look_into(
    place: str, prefix: str, found: Scan, notes: Globs, left_out: Globs
) -> Iterator[tuple[str, str]]:
    """Note the files of one folder; yields its folders, those that are links last."""
    real: list[tuple[str, str]] = []
    linked: list[tuple[str, str]] = []
    with os.scandir(place) as entries:
        for entry in entries:
            path = prefix + entry.name
            if not _is_unicode(entry.name):
                found.problems.append(_unnameable(path))
            elif _is_folder(entry):
                if not left_out.match(path, folder=True):
                    (linked if entry.is_symlink() else real).append((path + "/", entry.path))
            elif not left_out.match(path):
                if notes.match(path):
                    _note(entry, path, found)
                else:
                    found.attachments.add(path)
    # The walk takes the last first: a folder's own name for what is in it comes before a link's.
    return iter([*linked, *real])


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads round to itself
        return False


def _note(entry: "os.DirEntry[str]", path: str, found: Scan) -> None:
    try:
        status = entry.stat()
    except OSError as error:
        found.problems.append(_unreadable(path, error))
    else:
        found.notes[path] = FileStamp(status.st_size, status.st_mtime_ns)


def _is_unicode(name: str) -> bool:
    """Whether a name can be stored: one in another encoding comes as lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


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


def _seen_before(prefix: str) -> Problem:
    return Problem(
        prefix,
        "FOLDER_REPEATED",
        "A link leads to a folder of the vault that was looked at already; it is passed over.",
        is_error=False,
    )
