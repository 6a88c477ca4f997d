"""Opening a world, and making room for one: its record, or why there is none."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from cleanbreak.core.checks import string
from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import (
    CleanbreakError,
    SettingsError,
    StoreError,
    WorldExistsError,
    WorldMalformedError,
    WorldMissingError,
    WriteFailedError,
)
from cleanbreak.storage.files import is_temporary, is_unicode
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.records import FORMAT_VERSION, WorldRecord, decode_world, now
from cleanbreak.worlds.stages.stage import CHUNKS

# Worlds that a message names.
_MOST_NAMED = 5


@contextmanager
def reading() -> Iterator[None]:
    """No raw exception leaves: a folder that may not be listed, a disk that fails."""
    try:
        yield
    except OSError as error:
        raise WorldMalformedError(
            f"A file of the world cannot be read ({error.strerror}); check its permissions, then "
            "run verify.",
            errno=error.errno,
        ) from None


def load_world(layout: Layout) -> WorldRecord:
    """``world.json`` as it counts now.

    Raises:
        WorldMissingError: if there is no world.
        WorldMalformedError: if it is lost or cannot be read.
        FormatTooNewError: if a later version of cleanbreak wrote it.
    """
    try:
        try:
            data = layout.current_record.read_bytes()
        except FileNotFoundError:
            # A swap may have been put in place between looking for its record and reading it.
            data = layout.current_record.read_bytes()
    except FileNotFoundError:
        raise no_world(layout) from None
    except (NotADirectoryError, ValueError):  # ValueError: a NUL, which no name holds
        raise no_world(layout) from None
    except OSError as error:
        raise WorldMalformedError(
            f"world.json cannot be read ({error.strerror}); check its permissions.",
            name="world.json",
        ) from None
    return decode_world(data)


def no_world(layout: Layout) -> StoreError:
    """The error for a folder without ``world.json``, whether it is empty or books lie in it."""
    if has_books(layout):
        return WorldMalformedError(
            "world.json is missing though books are stored here; restore it from a copy, as nothing "
            "else says which settings the world is locked to.",
            name="world.json",
        )
    return WorldMissingError(f"{_what_is_there(layout.root)}.", name=shown(layout.root))


def has_books(layout: Layout) -> bool:
    """Whether books are stored, with ``world.json`` or without."""
    return bool(layout.book_numbers())


def shown(root: Path) -> str:
    """The name of a folder for a message, also of ``.``."""
    return root.absolute().name or str(root)


def _what_is_there(root: Path) -> str:
    """Why there is no world at a place, and what lies there in its stead."""
    name = shown(root)
    if os.path.isfile(root):  # noqa: PTH113 (Path raises for a name too long)
        return f"{name!r} is a file and no world, which is a folder; name the world first"
    if os.path.isdir(root / ".cleanbreak"):  # noqa: PTH112
        return f"{name!r} is a vault of notes and no world; the commands for notes work on it"
    found = _worlds_below(root)
    if found:
        return f"There is no world at {name!r}; found below it: {', '.join(found)}"
    beside = _worlds_below(root.absolute().parent)
    there = f", or name one that lies beside it: {', '.join(beside)}" if beside else ""
    return f"There is no world at {name!r}; ingest a book to make one{there}"


def _worlds_below(folder: Path) -> list[str]:
    """The names of worlds in a folder, a few of them."""
    with suppress(OSError, ValueError):
        found = sorted(record.parent.name for record in folder.glob("*/world.json"))
        return found[:_MOST_NAMED]
    return []


# --- room for a new world ------------------------------------------------------------------------


def new_record(root: Path, name: str | None, recipe: Recipe, stages: Sequence[str]) -> WorldRecord:
    """The record of a world that may be made at `root`; nothing is written.

    Raises:
        SettingsError: for a name that is none.
        WorldExistsError, WorldMalformedError, WriteFailedError: as `check_free` does.
    """
    name = check_name(root.absolute().name if name is None else name)
    if "\0" in str(root):
        raise SettingsError("path", root.name, "a path without NUL")
    check_free(root, name)
    names = (CHUNKS, *stages)
    return WorldRecord(FORMAT_VERSION, str(uuid4()), name, now(), recipe.as_dict(), stages=names)


def check_name(name: str) -> str:
    """A name that can be stored and shown.

    Raises:
        SettingsError: if it is none.
    """
    if not string("name", name).strip():
        raise SettingsError("name", name, "more than white space")
    if not is_unicode(name) or "\0" in name:
        raise SettingsError("name", name, "Unicode text without NUL, as it is stored")
    return name


def check_beside(root: Path, name: str) -> None:
    """Refuse a name that a world in the same folder has.

    Raises:
        WorldExistsError: if one has it.
    """
    for record in root.absolute().parent.glob("*/world.json"):
        if record.parent.name != root.absolute().name and _name_of(record) == name:
            raise WorldExistsError(
                f"A world beside this one is called {name!r} already; choose another name.",
                name=name,
            )


def check_free(root: Path, name: str) -> None:
    """Refuse a folder where a world of that name cannot be made.

    Raises:
        WorldExistsError: if a world is there, something else is, or a world beside it has the name.
        WorldMalformedError: if it holds books without their ``world.json``.
        WriteFailedError: if it may not be looked into, or no folder can have its name.
    """
    try:
        _check_free(root, name)
    except OSError as error:
        raise WriteFailedError(
            f"No world can be made at {root.name!r} ({error.strerror}); name another folder.",
            name=root.name,
            errno=error.errno,
        ) from None


def _check_free(root: Path, name: str) -> None:
    layout = Layout(root)
    if layout.current_record.exists():
        raise world_exists(root)
    if root.is_symlink() and not root.exists():
        raise WorldExistsError(
            f"{root.name!r} is a link to a folder that does not exist; make that folder, or name "
            "another one.",
            name=root.name,
        )
    if has_books(layout):
        raise no_world(layout)
    ours = {layout.lock.name, layout.holder.name}
    if root.exists() and (not root.is_dir() or _others(root, ours)):
        raise WorldExistsError(_in_use(root), name=shown(root))
    check_beside(root, name)


def _in_use(root: Path) -> str:
    name = shown(root)
    if root.is_file():
        return f"{name!r} is a file; name the folder of the world first, and then its books."
    if (root / ".cleanbreak").is_dir():
        return f"{name!r} is a vault of notes; name a new or empty folder for the world."
    return f"{name!r} is in use for something else; name a new or empty folder."


def world_exists(root: Path) -> WorldExistsError:
    """The error for a folder where a world is already."""
    return WorldExistsError(f"There is a world at {shown(root)!r} already.", name=shown(root))


def _others(root: Path, ours: set[str]) -> bool:
    return any(path.name not in ours and not is_temporary(path.name) for path in root.iterdir())


def _name_of(record: Path) -> str | None:
    try:
        return decode_world(record.read_bytes()).name
    except (OSError, CleanbreakError):
        return None
