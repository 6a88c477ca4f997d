"""Links that open a note in Obsidian, at the heading of a hit."""

import re
from pathlib import Path
from urllib.parse import quote

from cleanbreak.retrieval import Hit

# What a link to a heading cannot hold; Obsidian reads a space there.
_NOT_IN_LINKS = re.compile(r"[#^|\[\]:\\]+")
# A heading path up to its last heading: ``# Boats > ## ``.
_ABOVE = re.compile(r"(?:.* > )?#{1,6} ", re.DOTALL)


def obsidian_uri(vault: Path, hit: Hit) -> str:
    """The ``obsidian://`` link to the note of a hit, at the innermost heading above it.

    The name of a vault in Obsidian is that of its folder (Obsidian's help, Obsidian URI).
    """
    heading = _ABOVE.sub("", hit.heading_path or "", count=1)
    part = " ".join(_NOT_IN_LINKS.sub(" ", heading).split())
    return note_uri(vault, hit.source_key, part)


def note_uri(vault: Path, path: str, part: str = "") -> str:
    """The ``obsidian://`` link to a note, at a heading if one is given."""
    file = path.removesuffix(".md") + (f"#{part}" if part else "")
    name = vault.resolve().name
    return f"obsidian://open?vault={quote(name, safe='')}&file={quote(file, safe='')}"
