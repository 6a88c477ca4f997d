"""An open element, and the rule by which it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cleanbreak.readers.html.marked import Marked
    from cleanbreak.readers.html.writer import Mark, State

DEEPEST = 5_000
"""Elements that may be open at once."""

Attributes = Mapping[str, str | None]


class TooDeep(Exception):  # noqa: N818 (always caught)
    """More than `DEEPEST` elements are open at once."""


class Rule(NamedTuple):
    """What an element does: its plain name, the break around it, and what else at start and end."""

    tag: str
    level: int = 0
    opening: Callable[[Any, Frame, Attributes], None] | None = None
    closing: Callable[[Any, Frame], None] | None = None


INLINE = Rule("")
"""The rule of an element that has none."""


class Frame:
    """An open element that has a rule or is marked."""

    __slots__ = (
        "attributes",
        "children",
        "detail",
        "mark",
        "marked",
        "page",
        "parent",
        "prefixes",
        "rule",
        "signs",
        "size",
        "state",
    )  # fmt: skip

    parent: Frame
    attributes: Attributes
    mark: Mark
    """Of a figure."""
    page: Mark
    """Of a page break."""
    state: State
    signs: tuple[str, str]
    """What stands before and after a raised number."""
    prefixes: int
    """Prefixes that waited before its own."""

    def __init__(self, rule: Rule, parent: Frame | None, size: int) -> None:
        self.rule = rule
        self.parent = parent or self
        self.size = size
        """Parts of the text before it."""
        self.detail: object = None
        """What its own rule has to remember."""
        self.children = 0
        """Blocks or operands in it so far."""
        self.marked: Marked | None = None
