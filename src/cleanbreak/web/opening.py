"""From what a person names to what the page shows."""

from collections.abc import Iterable
from pathlib import Path

import platformdirs

from cleanbreak.errors import SourceMissingError
from cleanbreak.vaults import FOLDER
from cleanbreak.web.desk import Desk
from cleanbreak.web.places import Place
from cleanbreak.worlds import World

_SHELF = "shelf"


def new_desk(named: Iterable[Path], *, default: Path | None = None) -> Desk:
    """A desk with the places and files that were named.

    A folder that is empty, or not there below one that is, becomes a world with its first book. Where
    no place is named it is `default`, or else the world ``shelf`` in the user's folder for data.

    Raises:
        SourceMissingError: for what is neither a file nor may become a folder.
    """
    files, places = [], []
    for path in named:
        if path.is_file():
            files.append(path)
        else:
            places.append(_place(path))
    if not places:
        places.append(_place(default or platformdirs.user_data_path("cleanbreak") / _SHELF))
    return Desk(places=tuple(places), files=tuple(files))


def _place(path: Path) -> Place:
    if World.exists(path):
        return Place("world", path)
    if (path / FOLDER).is_dir():
        return Place("vault", path)
    if path.is_dir() and any(path.iterdir()):
        return Place("vault", path)  # its index is made by the job `index`
    if path.suffix and not path.exists():
        raise SourceMissingError(f"There is no file {path.name!r}.", name=path.name)
    return Place("world", path)
