"""Lists written in a line, without a mark between the items: 1) Wash the rice 2) Boil it.

A label counts only if the sentence starts with the label before it, written the same way.
"""

import re
from collections.abc import Iterator

_first_label = re.compile(
    # White space stands only before the first sentence of a text; a bound keeps the cost linear.
    r"\s{0,20}+(?P<bullet>[•⁃]\s?)?(?P<count>\d{1,2}|[a-y])(?P<style>\.\)|\.|\))\s"
).match
label_in = re.compile(r"[ \n](?:[•⁃]\s?)?(?:\d{1,2}|[a-y])(?:\.\)|\.|\)) ").search
# What a sentence that is a list starts with; a cheap test before `item_starts`.
MAY_START_LIST = frozenset("0123456789abcdefghijklmnopqrstuvwxy•⁃ \n")


def starts_list(text: str, start: int) -> bool:
    """Whether a label stands at `start`, so that a sentence that starts there may be a list."""
    return text[start] in MAY_START_LIST and _first_label(text, start) is not None


def item_starts(text: str, start: int, end: int, *, dots: bool) -> Iterator[int]:
    """Where the second item and those after it start in the sentence, if it is a list.

    `dots` says whether "1." is a label, or an ordinal as in German.

    >>> list(item_starts("1) Wash the rice 2) Boil it", 0, 27, dots=True))
    [17]
    """
    while label := _label_after(text, start, end, dots=dots):
        start = _find_label(text, label, start, end)
        if start == -1:
            return
        yield start


def continues_list(text: str, start: int, end: int, *, dots: bool) -> bool:
    """Whether at `end` ends the label that comes after the one that starts the sentence."""
    label = _label_after(text, start, end, dots=dots)
    return label is not None and text.endswith(label, start, end)


def _label_after(text: str, start: int, end: int, *, dots: bool) -> str | None:
    """The label that comes after the one at `start`, written the same way; None without one."""
    first = _first_label(text, start, end)
    if not first or (first["style"] == "." and not dots):
        return None
    bullet, count, style = first["bullet"] or "", first["count"], first["style"]
    following = str(int(count) + 1) if count.isdigit() else chr(ord(count) + 1)
    return f"{bullet}{following}{style}"


def _find_label(text: str, label: str, start: int, end: int) -> int:
    found = (text.find(f"{white}{label} ", start, end) for white in " \n")
    return min((at + 1 for at in found if at != -1), default=-1)
