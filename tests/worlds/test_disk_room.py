"""A batch that cannot fit is refused before anything is written."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS

# A new book needs its working copy, its backup and its text once more.
COPIES = 3


def test_room_for_three_copies_is_enough(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk holds exactly what the plan asks for."""
    size = sum(book.stat().st_size for book in books)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=COPIES * size))
    assert cb.World.create(root, settings=SETTINGS).ingest(books).state == "completed"


def test_one_byte_less_than_three_copies_is_refused_and_nothing_is_written(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says how much is needed and how much there is."""
    size = sum(book.stat().st_size for book in books)
    world = cb.World.draft(root, settings=SETTINGS)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=COPIES * size - 1))
    with pytest.raises(cb.CleanbreakError) as caught:
        world.ingest(books)
    assert caught.value.code == "DISK_FULL"
    assert caught.value.details == {"needed": COPIES * size, "free": COPIES * size - 1}
    assert not root.exists()
