"""Links that open a note in Obsidian, at the heading of a hit."""

import re
from pathlib import Path
from urllib.parse import quote

from cleanbreak.retrieval import Hit

# What a link to a heading cannot hold; Obsidian reads a space there.
_NOT_IN_LINKS = re.compile(r"[#^|\[\]:\\]+")


def obsidian_uri(vault: Path, hit: Hit) -> str:
    """The ``obsidian://`` link to the note of a hit, at the innermost heading above it.

    The name of a vault in Obsidian is that of its folder (Obsidian's help, Obsidian URI).
    """
    headings = [section.title for section in hit.chunk.sections if section.kind == "heading"]
    part = " ".join(_NOT_IN_LINKS.sub(" ", headings[-1]).split()) if headings else ""
    file = hit.source_key.removesuffix(".md") + (f"#{part}" if part else "")
    name = vault.resolve().name
    return f"obsidian://open?vault={quote(name, safe='')}&file={quote(file, safe='')}"
