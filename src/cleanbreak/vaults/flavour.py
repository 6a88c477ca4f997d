"""The program that wrote a vault, where its notes are to be read in another way than Obsidian's."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from cleanbreak.core.markdown.front_matter import body_start

Flavour: TypeAlias = Literal["obsidian", "dendron", "logseq", "hugo", "foam"]

_OF_HUGO = ("toml", "yaml", "yml", "json")

# A page property of Logseq: ``title:: A page`` in the first block, which may be a list item.
_PROPERTY = re.compile(r"[ \t]*(?:- )?([\w-]+):: ?([^\r\n]*)(?:\r\n|\n|\r|\Z)")


def flavour_of(vault: Path) -> Flavour:
    """The program whose configuration file lies in the vault.

    Dendron has ``dendron.yml``, Logseq ``logseq/config.edn``, Hugo ``hugo.toml`` or an older
    ``config.toml`` beside the folder ``content``. Foam has the folder ``.foam``, or is recommended in
    ``.vscode/extensions.json``. Others write links as Obsidian does.
    """
    # `os.path`, as `Path` raises where a folder may not be looked into.
    if os.path.isfile(vault / "dendron.yml"):  # noqa: PTH113
        return "dendron"
    if os.path.isfile(vault / "logseq" / "config.edn"):  # noqa: PTH113
        return "logseq"
    if _is_of_hugo(vault):
        return "hugo"
    if _is_of_foam(vault):
        return "foam"
    return "obsidian"


def _is_of_hugo(vault: Path) -> bool:
    named = any(os.path.isfile(vault / f"hugo.{suffix}") for suffix in _OF_HUGO)  # noqa: PTH113
    older = any(os.path.isfile(vault / f"config.{suffix}") for suffix in _OF_HUGO)  # noqa: PTH113
    return named or (older and os.path.isdir(vault / "content"))  # noqa: PTH112


def _is_of_foam(vault: Path) -> bool:
    if os.path.isdir(vault / ".foam"):  # noqa: PTH112
        return True
    try:
        return b"foam.foam-vscode" in (vault / ".vscode" / "extensions.json").read_bytes()
    except OSError:
        return False


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
