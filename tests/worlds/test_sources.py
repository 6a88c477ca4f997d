"""Stored sources: two copies, each proved; one restores the other; ambiguity stops."""

import errno
import json
import shutil
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, write_books
from cleanbreak import errors
from cleanbreak.storage.files import Files

WORKING = "sources/book-0001/sea.txt"
BACKUP = "backups/book-0001/sea.txt"


@pytest.mark.parametrize("how", ["lost", "altered"])
@pytest.mark.parametrize(
    ("which", "warning"), [(WORKING, "BACKUP_USED"), (BACKUP, "BACKUP_RESTORED")]
)
def test_one_good_copy_restores_the_other(
    which: str, warning: str, how: str, world: cb.World, root: Path, books: list[Path]
) -> None:
    """The good copy is used, the other made again, and a warning recorded in the manifest."""
    if how == "lost":
        (root / which).unlink()
    else:
        (root / which).write_bytes(b"something else")
    assert not world.verify().ok
    report = world.resume()
    assert [warning] == [found.code for found in report.books[0].warnings]
    assert books[0].read_bytes() == (root / which).read_bytes()
    assert [warning] == [found.code for found in world.status().books[0].warnings]
    assert world.verify().ok


def test_both_copies_lost_stops_the_book_and_not_the_world(world: cb.World, root: Path) -> None:
    """SOURCE_MISSING names the book; the others, and all stored chunks, stay usable."""
    (root / WORKING).unlink()
    (root / BACKUP).unlink()
    (root / "books/book-0001/chunks/000003.json").unlink()
    (root / "books/book-0002/chunks/000003.json").unlink()
    report = world.resume()
    assert [failure.error.code for failure in report.failures] == ["SOURCE_MISSING"]
    assert (report.state, [book.book_number for book in report.books]) == ("paused", [2])
    assert world.search("bells")
    assert world.search("calm")


def test_a_source_is_not_touched_whatever_its_encoding(root: Path, tmp_path: Path) -> None:
    """Copies hold the bytes of the file, not those of the decoded text."""
    book = tmp_path / "in" / "Zürich 1900.txt"
    book.parent.mkdir()
    book.write_bytes("\ufeffZürich, du Schöne.\r\n".encode("utf-16-le"))
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(book)
    for kind in ("sources", "backups"):
        assert book.read_bytes() == (root / kind / "book-0001" / book.name).read_bytes()
    manifest = json.loads((root / "books/book-0001/manifest.json").read_bytes())
    assert "utf-16" in manifest["source"]["encoding"]


STRAY = (".DS_Store", "desktop.ini", "Thumbs.db", "sea (conflicted copy).txt", "sea.txt.part")


@pytest.mark.parametrize("name", STRAY)
def test_a_stray_file_in_a_slot_changes_nothing(
    name: str, world: cb.World, root: Path, books: list[Path], tmp_path: Path
) -> None:
    """Desktops leave some where a person looked. The manifest names the source."""
    for kind in ("sources", "backups"):
        (root / kind / "book-0001" / name).write_text("stray")
    (new,) = write_books(tmp_path / "more", new="A new book.")
    assert world.ingest([*books, new]).state == "completed"
    assert world.resume().state == "completed"
    (root / WORKING).unlink()
    assert world.reingest().state == "completed"
    assert (root / WORKING).read_bytes() == books[0].read_bytes()
    assert world.verify().ok


@pytest.mark.parametrize("name", [".DS_Store", "desktop.ini", "Thumbs.db"])
def test_a_stray_file_is_told_from_the_source_without_a_manifest(
    name: str, world: cb.World, root: Path
) -> None:
    """By its kind, which is not one that is read."""
    (root / "books/book-0001/manifest.json").unlink()
    (root / "sources/book-0001" / name).write_text("stray")
    assert world.resume().state == "completed"
    assert world.verify().ok


@pytest.mark.parametrize("extra", ["sources/book-0001/other.txt", "backups/book-0001/other.txt"])
def test_an_ambiguous_slot_fails_its_own_book(
    extra: str, world: cb.World, root: Path, books: list[Path], tmp_path: Path
) -> None:
    """Without a manifest it is not clear which file is the source; the other books are done."""
    (root / extra).write_text("other")
    shutil.rmtree(root / "books/book-0001")
    (new,) = write_books(tmp_path / "more", new="A new book.")
    for use in (world.resume, lambda: world.ingest(books[1]), lambda: world.ingest(new)):
        report = use()
        (failure,) = report.failures
        assert (failure.book_number, failure.error.code) == (1, "SLOT_AMBIGUOUS")
        assert {"sea.txt", "other.txt"} == {
            *failure.error.details["working"],
            *failure.error.details["backups"],
        }
    assert [book.book_number for book in report.books] == [4]


def test_a_copy_that_was_renamed_is_made_again(world: cb.World, root: Path) -> None:
    """A working and a backup copy have the name that the manifest says."""
    (root / BACKUP).rename(root / "backups/book-0001/other.txt")
    assert [warning.code for warning in world.resume().books[0].warnings] == ["BACKUP_RESTORED"]
    assert world.verify().ok


def test_numbers_are_never_used_twice(world: cb.World, root: Path, tmp_path: Path) -> None:
    """The next number is after the highest in sources, backups and books alike."""
    (root / "backups/book-0007").mkdir()
    (root / "backups/book-0007/lost.txt").write_text("Left by an earlier run.")
    (root / "books/book-0009/chunks").mkdir(parents=True)
    (new,) = write_books(tmp_path / "more", new="A new book.")
    assert [source.book_number for source in world.plan(new).sources] == [10]


def test_a_slot_with_nothing_in_it_is_cleared(world: cb.World, root: Path, tmp_path: Path) -> None:
    """A copy that never came to be leaves no number behind."""
    (root / "sources/book-0004").mkdir()
    (root / "sources/book-0004/.cb-copy.tmp").write_text("half")
    (new,) = write_books(tmp_path / "more", new="A new book.")
    report = world.ingest(new)
    assert [book.book_number for book in report.books] == [4]


def test_a_source_that_changes_while_it_is_copied_is_refused(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is stored is what was checked, or nothing."""
    from cleanbreak.worlds import sources

    world = cb.World.create(root, settings=SETTINGS)
    store = sources.store

    def slow_store(*arguments: object) -> None:
        books[0].write_text(SEA + "More.", encoding="utf-8")
        store(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(sources, "store", slow_store)
    with pytest.raises(errors.StateConflictError, match="changed while"):
        world.ingest(books[0])
    assert list((root / "sources").rglob("*.txt")) == []


def test_the_original_may_be_deleted(root: Path, books: list[Path]) -> None:
    """From its first commit on, a run works from the world's own copies."""
    world = cb.World.create(root, settings=SETTINGS)
    with pytest.raises(errors.RunInterruptedError):
        world.ingest(books, stop=lambda: True)
    for book in books:
        book.unlink()
    assert world.resume().state == "completed"
    assert len(world.status().books) == 3


@pytest.mark.parametrize(
    ("which", "warning"), [(WORKING, "BACKUP_USED"), (BACKUP, "BACKUP_RESTORED")]
)
@pytest.mark.parametrize("step", ["replace", "sync_folder"])
def test_a_warning_is_recorded_before_the_copy_is_restored(
    step: str, which: str, warning: str, world: cb.World, root: Path
) -> None:
    """After a crash in between nothing else says that a copy was lost."""
    (root / which).unlink()
    folder = (root / which).parent

    def fail(name: str, path: Path) -> None:
        if name == step and folder in (path, path.parent):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(errors.DiskFullError):
        cb.World.open(root, files=Files(fail)).resume()
    world.resume()
    assert [found.code for found in world.status().books[0].warnings] == [warning]
    assert world.verify().ok
