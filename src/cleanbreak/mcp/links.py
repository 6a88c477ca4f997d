"""The tools on links between notes."""

from collections.abc import Iterable

from cleanbreak.mcp.answers import LinkAnswer
from cleanbreak.mcp.shelf import Shelf
from cleanbreak.vaults.results import NoteLink


def links(shelf: Shelf, place: str, note: str) -> list[LinkAnswer]:
    """The links of a note.

    Raises:
        SourceMissingError: if the vault has no such note.
    """
    return _shown(shelf.vault(place).links(note))


def backlinks(shelf: Shelf, place: str, note: str) -> list[LinkAnswer]:
    """The links of other notes to a note.

    Raises:
        SourceMissingError: if the vault has no such note.
    """
    return _shown(shelf.vault(place).backlinks(note))


def _shown(found: Iterable[NoteLink]) -> list[LinkAnswer]:
    return [LinkAnswer(link.source, link.line, link.target, link.path) for link in found]
