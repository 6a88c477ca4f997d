"""A place as a person types it: a hit's number, a book with offsets, a citation, or a note."""

import re
from contextlib import suppress
from pathlib import Path

from cleanbreak.cli.last_search import Place, recall
from cleanbreak.errors import SettingsError, SourceMissingError
from cleanbreak.vaults import NoteExcerpt, Vault
from cleanbreak.worlds import World

Marks = tuple[tuple[int, int], ...]

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


def find_in_vault(vault: Vault, folder: Path, typed: str, around: int) -> tuple[NoteExcerpt, Marks]:
    """The excerpt that was typed, and what to mark in its passage.

    Raises:
        SettingsError: if it is the number of a hit, and there is none.
        SourceMissingError: if it is no note, or no part of one.
    """
    if _HIT.fullmatch(typed):
        place = recall(folder, int(typed))
        return vault.excerpt(place.note, place.start, place.end, around=around), place.marks
    if cited := _CITATION.fullmatch(typed.strip()):
        start, end = int(cited[2]), int(cited[3])
        path = cited[1]
        while path:  # headings may hold commas, and so may paths: the longest path that there is
            with suppress(SourceMissingError):
                return vault.excerpt(path, start, end, around=around), ((0, end - start),)
            path = path.rpartition(", ")[0]
    return vault.excerpt(typed), ()


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
