"""A disk that fails once says nothing about the files: nothing is rebuilt, dropped or replaced."""

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import record_of
from cleanbreak import errors


@contextmanager
def failing_once(
    monkeypatch: pytest.MonkeyPatch, part: str, number: int = errno.EIO
) -> Iterator[list[str]]:
    """The first opening of a file whose path ends so fails as a network disk does."""
    open_ = io.open
    failed: list[str] = []

    def open_once(file: object, *arguments: object, **options: object) -> object:
        if (
            not failed
            and isinstance(file, str | os.PathLike)
            and Path(file).as_posix().endswith(part)
        ):
            failed.append(part)
            raise OSError(number, os.strerror(number), str(file))
        return open_(file, *arguments, **options)  # type: ignore[call-overload]

    with monkeypatch.context() as patch:
        patch.setattr(io, "open", open_once)
        yield failed


PLACES = (
    "books/book-0002/manifest.json",
    "chunks/000002.json",
    "sources/book-0001/sea.txt",
    "backups/book-0001/sea.txt",
)


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", ["resume", "reindex", "reingest", "verify", "search"])
def test_a_read_error_is_reported_and_nothing_is_changed(
    command: str,
    place: str,
    number: int,
    world: cb.World,
    root: Path,
    books: list[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A manifest was rebuilt without its warnings, and a good copy overwritten."""
    before, right = record_of(root), [hit.chunk_id for hit in world.search("the", limit=50)]
    calls = {"search": lambda: world.search("the"), "verify": world.verify}
    call = calls.get(command) or getattr(world, command)
    # Anything but an error of ours would be raw.
    with failing_once(monkeypatch, place) as failed, suppress(errors.CleanbreakError):
        call()
    if command != "reingest":
        after = record_of(root)
        assert {path: data for path, data in after.items() if path != "world.json"} == {
            path: data for path, data in before.items() if path != "world.json"
        }
    assert world.resume().state == "completed"
    assert [book.warnings for book in world.status().books] == [(), (), ()]
    found = world.search("the", limit=50)
    assert found.complete
    assert [hit.chunk_id for hit in found] == right
    assert world.verify().ok
    assert failed or place.startswith(("sources", "backups", "chunks"))
