"""Slips that people made on the command line, and what they are told; one test a slip."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import cleanbreak as cb
from bookshelf import HILL, SEA, write_books
from cleanbreak.cli.app import app


def run(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A world with a sea and a hill."""
    cb.World.create(tmp_path / "shelf").ingest(write_books(tmp_path / "in", sea=SEA, hill=HILL))
    return tmp_path / "shelf"


def test_an_output_that_is_a_database_of_the_user_keeps_its_tables(tmp_path: Path) -> None:
    (book,) = write_books(tmp_path, sea=SEA)
    with closing(sqlite3.connect(tmp_path / "mine.db")) as connection:
        connection.execute("CREATE TABLE diary (x)")
    for command in (("split", book, "-o"), ("split", book, "-o")):
        assert run(*command, tmp_path / "mine.db").exit_code == 0
    with closing(sqlite3.connect(tmp_path / "mine.db")) as connection:
        assert connection.execute("SELECT count(*) FROM diary").fetchone() == (0,)


@pytest.mark.parametrize("command", ["split", "ingest", "dry run"])
def test_files_that_are_not_read_are_counted_on_standard_error(
    command: str, tmp_path: Path
) -> None:
    (book,) = write_books(tmp_path / "in", sea=SEA)
    book.with_name("book.mobi").write_bytes(b"x")
    words: list[object] = ["split", book.parent]
    if command != "split":
        words = ["ingest", tmp_path / "w", book.parent]
    done = run(*words, *(["--dry-run"] if command == "dry run" else []))
    assert (done.exit_code, "1 .mobi" in done.stderr) == (0, True)


def test_two_files_of_one_name_stop_no_ingest(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write_books(tmp_path / "dup" / folder, notes=f"Notes of {folder}.")
    done = run("ingest", tmp_path / "w", tmp_path / "dup")
    assert done.exit_code == 0
    assert ("a/notes.txt" in done.stdout, "b/notes.txt" in done.stdout) == (True, True)


def test_equal_files_are_said_once(tmp_path: Path) -> None:
    write_books(tmp_path / "in", one=SEA, two=SEA)
    done = run("ingest", tmp_path / "w", tmp_path / "in")
    assert done.stderr.count("two.txt") == 1
    assert "its content is that of one.txt" in done.stderr
    assert json.loads(run("ingest", tmp_path / "w", tmp_path / "in", "--json").stdout)[
        "same_content"
    ] == {"two.txt": "one.txt"}


@pytest.mark.parametrize("command", ["split", "export"])
@pytest.mark.parametrize("target", ["nodir/x.jsonl", "s3://bucket/x.jsonl"])
def test_an_output_that_cannot_be_says_why_and_nothing_of_resume(
    command: str, target: str, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shelf.parent)
    words = (
        ("split", "in/sea.txt", "-o", target) if command == "split" else (command, shelf, target)
    )
    done = run(*words)
    assert done.exit_code == 1
    assert ("network" if "s3" in target else "folder does not exist") in done.stderr
    assert "resume" not in done.stderr


@pytest.mark.parametrize("command", [("search",), ("status",), ("verify",), ("ingest",)])
def test_a_world_without_its_record_is_called_damaged(
    command: tuple[str, ...], shelf: Path
) -> None:
    (shelf / "world.json").unlink()
    done = run(
        *command,
        shelf,
        *(["storm"] if command == ("search",) else []),
        *([shelf.parent / "in"] if command == ("ingest",) else []),
    )
    assert (done.exit_code, "WORLD_MALFORMED" in done.stderr) == (1, True)


def test_a_removed_book_is_not_undone_by_a_nightly_ingest(shelf: Path) -> None:
    run("remove", shelf, 1)
    for _ in range(2):
        assert run("ingest", shelf, shelf.parent / "in").exit_code == 0
    states = [book["state"] for book in json.loads(run("status", shelf, "--json").stdout)["books"]]
    assert states == ["removed", "complete"]


def test_the_current_folder_has_a_name_in_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    write_books(tmp_path / "here", sea=SEA)
    monkeypatch.chdir(tmp_path / "here")
    for words in (("ingest", ".", "sea.txt"), ("status", "."), ("split", "sea.txt", "-o", ".")):
        done = run(*words)
        assert done.exit_code in (1, 2)
        assert "'here'" in done.stderr, words


def test_a_book_in_the_place_of_the_world_is_noticed(tmp_path: Path) -> None:
    (book,) = write_books(tmp_path, sea=SEA)
    assert "name the folder of the world first" in run("ingest", book, tmp_path / "w").stderr


def test_a_name_for_a_world_that_has_one_is_not_ignored(shelf: Path) -> None:
    done = run("ingest", shelf, shelf.parent / "in", "--name", "Other")
    assert (done.exit_code, "cleanbreak rename" in done.stderr) == (2, True)
    assert run("ingest", shelf, shelf.parent / "in", "--name", "shelf").exit_code == 0


@pytest.mark.parametrize(
    ("typed", "meant"), [("list", "books"), ("add", "ingest"), ("rm", "remove")]
)
def test_the_words_of_other_programs_lead_to_ours(typed: str, meant: str) -> None:
    done = run(typed, "x")
    assert (done.exit_code, f"Did you mean '{meant}'?" in done.stderr) == (2, True)


def test_a_replacement_that_is_not_there_is_no_new_book(shelf: Path) -> None:
    done = run("reingest", shelf, shelf.parent / "nofile.txt")
    assert (done.exit_code, "SOURCE_MISSING" in done.stderr) == (1, True)


@pytest.mark.parametrize("words", [("storm", "-hill"), ("-hill", "storm")])
def test_a_word_that_may_not_be_found_is_no_option(words: tuple[str, ...], shelf: Path) -> None:
    done = run("search", shelf, *words)
    assert (done.exit_code, "sea.txt" in done.stdout) == (0, True)


def test_a_world_that_was_copied_is_searched(shelf: Path, tmp_path: Path) -> None:
    """And the number of a hit is that of the copy's own search."""
    shutil.copytree(shelf, tmp_path / "copy")
    assert "sea.txt" in run("search", tmp_path / "copy", "storm").stdout
    assert run("show", shelf, 1).exit_code == 2
