"""The program that wrote a vault, where its notes are to be read in another way than Obsidian's."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from cleanbreak.core.markdown.front_matter import body_start

Flavour: TypeAlias = Literal["obsidian", "dendron", "logseq"]

# A page property of Logseq: ``title:: A page`` in the first block, which may be a list item.
_PROPERTY = re.compile(r"[ \t]*(?:- )?([\w-]+):: ?([^\r\n]*)(?:\r\n|\n|\r|\Z)")


def flavour_of(vault: Path) -> Flavour:
    """The program whose configuration file lies in the vault.

    Dendron has ``dendron.yml``, Logseq ``logseq/config.edn``. Foam and others write links as
    Obsidian does.
    """
    # `os.path`, as `Path` raises where a folder may not be looked into.
    if os.path.isfile(vault / "dendron.yml"):  # noqa: PTH113
        return "dendron"
    if os.path.isfile(vault / "logseq" / "config.edn"):  # noqa: PTH113
        return "logseq"
    return "obsidian"


def page_properties(text: str) -> Iterator[tuple[str, str]]:
    """The page properties of a Logseq note, (name in lower case, value), in order."""
    at = body_start(text)
    while found := _PROPERTY.match(text, at):
        yield found[1].lower(), found[2].strip()
        at = found.end()


def listed(value: str) -> list[str]:
    """The values of a property: separated by commas, with or without ``[[ ]]`` or ``#``."""
    values = (part.strip().removeprefix("#") for part in value.split(","))
    return [part.removeprefix("[[").removesuffix("]]").strip() for part in values if part]
