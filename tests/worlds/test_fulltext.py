"""The full text of a world: written with the chunks, rebuilt from the files, never in their way."""

import shutil
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS
from cleanbreak import errors
from cleanbreak.storage.files import Files
from cleanbreak.stores.fulltext import Index, SourceWriter
from cleanbreak.worlds.stages import fulltext

DAMAGED = errors.IndexMalformedError("It is damaged.")
FULL = errors.DiskFullError("It is full.")


def test_rows_go_to_the_index_from_the_writer(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No chunk file is read again; only books that were complete before are proved by their files."""

    def refuse(*_: object) -> None:
        raise AssertionError("read again")

    world = cb.World.create(root, files=Files(group_size=3))
    with monkeypatch.context() as patch:
        patch.setattr(fulltext, "stream_chunks", refuse)
        assert world.ingest(books).state == "completed"
    from_writer = [hit.as_dict() for hit in world.search("the", limit=50)]
    assert from_writer
    world.reindex()
    assert from_writer == [hit.as_dict() for hit in world.search("the", limit=50)]


def test_a_book_is_searched_as_soon_as_it_is_complete(root: Path, books: list[Path]) -> None:
    """Not only when the whole batch is; and not before."""
    found: dict[int, int] = {}

    def look(progress: cb.worlds.RunProgress) -> None:
        found[progress.books_done] = len(cb.World.open(root).search("storm"))

    cb.World.draft(root).ingest(books, on_progress=look)
    assert found[0] == 0
    assert found[1] > 0


def test_some_books_are_searched(root: Path, tmp_path: Path) -> None:
    """By number, before the limit is applied; an unknown one is refused."""
    paths = []
    for number in range(3):
        path = tmp_path / f"{number}.txt"
        path.write_text("storm " * (9 - number) + f"of book {number}", encoding="utf-8")
        paths.append(path)
    world = cb.World.create(root)
    world.ingest(paths)
    for book in (1, 2, 3):
        [hit] = world.search("storm", book=book, limit=1)
        assert hit.source_key == f"book-000{book}"
    found = world.search("storm", book=[3, 1])
    assert {hit.source_key for hit in found} == {"book-0001", "book-0003"}
    assert world.search("book:2 storm", limit=1)[0].source_key == "book-0002"
    assert world.search("-of", book=2) == []
    with pytest.raises(errors.StateConflictError):
        world.search("storm", book=4)
    with pytest.raises(errors.SettingsError):
        world.search("storm", book=[])
    with pytest.raises(errors.SettingsError):
        world.search("auhtor:x")


@pytest.mark.parametrize("method", ["add", "set_digest"])
@pytest.mark.parametrize("error", [DAMAGED, FULL])
def test_an_index_that_fails_while_chunks_are_written_is_made_from_the_files(
    error: cb.CleanbreakError,
    method: str,
    root: Path,
    books: list[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The chunks are the record: they are finished, and the stage itself does the work again."""
    work = getattr(SourceWriter, method)
    failures = [error]

    def fail_once(*arguments: object) -> object:
        if failures:
            raise failures.pop()
        return work(*arguments)

    monkeypatch.setattr(SourceWriter, method, fail_once)
    world = cb.World.create(root, settings=SETTINGS)
    assert world.ingest(books).state == "completed"
    assert failures == []
    assert world.search("storm")
    assert world.search("bells")
    assert world.verify().ok


def test_an_index_that_keeps_failing_stops_the_run_after_the_chunks(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its own error; the book's chunks are whole, and resume completes it."""

    def fail(*_: object) -> None:
        raise FULL

    world = cb.World.create(root, settings=SETTINGS)
    with monkeypatch.context() as patch:
        patch.setattr(SourceWriter, "add", fail)
        with pytest.raises(errors.DiskFullError):
            world.ingest(books)
    assert [book.state for book in world.status().books] == ["complete", "waiting", "waiting"]
    assert world.status().stages["fulltext"] == "partial"
    assert world.verify().ok
    assert world.resume().state == "completed"
    assert world.search("storm")


def test_a_damaged_index_is_rebuilt_for_all_books_by_the_next_ingest(
    root: Path, books: list[Path]
) -> None:
    """Also for those that the ingest does not name."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(books[:2])
    for path in root.glob("index.sqlite-*"):
        path.unlink()
    (root / "index.sqlite").write_bytes(b"not a database")
    assert [problem.code for problem in world.verify().problems] == ["INDEX_MALFORMED"]
    assert world.ingest(books[2]).state == "completed"
    with Index.open(root / "index.sqlite", readonly=True) as index:
        assert index.sources().keys() == {"book-0001", "book-0002", "book-0003"}
        assert all(state.digest for state in index.sources().values())
    assert world.verify().ok


def test_a_book_that_is_trusted_is_indexed_from_its_files(root: Path, books: list[Path]) -> None:
    """What is not looked at cannot be handed on; the rows are all there in the end."""
    world = cb.World.create(root, settings=SETTINGS, files=Files(group_size=4))
    with pytest.raises(errors.RunInterruptedError):
        world.ingest(books[:1], stop=lambda: True)
    assert world.search("storm") == []
    assert world.resume(trust_files=True).state == "completed"
    total = world.status().books[0].total_chunks
    with Index.open(root / "index.sqlite", readonly=True) as index:
        assert total == index.counts().chunks
    assert world.search("storm")


def test_rows_of_a_book_that_is_gone_are_forgotten(world: cb.World, root: Path) -> None:
    """Its folders were deleted by hand: the next search does not find it, and clears it away."""
    for kind in ("sources", "backups", "books"):
        shutil.rmtree(root / kind / "book-0001")
    assert world.search("storm") == []
    with Index.open(root / "index.sqlite", readonly=True) as index:
        assert index.sources().keys() == {"book-0002", "book-0003"}
    assert world.search("bells")


def test_other_chunks_than_those_of_the_files_are_a_problem(world: cb.World, root: Path) -> None:
    """And repaired, while rows that are only missing are work to be done."""
    with Index.open(root / "index.sqlite") as index:
        index.connection.execute("UPDATE sources SET digest = 'other' WHERE source_key LIKE '%2'")
        index.remove_source("book-0003")
    problems = [(problem.code, problem.book_number) for problem in world.verify().problems]
    assert problems == [("INDEX_BEHIND", 2)]
    assert world.status().stages["fulltext"] == "partial"
    assert world.verify(repair=True).ok
    assert world.status().stages["fulltext"] == "complete"
    assert world.search("bells")
