"""Re-ingest and remove: from stored copies, old outputs readable until the new ones are whole."""

import json
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, record_of, stored_text, write_books
from cleanbreak import errors

OTHER = {"chunk_size": 60, "max_lookback": 30, "overlap_size": 0}


def test_new_settings_rebuild_every_book(world: cb.World, root: Path, books: list[Path]) -> None:
    """From the stored copies alone; the settings are locked to the new ones."""
    for book in books:
        book.unlink()
    report = world.reingest(settings=OTHER)
    assert (report.state, len(report.books)) == ("completed", 3)
    assert cb.World.open(root).settings.settings["chunk_size"] == 60
    assert stored_text(root, 1) == SEA
    assert world.verify().ok
    assert max(len(hit.text) for hit in world.search("storm", limit=50)) > 40


def test_a_reingest_equals_a_fresh_world(
    world: cb.World, root: Path, books: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the old outputs is left behind."""
    world.reingest(settings=OTHER)
    from cleanbreak.worlds import opening

    monkeypatch.setattr(opening, "uuid4", lambda: world.uuid)
    fresh = cb.World.create(tmp_path / "fresh", settings=OTHER)
    fresh.ingest(books)
    after, expected = record_of(root), record_of(tmp_path / "fresh")
    del after["world.json"], expected["world.json"]
    assert expected == after


def test_some_books_are_rebuilt_and_others_untouched(world: cb.World, root: Path) -> None:
    """A choice of books keeps the settings."""
    untouched = (root / "books/book-0001/manifest.json").stat().st_mtime_ns
    chunk = root / "books/book-0002/chunks/000001.json"
    chunk.write_bytes(b"altered")
    report = world.reingest([2])
    assert [book.book_number for book in report.books] == [2]
    assert untouched == (root / "books/book-0001/manifest.json").stat().st_mtime_ns
    assert world.verify().ok


def test_new_settings_for_some_books_are_refused(world: cb.World, root: Path) -> None:
    """A world has one set of settings."""
    before = record_of(root)
    with pytest.raises(errors.StateConflictError, match="all books"):
        world.reingest([2], settings=OTHER)
    assert before == record_of(root)


def test_an_edited_source_is_replaced(world: cb.World, root: Path, books: list[Path]) -> None:
    """Conflict, then re-ingest: unchanged text keeps its chunks, old text is gone (case I04)."""
    text = SEA.replace("Then the storm came", "Then the frost came", 1)
    books[0].write_text(text, encoding="utf-8", newline="")
    with pytest.raises(errors.StateConflictError):
        world.ingest(books[0])
    other = record_of(root / "books/book-0002")
    report = world.reingest(replace=books[0])
    assert [book.book_number for book in report.books] == [1]
    assert text == stored_text(root, 1)
    assert books[0].read_bytes() == (root / "sources/book-0001/sea.txt").read_bytes()
    assert books[0].read_bytes() == (root / "backups/book-0001/sea.txt").read_bytes()
    assert other == record_of(root / "books/book-0002")
    # The phrase lies over the cut between two chunks, and both are found by it.
    assert {hit.number for hit in world.search('"frost came"')} == {1, 2}
    expected = [chunk.number for chunk in cb.split(text, **SETTINGS) if "storm" in chunk.text]
    assert expected == sorted(hit.number for hit in world.search("storm", limit=50))
    assert world.verify().ok
    assert world.plan(books[0]).sources[0].action == "complete"


def test_a_replacement_must_have_the_name_of_a_source(world: cb.World, tmp_path: Path) -> None:
    """A new name is a new book."""
    (new,) = write_books(tmp_path / "more", new="New.")
    with pytest.raises(errors.StateConflictError, match="new book"):
        world.reingest(replace=new)


def test_a_lost_source_stops_a_reingest_before_it_begins(world: cb.World, root: Path) -> None:
    """Nothing is written when not every source is there."""
    (root / "sources/book-0002/hill.txt").unlink()
    (root / "backups/book-0002/hill.txt").unlink()
    before = record_of(root)
    with pytest.raises(errors.SourceMissingError):
        world.reingest(settings=OTHER)
    assert before == record_of(root)


def test_an_unusable_replacement_stops_before_anything_is_written(
    world: cb.World, root: Path, books: list[Path]
) -> None:
    """A blank file does not take the place of a book."""
    before = record_of(root)
    books[0].write_text(" \n")
    with pytest.raises(errors.SourceEmptyError):
        world.reingest(replace=books[0])
    assert before == record_of(root)


def test_a_reingest_that_cannot_succeed_is_given_up(
    world: cb.World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A book that cannot be read or cut any more: the old stays, and nothing waits to be resumed."""
    from cleanbreak import readers

    def refuse(path: Path, **options: object) -> cb.Document:
        raise errors.SourceMalformedError("It is damaged.", name=path.name)

    before = record_of(root)
    with monkeypatch.context() as patch:
        patch.setattr(readers, "read", refuse)
        with pytest.raises(errors.SourceMalformedError):
            world.reingest(settings=OTHER)
    assert before == record_of(root)
    assert not (root / "staging").exists()
    assert world.reingest(settings=OTHER).state == "completed"


def test_a_book_is_not_removed_while_a_reingest_waits(world: cb.World, root: Path) -> None:
    """It would come back with the swap."""
    with pytest.raises(errors.RunInterruptedError):
        world.reingest(settings=OTHER, stop=lambda: True)
    with pytest.raises(errors.StateConflictError, match="resume it first"):
        world.remove(1)
    world.resume()
    world.remove(1)


def test_resume_mends_what_a_reingest_does_not_touch(world: cb.World, root: Path) -> None:
    """After the swap the other books are proved as ever."""
    with pytest.raises(errors.RunInterruptedError):
        world.reingest([2], stop=lambda: True)
    (root / "books/book-0001/chunks/000002.json").unlink()
    assert [book.book_number for book in world.resume().books] == [2, 1]
    assert world.verify().ok


def test_an_interrupted_reingest_leaves_the_old_and_resumes(world: cb.World, root: Path) -> None:
    """Until the swap everything reads and searches as before; resume completes the new."""
    before = {
        name: data for name, data in record_of(root).items() if not name.startswith("staging")
    }
    with pytest.raises(errors.RunInterruptedError):
        world.reingest(settings=OTHER, stop=lambda: True)
    after = record_of(root)
    assert before == {name: data for name, data in after.items() if not name.startswith("staging")}
    assert world.verify().ok
    assert world.search("storm")
    status = world.status()
    assert status.run
    assert (status.run.kind, status.run.state) == ("reingest", "paused")
    report = world.resume()
    assert (report.state, world.settings.settings["chunk_size"]) == ("completed", 60)
    assert world.verify().ok
    assert not (root / "staging").exists()


def test_another_reingest_takes_the_place_of_one_begun(world: cb.World, root: Path) -> None:
    """The last word holds."""
    with pytest.raises(errors.RunInterruptedError):
        world.reingest(settings=OTHER, stop=lambda: True)
    world.reingest(settings=SETTINGS | {"chunk_size": 70})
    assert world.settings.settings["chunk_size"] == 70
    assert world.verify().ok


def test_ingest_completes_a_reingest_first(world: cb.World, root: Path, tmp_path: Path) -> None:
    """A world never holds books of two settings."""
    with pytest.raises(errors.RunInterruptedError):
        world.reingest(settings=OTHER, stop=lambda: True)
    (new,) = write_books(tmp_path / "more", new="New. " + SEA)
    world.ingest(new)
    recipes = [
        json.loads((root / f"books/book-000{n}/manifest.json").read_bytes())["settings"]
        for n in (1, 2, 3, 4)
    ]
    assert [recipe["settings"]["chunk_size"] for recipe in recipes] == [60] * 4
    assert world.verify().ok


# --- remove --------------------------------------------------------------------------------------


def test_remove_keeps_the_source(world: cb.World, root: Path, books: list[Path]) -> None:
    """Outputs and hits go; resume does not bring them back, asking for the book does."""
    world.remove(1)
    assert not (root / "books/book-0001").exists()
    assert (root / "sources/book-0001/sea.txt").exists()
    assert world.search("storm") == []
    assert [book.state for book in world.status().books] == ["removed", "complete", "complete"]
    assert world.resume().state == "completed"
    assert not (root / "books/book-0001").exists()
    assert world.verify().ok
    report = world.ingest(books[0])
    assert [book.book_number for book in report.books] == [1]
    assert world.search("storm")


def test_remove_with_sources(world: cb.World, root: Path, books: list[Path]) -> None:
    """Everything of the book goes; its name is free again."""
    world.remove(2, sources=True)
    assert list(root.rglob("*book-0002*")) == []
    assert world.search("hill") == []
    books[1].write_text("Another hill altogether.")
    report = world.ingest(books[1])
    assert [book.book_number for book in report.books] == [4]


def test_a_removed_book_is_not_rebuilt_by_a_reingest(world: cb.World, root: Path) -> None:
    """Unless it is named."""
    world.remove(1)
    world.reingest(settings=OTHER)
    assert not (root / "books/book-0001").exists()
    world.reingest([1, 2, 3], settings=SETTINGS)
    assert stored_text(root, 1) == SEA
    assert world.verify().ok


@pytest.mark.parametrize("use", ["remove", "reingest"])
def test_no_such_book(use: str, world: cb.World) -> None:
    """A number that is not there is an error, not a success."""
    with pytest.raises(errors.StateConflictError, match="no book 9"):
        world.remove(9) if use == "remove" else world.reingest([9])


@pytest.mark.parametrize("number", [True, 1.0, "1"])
def test_a_book_number_that_is_no_number_is_refused(
    number: object, world: cb.World, root: Path
) -> None:
    """``True`` equals 1, was written into ``world.json`` and could not be read from it again."""
    before = record_of(root)
    with pytest.raises(errors.SettingsError):
        world.remove(number)  # type: ignore[arg-type]
    with pytest.raises(errors.SettingsError):
        world.reingest([number])  # type: ignore[list-item]
    assert before == record_of(root)


@pytest.mark.parametrize("wrong", [{"name": 5}, {"settings": 5}])
def test_what_is_no_name_or_settings_is_refused(wrong: dict[str, int], tmp_path: Path) -> None:
    """With the one error for settings, and no folder is made."""
    with pytest.raises(errors.SettingsError):
        cb.World.create(tmp_path / "new", **wrong)  # type: ignore[arg-type]
    assert not (tmp_path / "new").exists()
