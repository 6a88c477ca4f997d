"""Which files to read, where a person may also name folders."""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cleanbreak.core.code.languages import LANGUAGE_OF
from cleanbreak.errors import SourceMissingError, SourceUnreadableError, SourceUnsupportedError
from cleanbreak.readers.detect import EXTENSIONS, KINDLE, NAMED_ONLY
from cleanbreak.readers.own import has_own_reader

# What archives and desktops put beside people's files, and nobody misses.
_SYSTEM_NAMES = frozenset({"__macosx", "thumbs.db", "desktop.ini"})
_UNREAD = ("as it is of a kind that is not read", "as they are of kinds that are not read")
_KINDLE = "as Calibre's ebook-convert must first make EPUBs of Kindle books"
_NAMED_ONLY = "as code, tables and logs are only read if they are named"
# Folders in which the tools of a language put code that is not the project's own.
_FOREIGN_CODE = frozenset({"node_modules", "site-packages"})

_KINDS = "of a kind that is read, such as TXT, PDF, EPUB or DOCX"


@dataclass(frozen=True, slots=True)
class Listed:
    """A file to read."""

    path: Path
    relative: str
    """Its path below the folder that was named, with ``/``; its name if it was named itself."""
    named: bool
    """Whether a person named the file itself."""


@dataclass(slots=True)
class Listing:
    """The files that a person's arguments stand for, and what was left out."""

    files: list[Listed] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    """How many files in folders are of a kind that is not read, by extension in lower case."""
    unreadable: list[SourceUnreadableError] = field(default_factory=list)
    """One error for each folder below a named one that may not be listed."""


def expand(paths: Iterable[Path]) -> list[Path]:
    """The files of `list_files`, where a folder that may not be listed is an error.

    Raises:
        SourceUnreadableError: if a folder may not be listed.
        SourceMissingError, SourceUnsupportedError: as `list_files` does.
    """
    listing = list_files(paths)
    for error in listing.unreadable:
        raise error
    return [file.path for file in listing.files]


def list_files(paths: Iterable[Path], by: str = "boundary") -> Listing:
    """The files named, in order; a folder is replaced by the readable files in it and below it.

    Readable are files with an extension that is read (source code, tables and logs only by name); or,
    where `by` says that they are cut as ``"code"``, files of a language that has a grammar, but not
    those in ``node_modules`` and ``site-packages``. Within a folder they are sorted by path. Hidden files and folders are left out, and so is every
    world, as it holds copies of its books. A file that is named itself is kept without a check, also
    if it does not exist.

    Raises:
        SourceMissingError: if a folder holds no readable file.
        SourceUnreadableError: if the only reason is that a folder may not be listed.
        SourceUnsupportedError: if a folder that is named is a world.
    """
    listing = Listing()
    for path in paths:
        # Not `Path.is_dir`, which raises for a name that is too long.
        if os.path.isdir(path):  # noqa: PTH112
            _list_folder(path, listing, is_code=by == "code")
        else:
            listing.files.append(Listed(path, path.name, named=True))
    return listing


def say_skipped(skipped: Counter[str]) -> str:
    """How many files were skipped, by kind, and what would read them.

    >>> say_skipped(Counter({".jpg": 1, ".mp3": 2, "": 1}))
    '4 files skipped, as they are of kinds that are not read: 2 .mp3, 1 .jpg, 1 without extension'
    >>> say_skipped(Counter({".py": 2}))
    '2 files skipped, as code, tables and logs are only read if they are named: 2 .py'
    """
    kindle = Counter({kind: count for kind, count in skipped.items() if kind in KINDLE})
    plain = Counter({kind: count for kind, count in skipped.items() if kind in NAMED_ONLY})
    unread = skipped - kindle - plain
    reasons = ((unread, _UNREAD[unread.total() > 1]), (kindle, _KINDLE), (plain, _NAMED_ONLY))
    return "; ".join(
        f"{files.total():,} file{'s' * (files.total() > 1)} skipped, {why}: {_kinds(files)}"
        for files, why in reasons
        if files
    )


def _kinds(files: Counter[str]) -> str:
    ordered = sorted(files.items(), key=lambda item: (-item[1], not item[0], item[0]))
    return ", ".join(f"{count:,} {kind or 'without extension'}" for kind, count in ordered)


def _list_folder(folder: Path, listing: Listing, *, is_code: bool) -> None:
    if _is_world(folder):
        raise SourceUnsupportedError(
            f"{folder.name!r} is a world, which holds copies of its books; name the books themselves.",
            name=folder.name,
        )
    unreadable: list[SourceUnreadableError] = []

    def refuse(error: OSError) -> None:
        name = Path(error.filename or folder).name
        unreadable.append(
            SourceUnreadableError(
                f"The folder {name!r} cannot be listed ({error.strerror}); check its permissions.",
                name=name,
            )
        )

    files: list[Path] = []
    for base, folders, names in os.walk(folder, onerror=refuse):
        place = Path(base)
        folders[:] = [name for name in folders if _is_wanted(name) and not _is_world(place / name)]
        if is_code:
            folders[:] = [name for name in folders if name.lower() not in _FOREIGN_CODE]
        for path in (place / name for name in names if _is_wanted(name)):
            if not os.path.isfile(path):  # noqa: PTH113 (a device, or a link to nothing)
                continue
            if _is_readable(path, is_code=is_code):
                files.append(path)
            else:
                listing.skipped[path.suffix.lower()] += 1
    listing.unreadable += unreadable
    if not files:
        if unreadable:
            raise unreadable[0]
        kinds = "of a language that --by code knows" if is_code else _KINDS
        raise SourceMissingError(
            f"The folder {folder.name!r} holds no file {kinds}.", name=folder.name
        )
    listing.files += (
        Listed(path, path.relative_to(folder).as_posix(), named=False) for path in sorted(files)
    )


def _is_readable(path: Path, *, is_code: bool) -> bool:
    extension = path.suffix.lower()
    if is_code:
        return extension in LANGUAGE_OF
    return extension in EXTENSIONS or has_own_reader(path)


def _is_wanted(name: str) -> bool:
    return not name.startswith(".") and name.lower() not in _SYSTEM_NAMES


def _is_world(folder: Path) -> bool:
    """Whether a folder is a world that holds books (docs/world-format.md)."""
    return (folder / "world.json").is_file() and (folder / "sources").is_dir()
