"""Fixtures of the tests of worlds."""

from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS, write_books


@pytest.fixture
def books(tmp_path: Path) -> list[Path]:
    """Three short books: sea.txt, hill.txt, town.txt."""
    return write_books(tmp_path / "in")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where a world may be made."""
    return tmp_path / "world"


@pytest.fixture
def world(root: Path, books: list[Path]) -> cb.World:
    """A world with the three books."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(books)
    return world
