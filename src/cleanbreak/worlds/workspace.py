"""What a run works with: the world it holds, and how it was asked to go about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import Splitter, splitter_for
from cleanbreak.storage.files import Files
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.records import WorldRecord, encode
from cleanbreak.worlds.reports import OnProgress
from cleanbreak.worlds.stages import Stage

Stop = Callable[[], bool]
"""Asked after each group; true ends the run there, paused."""


@dataclass(slots=True)
class Workspace:
    """A world held for writing: where it is, what it is, and how its disk is changed."""

    layout: Layout
    files: Files
    record: WorldRecord

    def save(self, **changes: Any) -> None:
        """Change ``world.json``; nothing is written if it says so already."""
        changed = msgspec.structs.replace(self.record, **changes)
        if changed != self.record or not self.layout.record.exists():
            self.files.write(self.layout.record, encode(changed))
            self.record = changed


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a run is to be made."""

    trust_files: bool = False
    stop: Stop | None = None
    on_progress: OnProgress | None = None
    stages: Mapping[str, Stage] = field(default_factory=dict)
    build_splitter: Callable[[Recipe], Splitter] = splitter_for
