"""The index that is built aside, and searches while it or the world is being built."""

import multiprocessing
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS, record_of, write_books
from cleanbreak import errors
from cleanbreak.storage.files import Files
from cleanbreak.stores.fulltext import SourceWriter


def answer(world: cb.World) -> list[tuple[str, int]]:
    return sorted((hit.source_key, hit.number) for hit in world.search("storm OR hill", limit=500))


def fill(root: Path, books: int, tmp_path: Path) -> cb.World:
    """A world of small books, each with a storm."""
    texts = {f"b{number:03d}": f"Book {number}. The storm came.\n" for number in range(books)}
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(write_books(tmp_path / "shelf", **texts))
    return world


def at_step(number: int, act: Callable[[], None]) -> Callable[[str, Path], None]:
    """An observer that acts at the step of that number."""
    taken = 0

    def observe(*_: object) -> None:
        nonlocal taken
        taken += 1
        if taken == number:
            act()

    return observe


def fail() -> None:
    raise OSError(5, "injected")


def test_a_reindex_may_fail_at_any_step(world: cb.World, root: Path) -> None:
    """The old index or the new one is there, whole, and nothing lies beside it afterwards."""
    right, before, names = answer(world), record_of(root), sorted(root.iterdir())
    number = failed = 0
    while True:
        number += 1
        try:
            cb.World.open(root, files=Files(at_step(number, fail))).reindex()
        except errors.WriteFailedError:
            failed += 1
        else:
            break
        assert answer(cb.World.open(root)) == right
        assert cb.World.open(root).verify().ok
        cb.World.open(root).resume()
        assert sorted(root.iterdir()) == names
    assert failed >= 3  # sync, rename, sync of the folder
    assert before == record_of(root)


def _die_at(root: Path, number: int, *, in_rows: bool) -> None:
    act = at_step(number, lambda: os._exit(9))
    if in_rows:
        add = SourceWriter.add

        def counted(writer: SourceWriter, chunks: object) -> None:
            act("", root)
            add(writer, chunks)  # type: ignore[arg-type]

        SourceWriter.add = counted  # type: ignore[method-assign]
        cb.World.open(root).reindex()
    else:
        cb.World.open(root, files=Files(act)).reindex()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.parametrize("in_rows", [False, True])
def test_a_reindex_may_be_killed_at_any_step(in_rows: bool, world: cb.World, root: Path) -> None:
    """Also between two groups of rows; what was left is removed by the next writer."""
    right, names = answer(world), {path.name for path in root.iterdir()}
    context = multiprocessing.get_context("fork")
    for number in range(1, 50):
        child = context.Process(target=_die_at, args=(root, number), kwargs={"in_rows": in_rows})
        child.start()
        child.join()
        assert answer(cb.World.open(root)) == right
        assert cb.World.open(root).verify().ok
        cb.World.open(root).resume()
        assert {path.name for path in root.iterdir()} <= names | {
            "index.sqlite-wal",
            "index.sqlite-shm",
        }
        if child.exitcode == 0:
            break
    assert number > 3


@pytest.mark.parametrize(
    "left", ["nothing", "an empty file", "half a file", "no log", "a stray log"]
)
def test_what_a_power_cut_leaves_of_an_index_is_made_good(
    left: str, world: cb.World, root: Path
) -> None:
    """The file is synced before it gets its name; this is for disks that do not keep that promise."""
    right, index = answer(world), root / "index.sqlite"
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = index.read_bytes()
    if left == "nothing":
        index.unlink()
    elif left == "an empty file":
        index.write_bytes(b"")
    elif left == "half a file":
        index.write_bytes(data[: len(data) // 2])
    elif left == "a stray log":
        (root / "index.sqlite-wal").write_bytes(b"x" * 5000)
    (root / ".cb-index.sqlite.tmp").write_bytes(data[:4096])
    assert answer(cb.World.open(root)) == right
    cb.World.open(root).resume()
    assert not (root / ".cb-index.sqlite.tmp").exists()
    assert cb.World.open(root).verify().ok


@pytest.mark.parametrize("books", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_a_search_during_a_reindex_finds_every_book(books: int, root: Path, tmp_path: Path) -> None:
    """It found 90, then 116, then 148 of 500 while an index of 200 books was made."""
    world = fill(root, books, tmp_path)
    right = answer(world)
    seen: list[bool] = []

    def look(_: object) -> None:
        if len(seen) < 20 or len(seen) % 10 == 0:
            found = cb.World.open(root).search("storm OR hill", limit=500)
            seen.append(found.complete and answer(cb.World.open(root)) == right)
        else:
            seen.append(True)

    world.reindex(on_progress=look)
    assert len(right) == books
    assert len(seen) >= books
    assert all(seen)


@pytest.mark.parametrize("books", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_a_search_during_the_first_ingest_finds_every_complete_book(
    books: int, root: Path, tmp_path: Path
) -> None:
    """And says how many are not there yet; it raised INDEX_MISSING until the last book was done."""
    texts = {f"b{number:03d}": f"Book {number}. The storm came.\n" for number in range(books)}
    shelf = write_books(tmp_path / "shelf", **texts)
    looked: list[int] = []

    def look(progress: cb.worlds.RunProgress) -> None:
        if progress.books_done % max(books // 12, 1):
            return
        found = cb.World.open(root).search("storm", limit=500)
        done = {f"book-{number:04d}" for number in range(1, progress.books_done + 1)}
        assert done <= {hit.source_key for hit in found}
        assert found.complete is False or len(found) == books
        looked.append(len(found))

    cb.World.draft(root, settings=SETTINGS).ingest(shelf, on_progress=look)
    assert len(looked) >= 12
    assert len(answer(cb.World.open(root))) == books
