"""The numbers of list items, which office documents store as a rule and not as text."""

from typing import NamedTuple

from cleanbreak.readers.html.lists import written

_LEVELS = 10
# What the two formats call the same kind of number.
_KINDS = {
    "decimal": "decimal",
    "decimalZero": "decimal",
    "1": "decimal",
    "lowerLetter": "lower-alpha",
    "a": "lower-alpha",
    "upperLetter": "upper-alpha",
    "A": "upper-alpha",
    "lowerRoman": "lower-roman",
    "i": "lower-roman",
    "upperRoman": "upper-roman",
    "I": "upper-roman",
}


class Level(NamedTuple):
    """How the items of one level of a list are numbered.

    `pattern` is the text of a number, with ``%1`` for the number of the first level, and so on.
    """

    kind: str
    pattern: str
    start: int = 1


class Counter:
    """Counts the items of one list, level by level."""

    def __init__(self, levels: dict[int, Level]) -> None:
        self._levels = levels
        self._counts: list[int | None] = [None] * _LEVELS

    def label(self, depth: int) -> str:
        """The number of the next item at `depth` (from 0) as text; empty if it has none."""
        if not 0 <= depth < _LEVELS:
            return ""
        counts = self._counts
        before = counts[depth]
        counts[depth] = self._start(depth) if before is None else before + 1
        counts[depth + 1 :] = [None] * (_LEVELS - depth - 1)
        level = self._levels.get(depth)
        if level is None or level.kind not in _KINDS:
            return ""
        text = level.pattern
        for index in range(_LEVELS - 1, -1, -1):
            if (mark := f"%{index + 1}") in text:
                text = text.replace(mark, self._number(index))
        return f"{text} " if text else ""

    def _start(self, depth: int) -> int:
        level = self._levels.get(depth)
        return level.start if level else 1

    def _number(self, depth: int) -> str:
        level = self._levels.get(depth)
        count = self._counts[depth]
        number = self._start(depth) if count is None else count
        return written(number, _KINDS.get(level.kind, "decimal") if level else "decimal")
