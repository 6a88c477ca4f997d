"""Worlds that earlier versions wrote: they open, prove, resume and are repaired.

``world_v1.json`` holds the files of a world as the first version left it when it was stopped: one
book complete, one begun, one stored and not cut. It is one file so that no checkout changes its
newlines.
"""

import json
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import HILL, SEA, TOWN, stored_text
from cleanbreak import errors

FILES = json.loads(Path(__file__).with_name("world_v1.json").read_text(encoding="utf-8"))


@pytest.fixture
def old(root: Path) -> cb.World:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return cb.World.open(root)


def test_it_opens_and_proves_as_it_is(old: cb.World, root: Path) -> None:
    """Nothing is written, and unfinished books are no problem."""
    assert [book.state for book in old.status().books] == ["complete", "partial", "waiting"]
    assert old.status().stages == {"chunks": "partial", "fulltext": "partial"}
    report = old.verify()
    assert (report.problems, report.books, report.chunks) == ((), 3, 8)
    assert {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} == {
        *FILES
    }


def test_it_resumes_and_what_was_complete_is_not_written_again(old: cb.World, root: Path) -> None:
    """A complete book stays as its version wrote it; one that was begun is written as of now."""
    assert old.search("storm")  # of the book that is complete
    report = old.resume()
    assert report.state == "completed"
    assert [(book.book_number, book.total_chunks) for book in report.books] == [(2, 7), (3, 5)]
    for number, text in enumerate((SEA, HILL, TOWN), 1):
        assert text == stored_text(root, number)
    for name, text in FILES.items():
        if "/book-0001/" in name or not name.startswith(("books", "world")):
            assert text.encode() == (root / name).read_bytes()
    assert json.loads((root / "world.json").read_bytes())["stages"] == ["chunks"]
    assert old.verify().ok
    assert old.search("bells")
    assert old.resume().run_id is None


def test_a_chunk_that_its_version_wrote_is_repaired(old: cb.World, root: Path) -> None:
    """The book is then written as of now, whole."""
    old.resume()
    (root / "books/book-0001/chunks/000003.json").write_bytes(b"damaged")
    assert old.resume().state == "completed"
    assert stored_text(root, 1) == SEA
    assert old.verify().ok
    assert old.search("storm")


def test_a_reingest_that_was_complete_and_not_swapped_in_is_finished(
    old: cb.World, root: Path
) -> None:
    """The first version wrote ``completed`` into the staging before the swap."""
    old.resume()
    with pytest.raises(errors.RunInterruptedError):
        old.reingest(settings={"chunk_size": 90}, stop=lambda: True)
    path = root / "staging/world.json"
    record = json.loads(path.read_bytes())
    record["run"]["state"] = "completed"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert old.resume().state == "completed"
    assert old.settings.settings["chunk_size"] == 90
    assert old.verify().ok
