"""What callers hand to a world: settings and paths, checked and brought to one form."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cleanbreak.core.recipe import Recipe, check_lockable
from cleanbreak.core.splitters import BoundarySplitter, Splitter, build_splitter, splitter_for
from cleanbreak.errors import SettingsError, StateConflictError
from cleanbreak.worlds.records import WorldRecord

PathLike = str | os.PathLike[str]

Settings = Recipe | Splitter | Mapping[str, Any]
"""A recipe, a splitter, or a splitter's settings with its name under ``by``."""


def splitter_of(settings: Settings | None, measure: object) -> Splitter:
    """The splitter that a caller's settings describe.

    Raises:
        SettingsError: for what describes none, or one that another process cannot build again.
    """
    splitter = _splitter(settings, measure)
    check_lockable(splitter.recipe)
    return splitter


def _splitter(settings: Settings | None, measure: object) -> Splitter:
    if settings is None:
        return BoundarySplitter()
    if isinstance(settings, Recipe):
        return splitter_for(settings, measure)
    if isinstance(settings, Mapping):
        named = {name: value for name, value in settings.items() if name != "by"}
        return build_splitter(settings.get("by", "boundary"), named)
    if not hasattr(settings, "recipe"):
        raise SettingsError("settings", type(settings), "a recipe, a splitter or its settings")
    return settings


def check_unlocked(record: WorldRecord) -> None:
    """Refuse to change settings that are locked.

    Raises:
        StateConflictError: if they are.
    """
    if record.settings_locked:
        raise StateConflictError(
            "The settings are locked, as books are stored; re-ingest the world to change them."
        )


def paths_of(field: str, given: PathLike | Iterable[PathLike]) -> list[Path]:
    """The paths that a caller names: one, or several.

    Raises:
        SettingsError: for anything else; only its type is named, as bytes may be a source's text.
    """
    if isinstance(given, str | os.PathLike):
        return [Path(given)]
    try:
        return [Path(path) for path in given]
    except TypeError:
        raise SettingsError(field, type(given), "a path or several paths") from None
