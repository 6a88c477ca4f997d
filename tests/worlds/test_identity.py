"""Which book a file is: its path below the folder that was named, and its content."""

import shutil
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import HILL, SEA, SETTINGS, record_of, write_books
from cleanbreak import errors


def shelf_of(folder: Path, **notes: str) -> Path:
    """A folder with a file ``notes.txt`` in one folder for each name."""
    for name, text in notes.items():
        write_books(folder / name, notes=text)
    return folder


def paths(world: cb.World) -> list[str]:
    return [book.source_path for book in world.books()]


def actions(world: cb.World, *files: Path) -> list[str]:
    return [source.action for source in world.plan(list(files)).sources]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """``a/notes.txt`` and ``b/notes.txt`` of different content."""
    return shelf_of(tmp_path / "shelf", a=SEA, b=HILL)


@pytest.fixture
def two(shelf: Path, root: Path) -> cb.World:
    """A world with both."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(shelf)
    return world


def test_two_files_of_one_name_in_two_folders_are_two_books(two: cb.World, shelf: Path) -> None:
    """Everything that names a book says which of the two it is."""
    assert paths(two) == ["a/notes.txt", "b/notes.txt"]
    assert [book.source_path for book in two.status().books] == paths(two)
    assert [book.source_filename for book in two.books()] == ["notes.txt", "notes.txt"]
    (hit,) = two.search("hill", limit=1)
    assert hit.citation.startswith("b/notes.txt, ")
    assert hit.as_dict()["source_path"] == "b/notes.txt"
    assert actions(two, shelf) == ["complete", "complete"]


def test_they_are_told_apart_after_a_crash_before_their_first_chunk(
    shelf: Path, root: Path
) -> None:
    """The paths are recorded before the sources are stored."""
    world = cb.World.create(root, settings=SETTINGS)
    with pytest.raises(errors.RunInterruptedError):
        world.ingest(shelf, stop=lambda: True)
    world.resume()
    assert paths(world) == ["a/notes.txt", "b/notes.txt"]
    assert world.verify().ok


@pytest.mark.parametrize("which", ["files", "folders"])
def test_files_of_one_name_get_the_folders_that_tell_them_apart(
    which: str, shelf: Path, root: Path
) -> None:
    """Where they were named themselves, or in two folders."""
    named = [shelf / "a", shelf / "b"]
    if which == "files":
        named = [folder / "notes.txt" for folder in named]
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(named)
    assert paths(world) == ["a/notes.txt", "b/notes.txt"]
    assert actions(world, shelf / "b" / "notes.txt") == ["complete"]
    assert actions(world, shelf / "b") == ["complete"]


def test_a_file_named_itself_is_the_book_of_its_folder(two: cb.World, shelf: Path) -> None:
    """Edited, it conflicts with its own book, and with no other."""
    edited = shelf / "b" / "notes.txt"
    edited.write_text("Another hill.")
    with pytest.raises(errors.StateConflictError, match="book 2") as caught:
        two.ingest(edited)
    assert caught.value.details["book_number"] == 2


def test_a_file_named_twice_is_taken_once(root: Path, books: list[Path]) -> None:
    """By itself and by its folder."""
    world = cb.World.create(root, settings=SETTINGS)
    report = world.ingest([books[0], books[0].parent, books[0]])
    assert sorted(book.source_path for book in report.books) == ["hill.txt", "sea.txt", "town.txt"]


def test_equal_bytes_are_taken_once_and_said_once(
    world: cb.World, books: list[Path], tmp_path: Path, root: Path
) -> None:
    """In one batch, and beside what is stored; with the same name in another folder as well."""
    twins = shelf_of(tmp_path / "twins", a="One lantern.", b="One lantern.")
    shutil.copy(books[0], twins / "copy.txt")
    plan = world.plan(twins)
    assert {s.source_path: s.same_content_as for s in plan.of("same")} == {
        "b/notes.txt": "a/notes.txt",
        "copy.txt": "sea.txt",
    }
    report = world.ingest(twins)
    assert report.same == {"b/notes.txt": "a/notes.txt", "copy.txt": "sea.txt"}
    assert [book.source_path for book in report.books] == ["a/notes.txt"]
    before = record_of(root)
    assert len(world.ingest(twins).same) == 2
    assert before == record_of(root)


def test_a_removed_book_stays_removed_under_another_path_as_well(
    world: cb.World, books: list[Path], tmp_path: Path
) -> None:
    """Its bytes in a folder do not bring it back; its file named itself does."""
    world.remove(1)
    (tmp_path / "other").mkdir()
    copy = Path(shutil.copy(books[0], tmp_path / "other" / "copy.txt"))
    assert world.ingest(copy.parent).books == ()
    assert [book.book_number for book in world.ingest(copy).books] == [1]


def test_a_replacement_is_matched_by_its_folders(
    two: cb.World, shelf: Path, tmp_path: Path
) -> None:
    """Or by the number of the book; else it is not clear which one is meant."""
    (shelf / "b" / "notes.txt").write_text("Another hill.")
    assert [book.book_number for book in two.reingest(replace=shelf / "b/notes.txt").books] == [2]
    (new,) = write_books(tmp_path / "new", notes="A new edition.")
    with pytest.raises(errors.StateConflictError, match="'a/notes\\.txt' is book 1"):
        two.reingest(replace=new)
    assert [book.book_number for book in two.reingest([1], replace=new).books] == [1]
    assert two.passage(1, 0, 5) == "A new"
    assert paths(two) == ["a/notes.txt", "b/notes.txt"]


def test_a_replacement_that_is_not_there_is_missing(two: cb.World, tmp_path: Path) -> None:
    """It was called a new book."""
    with pytest.raises(errors.SourceMissingError):
        two.reingest(replace=tmp_path / "nofile.txt")


def test_refused_sources_of_one_name_are_listed_apart(two: cb.World, tmp_path: Path) -> None:
    """Until each of them is ingested."""
    bad = shelf_of(tmp_path / "bad", c="", d=" \n", e="A lantern.")
    report = two.ingest(bad)
    assert [failure.name for failure in report.failures] == ["c/notes.txt", "d/notes.txt"]
    (bad / "c" / "notes.txt").write_text("At last.")
    two.ingest(bad)
    assert [refused.filename for refused in two.status().refused] == ["d/notes.txt"]


def test_a_book_that_is_purged_leaves_no_path(two: cb.World, shelf: Path) -> None:
    two.remove(2, sources=True)
    assert actions(two, shelf) == ["complete", "new"]


def test_names_that_differ_in_composition_only_are_refused_once(root: Path, tmp_path: Path) -> None:
    """A folder of a Linux disk may hold both; the second is refused, and the first is taken."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "caf\u00e9.txt").write_text("One.")
    (shelf / "cafe\u0301.txt").write_text("Two.")
    if len(list(shelf.iterdir())) == 1:
        pytest.skip("the file system composes names")
    report = cb.World.draft(root).ingest(shelf)
    assert len(report.books) == 1
    assert [failure.error.code for failure in report.failures] == ["STATE_CONFLICT"]


def test_a_conflict_is_seen_before_a_begun_reingest_is_finished(
    world: cb.World, root: Path, books: list[Path]
) -> None:
    """What is refused as written nowhere had swapped a re-ingest in."""
    with pytest.raises(errors.RunInterruptedError):
        world.reingest(settings={"chunk_size": 91}, stop=lambda: True)
    before = record_of(root)
    books[1].write_text("Another hill.")
    with pytest.raises(errors.StateConflictError):
        world.ingest(books)
    assert before == record_of(root)
    assert world.ingest(books[0]).state == "completed"
    assert world.settings.settings["chunk_size"] == 91


def test_the_file_of_a_begun_replacement_is_no_conflict(world: cb.World, books: list[Path]) -> None:
    """After the re-ingest the book holds it."""
    books[0].write_text("Another sea. " * 30)
    with pytest.raises(errors.RunInterruptedError):
        world.reingest(replace=books[0], stop=lambda: True)
    assert world.ingest(books).state == "completed"
    assert world.passage(1, 0, 11) == "Another sea"


def test_a_stray_folder_is_no_slot(world: cb.World, root: Path) -> None:
    """``book-00004`` was taken for slot 4 and then looked for as ``book-0004``."""
    for kind in ("sources", "backups"):
        (root / kind / "book-00004").mkdir()
        (root / kind / "book-00004" / "x.txt").write_text("X.")
    assert [book.state for book in world.status().books] == ["complete"] * 3
    assert world.resume().state == "completed"
