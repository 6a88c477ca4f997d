"""The styles and numberings of a DOCX file, as far as they make text or headings."""

import re
from typing import Any, NamedTuple

from cleanbreak.readers.office.numbering import Level
from cleanbreak.readers.xml import attribute, child, local

_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_DEEPEST = 50


class Style(NamedTuple):
    """What text of a style is: a heading of a level from 1, an item of a list, hidden."""

    heading: int = 0
    list_id: str = ""
    depth: int = 0
    hidden: bool | None = None  # not said


class Numbering(NamedTuple):
    """The levels of each list, and of which lists the numbers are counted on together."""

    levels: dict[str, dict[int, Level]]
    shared: dict[str, str]


def read_styles(root: Any) -> dict[str, Style]:
    """The styles by their ids; what a style leaves open is that of the style it is based on."""
    own = {} if root is None else {attribute(s, "styleId"): s for s in root if local(s) == "style"}
    styles: dict[str, Style] = {}
    for name in own:
        found = Style()
        current, steps = name, 0
        while current in own and steps < _DEEPEST:
            style = _style(own[current])
            found = Style(
                found.heading or style.heading,
                found.list_id or style.list_id,
                found.depth or style.depth,
                style.hidden if found.hidden is None else found.hidden,
            )
            based_on = child(own[current], "basedOn")
            current = "" if based_on is None else attribute(based_on, "val")
            steps += 1
        styles[name] = found
    return styles


def _style(element: Any) -> Style:
    label = child(element, "name")
    named = _HEADING.fullmatch("" if label is None else attribute(label, "val"))
    found = paragraph_style(child(element, "pPr"))
    letters = child(element, "rPr")
    vanish = None if letters is None else child(letters, "vanish")
    return found._replace(
        heading=found.heading or (int(named[1]) if named else 0),
        hidden=None if vanish is None else is_on(vanish),
    )


def paragraph_style(properties: Any) -> Style:
    """What the properties of a paragraph say themselves."""
    if properties is None:
        return Style()
    level = child(properties, "outlineLvl")
    depth = -1 if level is None else number(attribute(level, "val"), -1)
    numbered = child(properties, "numPr")
    list_id = None if numbered is None else child(numbered, "numId")
    item_level = None if numbered is None else child(numbered, "ilvl")
    return Style(
        heading=depth + 1 if 0 <= depth < 9 else 0,
        list_id="" if list_id is None else attribute(list_id, "val"),
        depth=0 if item_level is None else number(attribute(item_level, "val"), 0),
    )


def read_numbering(root: Any) -> Numbering:
    """The numbering of each list by its id."""
    abstract: dict[str, dict[int, Level]] = {}
    numbering = Numbering({}, {})
    for element in () if root is None else root:
        if local(element) == "abstractNum":
            abstract[attribute(element, "abstractNumId")] = _levels(element)
        elif local(element) == "num":
            base = child(element, "abstractNumId")
            base_id = "" if base is None else attribute(base, "val")
            overrides = _overrides(element, abstract.get(base_id, {}))
            name = attribute(element, "numId")
            numbering.levels[name] = abstract.get(base_id, {}) | overrides
            numbering.shared[name] = name if overrides else base_id
    return numbering


def _levels(element: Any) -> dict[int, Level]:
    levels = {}
    for level in element:
        if local(level) == "lvl":
            kind, text, start = (child(level, name) for name in ("numFmt", "lvlText", "start"))
            levels[number(attribute(level, "ilvl"), 0)] = Level(
                "decimal" if kind is None else attribute(kind, "val"),
                "" if text is None else attribute(text, "val"),
                1 if start is None else number(attribute(start, "val"), 1),
            )
    return levels


def _overrides(element: Any, base: dict[int, Level]) -> dict[int, Level]:
    levels: dict[int, Level] = {}
    for override in element:
        start = child(override, "startOverride") if local(override) == "lvlOverride" else None
        if start is not None:
            depth = number(attribute(override, "ilvl"), 0)
            level = base.get(depth, Level("decimal", f"%{depth + 1}."))
            levels[depth] = level._replace(start=number(attribute(start, "val"), 1))
    return levels


def is_on(flag: Any) -> bool:
    """Whether a property that is on or off is on."""
    return flag is not None and attribute(flag, "val") not in ("0", "false", "off")


def number(text: str, otherwise: int) -> int:
    """A whole number of at most nine digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise
