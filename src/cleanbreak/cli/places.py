"""The world or vault that a command works on if none is named, and what lies where one was expected."""

import os
from pathlib import Path

from cleanbreak.errors import VaultMissingError
from cleanbreak.vaults import FOLDER
from cleanbreak.worlds import World

VARIABLE = "CLEANBREAK_PLACE"
"""The environment variable that names a default world or vault."""

_MOST_NAMED = 5


def is_place(folder: Path) -> bool:
    """Whether a folder is a world, or a vault that was indexed or has settings."""
    return World.exists(folder) or os.path.isdir(folder / FOLDER)  # noqa: PTH112 (Path may raise)


def default_place() -> Path | None:
    """The place in the environment, else the nearest one above the current folder."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    here = Path.cwd()
    found = next((folder for folder in (here, *here.parents) if is_place(folder)), None)
    return None if found is None else Path(os.path.relpath(found))


def check_place(folder: Path) -> None:
    """Refuse a folder that is neither a world nor a vault.

    Raises:
        WorldMalformedError: if it was a world.
        VaultMissingError: naming the places one level below, if there are any.
    """
    if is_place(folder):
        return
    if not folder.is_dir():
        raise VaultMissingError(
            f"There is no folder {folder.name!r}; name a world or vault. `cleanbreak ingest` makes "
            "a world of books, `cleanbreak index` a vault of notes.",
            name=folder.name,
        )
    if all((folder / name).is_dir() for name in ("books", "sources")):
        World.open(folder)  # raises: the file that describes the world is lost
    below = sorted(path.name for path in folder.iterdir() if path.is_dir() and is_place(path))
    found = f"; found below it: {', '.join(below[:_MOST_NAMED])}" if below else ""
    raise VaultMissingError(
        f"{folder.resolve().name!r} is neither a world nor a vault{found}. `cleanbreak ingest` makes "
        "a world of books, `cleanbreak index` a vault of notes.",
        name=folder.resolve().name,
        below=below,
    )
