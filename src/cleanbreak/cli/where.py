"""A place in a world as a person types it: a hit's number, a book with offsets, or a citation."""

import re
from pathlib import Path

from cleanbreak.cli.last_search import Place, recall
from cleanbreak.errors import SettingsError
from cleanbreak.worlds import World

_HIT = re.compile(r"[0-9]+")
_OFFSETS = re.compile(r"([0-9]+):([0-9]+)-([0-9]+)")
_CITATION = re.compile(r"(.+), characters ([0-9]+)-([0-9]+)")

RULE = (
    "the number of a hit of the last search, BOOK:START-END such as 3:1200-2100, or a citation as a "
    "search prints it"
)


def find_place(world: World, folder: Path, typed: str) -> Place:
    """The place that was typed.

    Raises:
        SettingsError: if it is none.
    """
    if _HIT.fullmatch(typed):
        return recall(folder, int(typed))
    if offsets := _OFFSETS.fullmatch(typed):
        book, start, end = map(int, offsets.groups())
        return Place(book, start, end, ((0, end - start),))
    if cited := _CITATION.fullmatch(typed.strip()):
        start, end = int(cited[2]), int(cited[3])
        return Place(_book(world, cited[1]), start, end, ((0, end - start),))
    raise SettingsError("where", typed, RULE)


def _book(world: World, cited: str) -> int:
    """The book whose path a citation starts with."""
    fitting = [
        (len(book.source_path), book.number)
        for book in world.books()
        if cited == book.source_path or cited.startswith(f"{book.source_path}, ")
    ]
    if not fitting:
        raise SettingsError("where", cited, "a citation of a book of this world")
    return max(fitting)[1]
