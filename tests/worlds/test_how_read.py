"""How a book is read is chosen once, kept by the world, and the same for every later run."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cleanbreak as cb
from bookshelf import SETTINGS, record_of, stored_text
from cleanbreak import errors
from cleanbreak.cli.app import app
from pdf_maker import column, drawn, pdf

HEAD = "[THE GOAT LOG 2]"
MARKUP = "# Not a heading, but a comment in a script\n\nThe lamp is lit at dusk.\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A PDF with a running head on each of its four pages."""
    path = tmp_path / "log.pdf"
    pages = [
        drawn(
            [
                (72, 810, f"THE GOAT LOG {number}"),
                *column([f"The goat {number} ate the {word}." for word in ("rope", "sail", "map")]),
            ]
        )
        for number in range(1, 5)
    ]
    path.write_bytes(pdf(pages))
    return path


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A file of a suffix that is not read."""
    path = tmp_path / "lamp.xyz"
    path.write_text(MARKUP, encoding="utf-8", newline="")
    return path


def lose_the_manifest(world: cb.World, root: Path) -> None:
    (root / "books/book-0001/manifest.json").unlink()
    assert world.resume().state == "completed"


def stop_a_reingest_and_resume(world: cb.World, root: Path) -> None:
    with pytest.raises(errors.RunInterruptedError):
        world.reingest(settings={"chunk_size": 70}, stop=lambda: True)
    assert (root / "staging").exists()
    assert world.resume().state == "completed"


def replace_it_by_itself(world: cb.World, root: Path) -> None:
    world.reingest(replace=next((root / "sources/book-0001").iterdir()))


LATER: tuple[Callable[[cb.World, Path], object], ...] = (
    lose_the_manifest,
    stop_a_reingest_and_resume,
    replace_it_by_itself,
    lambda world, root: world.reingest(),
    lambda world, root: world.verify(repair=True),
)


@pytest.mark.parametrize("later", LATER)
def test_furniture_that_was_kept_is_kept_by_every_later_run(
    later: Callable[[cb.World, Path], object], root: Path, log: Path
) -> None:
    cb.World.draft(root, settings=SETTINGS).ingest(log, furniture="keep")
    text = stored_text(root, 1)
    assert HEAD in text
    world = cb.World.open(root)
    later(world, root)
    assert stored_text(root, 1) == text == world.document(1).text
    assert world.verify().ok


@pytest.mark.parametrize("later", LATER)
def test_a_format_that_was_named_is_used_by_every_later_run(
    later: Callable[[cb.World, Path], object], root: Path, script: Path
) -> None:
    """The suffix of the stored source alone would be refused."""
    cb.World.draft(root, settings=SETTINGS).ingest(script, as_format="text")
    world = cb.World.open(root)
    later(world, root)
    assert stored_text(root, 1) == MARKUP == world.document(1).text
    assert world.verify().ok


def test_a_reingest_can_change_how_a_book_is_read(root: Path, log: Path, script: Path) -> None:
    """Of the books that it rebuilds; what it does not name stays as it was."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(log)
    world.ingest(script, as_format="text")
    assert HEAD not in stored_text(root, 1)
    world.reingest([1], furniture="keep")
    assert HEAD in stored_text(root, 1)
    world.reingest([1, 2], furniture="drop")
    assert HEAD not in stored_text(root, 1)
    assert stored_text(root, 2) == MARKUP
    world.reingest([2], as_format="markdown")
    assert [section.title for section in world.document(2).sections] == [
        "Not a heading, but a comment in a script"
    ]


def test_other_books_are_read_without_the_options_of_one(root: Path, log: Path) -> None:
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(log, furniture="keep")
    other = log.with_name("other.pdf")
    other.write_bytes(log.read_bytes() + b"\n")  # equal bytes would be one book
    world.ingest([log, other])
    assert HEAD in stored_text(root, 1)
    assert HEAD not in stored_text(root, 2)


def test_how_a_book_was_read_goes_with_its_source(root: Path, log: Path) -> None:
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(log, furniture="keep")
    world.remove(1, sources=True)
    stored = json.loads((root / "world.json").read_bytes())
    assert (stored["encodings"], stored["formats"], stored["furniture"]) == ({}, {}, {})


@pytest.mark.parametrize("wrong", [{"furniture": "burn"}, {"as_format": "pdf"}, {"encoding": "?"}])
def test_an_unknown_word_is_refused_before_anything_is_written(
    wrong: dict[str, str], root: Path, log: Path
) -> None:
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(log)
    before = record_of(root)
    for ask in (world.ingest, world.plan):
        with pytest.raises(errors.SettingsError):
            ask(log, **wrong)
    with pytest.raises(errors.SettingsError):
        world.reingest(**wrong)  # type: ignore[arg-type]
    assert record_of(root) == before


def test_commands_pass_on_how_books_are_read(root: Path, log: Path, script: Path) -> None:
    def run(*words: object) -> int:
        return CliRunner().invoke(app, list(map(str, words))).exit_code

    assert run("ingest", root, log, "--furniture", "keep") == 0
    assert run("ingest", root, script, "--as", "text") == 0
    assert (HEAD in stored_text(root, 1), stored_text(root, 2)) == (True, MARKUP)
    assert run("reingest", root, "--book", 1, "--furniture", "drop") == 0
    assert HEAD not in stored_text(root, 1)
    assert run("reingest", root, "--furniture", "burn") == 2


def test_another_way_of_reading_is_no_silence(script: Path, tmp_path: Path) -> None:
    """An ingest does not change how a stored book is read, and says what does; a folder is for new files."""
    world = cb.World.create(tmp_path / "world", settings=SETTINGS)
    world.ingest(script, as_format="text")
    assert world.ingest(script, as_format="text").state == "completed"
    assert world.ingest(script).state == "completed"
    with pytest.raises(errors.StateConflictError, match="reingest WORLD --book 1"):
        world.ingest(script, as_format="markdown")
    assert world.document(1).text == MARKUP
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "lamp.txt").write_text(MARKUP, encoding="utf-8", newline="")
    (folder / "new.txt").write_text("# New\n", encoding="utf-8", newline="")
    report = world.ingest(folder, as_format="markdown")
    assert [book.source_path for book in report.books] == ["new.txt"]
