"""What style sheets say of quotation marks, list numbers and hidden elements.

Only rules for plain elements and classes are understood (``q::before``, ``ol``, ``.gone``, ``p.gone``),
as an element that lies in another would need a whole cascade.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Rules for some media only may be those of another device.
_CONDITIONAL = re.compile(r"@(?:media|supports)[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]*)\}")
_QUOTE_SELECTOR = re.compile(r"q(?:::?before)?")
_CLASS_SELECTOR = re.compile(r"[a-z0-9]*\.([\w-]+)", re.IGNORECASE)
_NO_QUOTES = re.compile(r"quotes\s*:\s*none|content\s*:\s*(?:none|\"\"|'')")
_NO_NUMBERS = re.compile(r"list-style(?:-type)?\s*:[^;]*\bnone")
_DISPLAY = re.compile(r"(?:display|visibility)\s*:\s*([\w-]+)")


class Styles(NamedTuple):
    """What is shown and what is not."""

    quotes: bool = True
    """Whether `q` has quotation marks."""
    numbers: bool = True
    """Whether the items of an ordered list have numbers."""
    unnumbered: frozenset[str] = frozenset()
    """Classes of lists without numbers."""
    hidden: frozenset[str] = frozenset()
    """Classes of elements that are not shown."""


PLAIN = Styles()
"""What a browser shows without a style sheet."""


def read_styles(sheets: Iterable[str]) -> Styles:
    """The styles in all of these sheets together.

    >>> read_styles(['q::before { content: "" } p.gone { display: none }'])
    Styles(quotes=False, numbers=True, unnumbered=frozenset(), hidden=frozenset({'gone'}))
    """
    quotes = numbers = True
    unnumbered: set[str] = set()
    hidden: set[str] = set()
    shown: set[str] = set()
    for sheet in sheets:
        for selectors, body in _RULE.findall(_CONDITIONAL.sub("", _COMMENT.sub("", sheet))):
            displays = set(_DISPLAY.findall(body))
            for selector in selectors.split(","):
                name = selector.strip()
                found = _CLASS_SELECTOR.fullmatch(name)
                if _QUOTE_SELECTOR.fullmatch(name):
                    quotes &= _NO_QUOTES.search(body) is None
                elif name in ("ol", "li"):
                    numbers &= _NO_NUMBERS.search(body) is None
                elif found and _NO_NUMBERS.search(body):
                    unnumbered.add(found[1])
                if found and displays:
                    (hidden if displays & {"none", "hidden"} else shown).add(found[1])
    return Styles(quotes, numbers, frozenset(unnumbered), frozenset(hidden - shown))
