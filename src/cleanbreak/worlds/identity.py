"""Which book a file is: by its path below the folder that was named, and by its content."""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from cleanbreak.worlds.sources import name_key

if TYPE_CHECKING:
    from cleanbreak.readers.listing import Listed

T = TypeVar("T")


def distinct(files: Sequence["Listed"]) -> list["Listed"]:
    """The files, each once, with paths that differ where they can.

    Two files of one name that were named themselves, or below two folders, get as many of the
    folders above them as it takes: ``a/notes.txt`` and ``b/notes.txt``. Two names of one folder
    that differ only in how accents are composed stay equal.
    """
    once: dict[str, Listed] = {}
    for file in files:
        place = os.path.abspath(file.path)  # noqa: PTH100 (links are not followed)
        before = once.get(place)
        if before is None or (file.named and not before.named):
            once[place] = file
    groups: dict[str, list[str]] = defaultdict(list)
    for place, file in once.items():
        groups[name_key(file.relative)].append(place)
    for places in groups.values():
        for place, path in zip(places, _apart(places, once), strict=True):
            once[place] = replace(once[place], relative=path)
    return list(once.values())


def _apart(places: Sequence[str], files: dict[str, "Listed"]) -> list[str]:
    """The paths of files of one path, with folders in front until they differ."""
    paths = [files[place].relative for place in places]
    all_parts = [PurePosixPath(Path(place).as_posix()).parts for place in places]
    length = len(PurePosixPath(paths[0]).parts)
    if len(paths) == 1 or len({name_key("/".join(parts)) for parts in all_parts}) < len(paths):
        return paths
    while len({name_key(path) for path in paths}) < len(paths):
        length += 1
        paths = ["/".join(parts[-length:]) for parts in all_parts]
    return paths


def best_match(path: Path, relative: str, stored: Iterable[tuple[str, T]]) -> T | None:
    """What is stored under the path of a file, or under a longer one that its full path ends with.

    >>> stored = [("notes.txt", 1), ("a/notes.txt", 2)]
    >>> best_match(Path("/shelf/a/notes.txt"), "notes.txt", stored)
    2
    >>> best_match(Path("/shelf/b/notes.txt"), "notes.txt", stored)
    1
    >>> best_match(Path("/shelf/b/notes.txt"), "b/notes.txt", stored) is None
    True
    """
    wanted = name_key(relative)
    whole = name_key("/" + path.absolute().as_posix())
    fitting = [
        (len(key), value)
        for key, value in ((name_key(name), value) for name, value in stored)
        if key == wanted or (key.endswith("/" + wanted) and whole.endswith("/" + key))
    ]
    return max(fitting, key=lambda found: found[0])[1] if fitting else None
