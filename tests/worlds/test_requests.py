"""A request that cannot be met changes nothing."""

from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS, record_of
from cleanbreak import errors
from cleanbreak.storage.files import Files


@pytest.mark.parametrize(
    "call",
    [
        lambda world: world.resume(),
        lambda world: world.reingest(),
        lambda world: world.reindex(),
        lambda world: world.remove(1),
        lambda world: world.verify(repair=True),
        lambda world: world.search("x"),
    ],
)
def test_a_draft_is_made_by_ingest_alone(call: object, root: Path) -> None:
    """Everything else made the world on the disk."""
    with pytest.raises(errors.WorldMissingError):
        call(cb.World.draft(root))  # type: ignore[operator]
    assert not root.exists()


def test_an_ingest_that_is_refused_does_not_finish_a_reingest(
    root: Path, books: list[Path]
) -> None:
    """It promised that nothing was written, and had swapped the world to other settings."""
    world = cb.World.create(root, settings=SETTINGS, files=Files(group_size=4))
    world.ingest(books)
    with pytest.raises(errors.RunInterruptedError):
        world.reingest(settings=SETTINGS | {"chunk_size": 30}, stop=lambda: True)
    before = record_of(root)
    with pytest.raises(errors.StateConflictError):
        world.ingest(books, settings=SETTINGS)
    assert record_of(root) == before
