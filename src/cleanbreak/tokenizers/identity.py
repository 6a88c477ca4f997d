"""When two measures are the same one: splitters are values, so what they count with must be one too."""

from collections.abc import Hashable


class Identified:
    """A measure that equals another of its class if both count with the same thing.

    ``identity`` is what says so: a name that stands for the counts anywhere where there is one, so
    that a measure equals what is left of it after pickling; else the tokenizer itself.
    """

    identity: tuple[Hashable, ...]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.identity == getattr(other, "identity", None)

    def __hash__(self) -> int:
        return hash((type(self), self.identity))
