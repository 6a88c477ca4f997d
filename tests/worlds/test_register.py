"""The register of books: a book that is lost as a whole is noticed."""

import json
import shutil
from pathlib import Path

import cleanbreak as cb
from bookshelf import write_books


def lose(root: Path, number: int) -> None:
    for kind in ("books", "sources", "backups"):
        shutil.rmtree(root / kind / f"book-{number:04d}")


def test_a_book_that_is_lost_is_noticed_until_it_is_removed(
    world: cb.World, root: Path, tmp_path: Path
) -> None:
    """A half copied world was called well; the number is not used again, others are ingested."""
    lose(root, 3)
    assert [(p.code, p.book_number) for p in world.verify().problems] == [("BOOK_LOST", 3)]
    assert [book.state for book in world.status().books] == ["complete", "complete", "lost"]
    assert world.status().books[2].source_filename == "town.txt"
    assert world.search("storm").unfinished == (3,)
    (new,) = write_books(tmp_path / "more", new="A new book.")
    report = world.ingest(new)
    assert [book.book_number for book in report.books] == [4]
    assert [(f.book_number, f.error.code) for f in report.failures] == [(3, "SOURCE_MISSING")]
    world.remove(3, sources=True)
    assert world.verify().ok
    assert world.resume().state == "completed"


def test_a_world_without_a_register_gets_one_with_its_next_run(
    world: cb.World, root: Path, tmp_path: Path
) -> None:
    """An earlier version wrote none."""
    path = root / "world.json"
    record = json.loads(path.read_bytes())
    assert record["books"] == {"1": "sea.txt", "2": "hill.txt", "3": "town.txt"}
    del record["books"]
    path.write_text(json.dumps(record), encoding="utf-8")
    world = cb.World.open(root)
    assert world.verify().ok
    (new,) = write_books(tmp_path / "more", new="A new book.")
    world.ingest(new)
    assert list(json.loads(path.read_bytes())["books"].values())[-1] == "new.txt"
    assert len(json.loads(path.read_bytes())["books"]) == 4
