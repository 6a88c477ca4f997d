"""Hits as lines for other programs: editors, pipes, Obsidian."""

from collections.abc import Callable
from pathlib import Path

from cleanbreak.cli import console
from cleanbreak.retrieval import Hit
from cleanbreak.vaults import obsidian_uri


def print_lines(place: Path, hits: list[Hit], form: str) -> None:
    """Print each hit as a line of the form, equal lines once."""
    for line in dict.fromkeys(FORMS[form](place, hit) for hit in hits):
        console.out.print(line)


def _path(place: Path, hit: Hit) -> str:
    if hit.source_kind == "book":
        return hit.source_path or hit.source_name
    return str(place / hit.source_key)


def _line(place: Path, hit: Hit) -> str:
    """``path:line: text``, as `grep -n` prints it. Books and canvases have no lines of their own."""
    where = f"{_path(place, hit)}:{hit.line}" if hit.source_kind == "note" else _cited(place, hit)
    return f"{where}: {console.one_line(hit.snippet.text, 160)}"


def _cited(place: Path, hit: Hit) -> str:
    return hit.citation if hit.source_kind == "book" else _path(place, hit)


def _uri(place: Path, hit: Hit) -> str:
    return hit.citation if hit.source_kind == "book" else obsidian_uri(place, hit)


FORMS: dict[str, Callable[[Path, Hit], str]] = {"lines": _line, "paths": _path, "uri": _uri}
"""What a hit is printed as."""
