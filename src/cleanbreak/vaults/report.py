"""What one run of a vault's index did, as plain values."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.vaults.scan import Problem

Outcome = Literal["new", "changed", "renamed", "removed"]


class NoteOutcome(NamedTuple):
    """The outcome for one note, with the chunks that were cut: none of a renamed note."""

    path: str
    outcome: Outcome
    chunks: tuple[ChunkRecord, ...] = ()


OnNote = Callable[[NoteOutcome], None]


@dataclass(slots=True)
class IndexReport:
    """The result of one run. Paths are relative to the vault, in order; canvases count as notes."""

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    """(old path, new path) of moved notes; they are not in ``new`` and ``removed``."""
    unchanged: int = 0
    chunks: int = 0
    """The number of chunks cut in this run."""
    problems: list[Problem] = field(default_factory=list)
    """What was wrong with the files that were read, and all errors that still hold; `Vault.problems`
    has the older warnings too."""

    options: dict[str, Any] = field(default_factory=dict)
    """The settings that arguments of this or an earlier run made other than the file of settings."""

    @property
    def wrote(self) -> bool:
        """Whether any note is new, changed or gone."""
        return bool(self.new or self.changed or self.removed or self.renamed)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data, as ``--json`` prints it."""
        return {
            **asdict(self),
            "renamed": [{"from": old, "to": new} for old, new in self.renamed],
            "problems": [problem._asdict() for problem in self.problems],
        }
