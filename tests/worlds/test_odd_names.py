"""Names that no record can hold are refused before anything is written."""

import json
import os
import sys
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS
from cleanbreak import errors
from cleanbreak.worlds.stages.chunks import Chunks

UNICODE_ONLY = sys.platform in ("darwin", "win32")  # their file systems take no other names


def latin_1(folder: Path) -> Path:
    """A file whose name is Latin-1, as on old disks."""
    if UNICODE_ONLY:
        pytest.skip("names are always Unicode here")
    path = folder / os.fsdecode(b"caf\xe9.txt")
    path.write_text(SEA)
    return path


def test_a_name_that_is_not_unicode_is_refused_and_nothing_is_written(
    root: Path, tmp_path: Path
) -> None:
    """It crashed the ingest after the copy was stored, and every later one of the world."""
    with pytest.raises(errors.SourceUnsupportedError, match="not Unicode; rename it"):
        cb.World.draft(root).ingest(latin_1(tmp_path))
    assert not root.exists()


def test_a_name_that_is_not_unicode_in_a_folder_stops_no_other_book(
    root: Path, books: list[Path]
) -> None:
    """Nobody named it, so it is a failure of its own; its error can be printed as JSON."""
    latin_1(books[0].parent)
    report = cb.World.draft(root).ingest(books[0].parent)
    assert len(report.books) == 3
    (failure,) = report.failures
    assert failure.error.code == "SOURCE_UNSUPPORTED"
    assert json.loads(json.dumps(report.as_dict()))


def test_a_world_that_an_earlier_version_stored_such_a_book_in_is_not_stopped(
    world: cb.World, root: Path, tmp_path: Path, books: list[Path]
) -> None:
    """The book fails alone, whatever the exception is, and the others are ingested."""
    stored = latin_1(tmp_path)
    for kind in ("sources", "backups"):
        slot = root / kind / "book-0004"
        slot.mkdir()
        (slot / stored.name).write_bytes(stored.read_bytes())
    new = books[0].with_name("new.txt")
    new.write_text("A lantern hung there.")
    report = world.ingest(new)
    assert [book.source_filename for book in report.books] == ["new.txt"]
    assert [failure.book_number for failure in report.failures] == [4]
    assert world.search("lantern")
    json.dumps(world.status().as_dict())


@pytest.mark.parametrize("name", ["x\ud800", "a\0b"])
def test_a_world_gets_no_name_that_cannot_be_stored(name: str, tmp_path: Path) -> None:
    """Neither by its folder nor by its name."""
    with pytest.raises(errors.SettingsError):
        cb.World.create(tmp_path / name)
    with pytest.raises(errors.CleanbreakError):
        cb.World.create(tmp_path / "world", name="x\ud800")
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_exception_fails_only_the_book_at_work(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one of our own stages that nobody thought of."""
    run = Chunks.run

    def fail(self: Chunks, book: object, session: object) -> None:
        if book.number == 2:  # type: ignore[attr-defined]
            raise RuntimeError
        run(self, book, session)  # type: ignore[arg-type]

    monkeypatch.setattr(Chunks, "run", fail)
    report = cb.World.create(root, settings=SETTINGS).ingest(books)
    assert [book.book_number for book in report.books] == [1, 3]
    assert [failure.error.code for failure in report.failures] == ["STAGE_FAILED"]
