"""The numbers of ordered lists, which a browser makes and the markup does not have."""

import re
from collections.abc import Mapping

_STYLE = re.compile(
    r"list-style(?:-type)?\s*:[^;]*?\b(none|(?:lower|upper)-(?:alpha|latin|roman))\b"
)
_TYPES = {"a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
# Beyond it Roman numerals are not used (CSS Counter Styles 3, 6.1.1).
_LARGEST_ROMAN = 3999
_LONGEST_NUMBER = 9


class Numbering:
    """Counts the items of one list."""

    __slots__ = ("_kind", "_next", "_step")

    def __init__(self, attributes: Mapping[str, str | None]) -> None:
        style = _STYLE.search(attributes.get("style") or "")
        kind = style[1] if style else _TYPES.get(attributes.get("type") or "", "decimal")
        start = _whole(attributes.get("start"))
        is_reversed = "reversed" in attributes
        # A reversed list without a start begins at its number of items, which is not known yet.
        self._kind = "none" if is_reversed and start is None else kind
        self._next = 1 if start is None else start
        self._step = -1 if is_reversed else 1

    def label(self, value: str | None) -> str:
        """The label of the next item, such as ``5. ``; empty if the list has none."""
        number = _whole(value)
        number = self._next if number is None else number
        self._next = number + self._step
        return "" if self._kind == "none" else f"{written(number, self._kind)}. "


def follows_no_number(label: str, words: str) -> bool:
    """Whether words do not already start with their own number, as ``5) Fifth`` does."""
    number = label.rstrip(". ")
    return not (words.startswith(number) and words[len(number) : len(number) + 1] in tuple(".):"))


def _whole(text: str | None) -> int | None:
    text = (text or "").strip()
    plain = text.removeprefix("-")
    is_number = plain.isascii() and plain.isdigit() and len(plain) <= _LONGEST_NUMBER
    return int(text) if is_number else None


def written(number: int, kind: str) -> str:
    """A number as a browser writes it: ``decimal``, ``lower-alpha``, ``upper-roman`` and so on."""
    if kind.endswith("roman") and 0 < number <= _LARGEST_ROMAN:
        text = _roman(number)
    elif kind.endswith(("alpha", "latin")) and number > 0:
        text = _letters(number)
    else:
        return str(number)
    return text.upper() if kind.startswith("upper") else text


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text


def _letters(number: int) -> str:
    text = ""
    while number:
        number, letter = divmod(number - 1, 26)
        text = chr(ord("a") + letter) + text
    return text
