"""How much room a batch takes on the disk, found out before anything is written."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import DiskFullError

# A file takes whole blocks: 4 KB on the usual file systems, also where it holds 1 KB.
_BLOCK = 4096

# The fields of a chunk's record beside its texts, in bytes.
_FIELDS = 800

# Characters that a unit of a limit stands for, at most.
_CHARACTERS_OF = {"characters": 1, "words": 8}
_OF_A_TOKEN = 5
_OF_A_SENTENCE = 200


class Size(NamedTuple):
    """Of a new book: the bytes of its source, and the code points of its text."""

    source: int
    text: int


def room_for(books: Iterable[Size], recipe: Recipe) -> int:
    """The bytes that new books take at the very least.

    Two copies of the source, one file a chunk in whole blocks, and the text in the index.

    >>> recipe = Recipe("boundary", 1, {"chunk_size": 1000})
    >>> room_for([Size(source=10_000, text=10_000)], recipe)
    75536
    """
    most = _longest_chunk(recipe)
    total = 0
    for book in books:
        chunks = -(-book.text // most)
        record = _FIELDS + book.text // max(chunks, 1)
        total += 2 * _blocks(book.source) + chunks * _blocks(record) + book.text
    return total


def check_room(root: Path, books: Iterable[Size], recipe: Recipe) -> None:
    """Refuse a batch that cannot fit beside what the disk of a world holds.

    Raises:
        DiskFullError: with the bytes needed, and those free.
    """
    needed = room_for(books, recipe)
    folder = root
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise DiskFullError(
            f"The batch needs at least {needed:,} bytes and the disk has {free:,}; nothing was "
            "written. Make room, or ingest fewer books.",
            needed=needed,
            free=free,
        )


def _blocks(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK


def _longest_chunk(recipe: Recipe) -> int:
    """Characters that a chunk of these settings has at most."""
    limits = {
        "chunk_size": _CHARACTERS_OF.get(recipe.measure or "", _OF_A_TOKEN),
        "max_tokens": _CHARACTERS_OF.get(recipe.measure or "", _OF_A_TOKEN),
        "max_sentences": _OF_A_SENTENCE,
    }
    given = ((recipe.settings.get(name), unit) for name, unit in limits.items())
    sizes = [int(limit) * unit for limit, unit in given if isinstance(limit, int)]
    return max(min(sizes, default=1_000), 1)
