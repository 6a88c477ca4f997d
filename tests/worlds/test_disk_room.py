"""A batch that cannot fit is refused before anything is written."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cleanbreak as cb
from cleanbreak.core.recipe import Recipe
from cleanbreak.worlds.room import Size, room_for


@pytest.mark.parametrize(
    "settings",
    [
        {"chunk_size": 60, "overlap_size": 0},
        {"chunk_size": 1000},
        {"by": "sentences", "max_sentences": 3},
        {"by": "tokens", "max_tokens": 40, "measure": "words"},
    ],
)
def test_the_room_asked_for_is_near_what_a_world_takes(
    settings: dict[str, Any], root: Path, tmp_path: Path
) -> None:
    """A record of 60 characters takes a block: 68 times its text, where 3 times was asked for."""
    book = tmp_path / "book.txt"
    book.write_text("A line of a long book that goes on and on for a while.\n" * 300)
    world = cb.World.create(root, settings=settings)
    size = book.stat().st_size
    asked = room_for([Size(size, size)], world.settings)
    world.ingest(book)
    taken = world.status(measured=True).on_disk
    assert taken
    assert asked <= taken < 6 * asked


def test_one_byte_less_is_refused_and_nothing_is_written(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says how much is needed and how much there is."""
    settings = {"chunk_size": 400}
    sizes = [Size(book.stat().st_size, len(book.read_text("utf-8"))) for book in books]
    needed = room_for(sizes, cb.BoundarySplitter(chunk_size=400).recipe)
    world = cb.World.draft(root, settings=settings)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=needed - 1))
    with pytest.raises(cb.CleanbreakError) as caught:
        world.ingest(books)
    assert caught.value.code == "DISK_FULL"
    assert caught.value.details == {"needed": needed, "free": needed - 1}
    assert not root.exists()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=needed))
    assert world.ingest(books).state == "completed"


def test_settings_without_a_limit_have_one_chunk_in_a_thousand_characters() -> None:
    assert room_for([Size(0, 1000)], Recipe("own", 1, {})) == 4096 + 1000
