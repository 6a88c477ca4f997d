"""The hits of the last search in a world or vault, so that ``show`` can be given the number of one.

Kept in the user's folder for caches: a world may be read-only. The query is not kept, and the folder
of a world or vault only as a digest.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from cleanbreak.errors import SettingsError
from cleanbreak.retrieval import Hit

_NAME = "last-search.json"


class Place(NamedTuple):
    """Where a hit lies in a world or vault; ``marks`` are spans of the text from ``start``.

    ``note`` is the path of a note, and ``book`` then 0.
    """

    book: int
    start: int
    end: int
    marks: tuple[tuple[int, int], ...]
    note: str = ""


class _Kept(msgspec.Struct):
    world: str
    hits: list[Place]


def keep(world: Path, hits: list[Hit]) -> None:
    """Keep the hits; where that cannot be, `recall` says that there are none."""
    places = [
        Place(
            int(hit.source_key.rpartition("-")[2]) if hit.source_kind == "book" else 0,
            hit.start,
            hit.end,
            tuple((mark.start, mark.end) for mark in hit.marks),
            "" if hit.source_kind == "book" else hit.source_key,
        )
        for hit in hits
    ]
    with suppress(OSError):
        file = _file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(msgspec.json.encode(_Kept(_digest(world), places)))


def recall(world: Path, number: int) -> Place:
    """The hit with that number, from 1, of the last search if it was in this world.

    Raises:
        SettingsError: if there is none.
    """
    hits: list[Place] = []
    with suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.json.decode(_file().read_bytes(), type=_Kept)
        if kept.world == _digest(world):
            hits = kept.hits
    if not 1 <= number <= len(hits):
        rule = f"the number of a hit of the last search in this place, which had {len(hits)}"
        raise SettingsError("where", number, rule)
    return hits[number - 1]


def _digest(world: Path) -> str:
    return hashlib.sha256(os.fsencode(world.resolve())).hexdigest()


def _file() -> Path:
    base = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "cleanbreak" / _NAME
