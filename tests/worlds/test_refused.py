"""What could not be used is remembered until it is ingested or dismissed."""

from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS, write_books
from cleanbreak import errors
from cleanbreak.worlds import session


def refused(world: cb.World) -> list[tuple[str, str]]:
    return [(source.filename, source.code) for source in world.status().refused]


def test_a_stopped_run_does_not_lose_the_list_of_refused_sources(
    root: Path, books: list[Path]
) -> None:
    """After Ctrl-C and resume the books were missing without a word."""
    (blank,) = write_books(books[0].parent, blank=" \n")
    world = cb.World.create(root, settings=SETTINGS)
    calls = iter([False, True, True])
    with pytest.raises(errors.RunInterruptedError) as caught:
        world.ingest(books[0].parent, stop=lambda: next(calls))
    details = caught.value.details
    assert [failure["source_filename"] for failure in details["failures"]] == ["blank.txt"]
    assert (details["safe_books"], details["total_books"]) == (2, 3)
    assert refused(cb.World.open(root)) == [("blank.txt", "SOURCE_EMPTY")]
    world.resume()
    assert refused(world) == [("blank.txt", "SOURCE_EMPTY")]
    blank.write_text("Not blank now.")
    world.ingest(blank)
    assert refused(world) == []


def test_a_refused_source_can_be_dismissed(world: cb.World, tmp_path: Path) -> None:
    """It is listed by status until then, also if later runs do not name it."""
    blank, good = write_books(tmp_path / "more", blank=" \n", good="Good.")
    world.ingest([blank, good])
    world.ingest(good)
    assert refused(world) == [("blank.txt", "SOURCE_EMPTY")]
    assert world.status().as_dict()["refused"][0]["message"]
    world.dismiss()
    assert refused(world) == []


def test_a_run_that_is_stopped_reports_the_books_it_finished(root: Path, books: list[Path]) -> None:
    """With their warnings; nothing else says what they were."""
    world = cb.World.create(root, settings=SETTINGS)
    done: list[int] = []
    with pytest.raises(errors.RunInterruptedError, match="of 3 books are safe") as caught:
        world.ingest(
            books,
            on_progress=lambda progress: done.append(progress.books_done),
            stop=lambda: bool(done) and done[-1] >= 1,
        )
    assert [book["book_number"] for book in caught.value.details["books"]] == [1]


def test_a_stop_is_heard_while_planning(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a thousand books all were read and copied before Ctrl-C was heard; nothing is written."""
    monkeypatch.setattr(session, "ASKS_EVERY_SECONDS", 0)
    calls = iter([False, True])
    with pytest.raises(errors.RunInterruptedError, match="before anything was written"):
        cb.World.draft(root).ingest(books, stop=lambda: next(calls))
    assert not root.exists()


def test_a_stop_is_heard_while_copying(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not stored yet is named, as resume cannot add it."""
    world = cb.World.create(root, settings=SETTINGS)
    monkeypatch.setattr(session, "ASKS_EVERY_SECONDS", 0)
    stored = root / "backups" / "book-0001" / "sea.txt"
    with pytest.raises(errors.RunInterruptedError) as caught:
        world.ingest(books, stop=stored.exists)
    assert caught.value.details["not_stored"] == ["hill.txt", "town.txt"]
    assert caught.value.details["total_books"] == 3
    assert [book.source_filename for book in world.status().books] == ["sea.txt"]
    assert world.ingest(books).state == "completed"
    assert world.verify().ok
