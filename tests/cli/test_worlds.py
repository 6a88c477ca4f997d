"""The commands on worlds, as a person and a program use them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import cleanbreak as cb
from bookshelf import SEA, write_books
from cleanbreak.cli.app import app
from cleanbreak.cli.worlds import COMMANDS
from cleanbreak.readers import PASSWORD_VARIABLE


def cleanbreak(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture
def books(tmp_path: Path) -> list[Path]:
    return write_books(tmp_path / "in")


@pytest.fixture
def shelf(tmp_path: Path, books: list[Path]) -> Path:
    folder = tmp_path / "shelf"
    assert cleanbreak("ingest", folder, *books, "--chunk-size", 50).exit_code == 0
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: object) -> None:
    name = command.__name__
    done = cleanbreak(name, "--help")
    assert done.exit_code == 0
    assert f"cleanbreak {name}" in done.output


def test_ingest_creates_appends_and_says_when_there_is_nothing_to_do(
    tmp_path: Path, books: list[Path]
) -> None:
    first = cleanbreak("ingest", tmp_path / "w", books[0], "--chunk-size", 50)
    assert (first.exit_code, "book 1: sea.txt" in first.output) == (0, True)
    second = cleanbreak("ingest", tmp_path / "w", *books)
    assert "book 3: town.txt" in second.output
    assert "book 1" not in second.output
    third = cleanbreak("ingest", tmp_path / "w", *books)
    assert (third.exit_code, third.output) == (0, "nothing to do: every book is complete\n")
    assert cb.World.open(tmp_path / "w").settings.settings["chunk_size"] == 50


def test_dry_run_shows_the_plan_and_writes_nothing(tmp_path: Path, books: list[Path]) -> None:
    done = cleanbreak("ingest", tmp_path / "w", *books, "--dry-run", "--json")
    plan = json.loads(done.stdout)
    assert [source["action"] for source in plan["sources"]] == ["new"] * 3
    assert "hill.txt" in cleanbreak("ingest", tmp_path / "w", *books, "--dry-run").output
    assert not (tmp_path / "w").exists()


def test_conflicts_and_bad_sources_exit_1(shelf: Path, books: list[Path], tmp_path: Path) -> None:
    books[0].write_text("other")
    conflict = cleanbreak("ingest", shelf, books[0])
    assert (conflict.exit_code, "STATE_CONFLICT" in conflict.stderr) == (1, True)
    (blank,) = write_books(tmp_path / "more", blank=" ")
    assert cleanbreak("ingest", shelf, blank).exit_code == 1
    partly = cleanbreak("ingest", shelf, blank, *write_books(tmp_path / "more", new="New."))
    assert (partly.exit_code, "SOURCE_EMPTY" in partly.stderr) == (1, True)
    assert "book 4: new.txt" in partly.stdout


def test_wrong_settings_exit_2(tmp_path: Path, books: list[Path]) -> None:
    done = cleanbreak("ingest", tmp_path / "w", books[0], "--chunk-size", 0)
    assert (done.exit_code, "--chunk-size is 0" in done.stderr) == (2, True)
    assert not (tmp_path / "w").exists()


def test_status_is_a_table_and_json(shelf: Path) -> None:
    table = cleanbreak("status", shelf).stdout
    assert all(word in table for word in ("sea.txt", "complete", "3 books", "stages: chunks"))
    status = json.loads(cleanbreak("status", shelf, "--json").stdout)
    assert [book["book_number"] for book in status["books"]] == [1, 2, 3]
    assert sum(book["total_chunks"] for book in status["books"]) == status["chunks"]
    assert status["size"] > len(SEA)
    assert status["run"]["state"] == "completed"


def test_verify_finds_and_repairs(shelf: Path) -> None:
    (shelf / "books/book-0001/chunks/000002.json").unlink()
    found = cleanbreak("verify", shelf)
    assert (found.exit_code, "CHUNK_LOST" in found.stdout) == (1, True)
    assert cleanbreak("verify", shelf, "--repair").exit_code == 0
    report = json.loads(cleanbreak("verify", shelf, "--json").stdout)
    assert (report["ok"], report["problems"], report["books"]) == (True, [], 3)


def test_a_book_that_cannot_be_restored_can_be_removed(shelf: Path) -> None:
    """The error says how, and afterwards the world has no problem."""
    for kind in ("sources", "backups"):
        (shelf / kind / "book-0002/hill.txt").unlink()
    (shelf / "books/book-0002/chunks/000001.json").unlink()
    done = cleanbreak("resume", shelf)
    assert (done.exit_code, "SOURCE_MISSING" in done.stderr) == (1, True)
    assert "remove WORLD 2 --sources" in done.stderr
    assert cleanbreak("remove", shelf, 2, "--sources").exit_code == 0
    assert cleanbreak("resume", shelf).exit_code == 0
    assert cleanbreak("verify", shelf).exit_code == 0


def test_reingest_remove_and_reindex(shelf: Path) -> None:
    assert cleanbreak("reingest", shelf, "--chunk-size", 70).exit_code == 0
    assert cb.World.open(shelf).settings.settings["chunk_size"] == 70
    assert cleanbreak("remove", shelf, 2).exit_code == 0
    assert json.loads(cleanbreak("reindex", shelf, "--json").stdout) == {"books": 2}
    assert "nothing to do" in cleanbreak("resume", shelf).stdout


def test_options_change_the_settings_that_are_named_and_no_others(
    shelf: Path, books: list[Path]
) -> None:
    """A world keeps its splitter and what is not named; an ingest may repeat the locked settings."""
    assert cleanbreak("reingest", shelf, "--overlap", 7).exit_code == 0
    settings = cb.World.open(shelf).settings.settings
    assert (settings["chunk_size"], settings["overlap_size"]) == (50, 7)
    assert cleanbreak("ingest", shelf, *books, "--chunk-size", 50).exit_code == 0
    assert cleanbreak("ingest", shelf, *books, "--chunk-size", 51).exit_code == 1
    assert cleanbreak("ingest", shelf, *books, "--by", "markdown").exit_code == 1
    assert (
        cleanbreak(
            "reingest", shelf, "--by", "tokens", "--max-tokens", 9, "--measure", "words"
        ).exit_code
        == 0
    )
    assert cleanbreak("reingest", shelf, "--max-tokens", 12).exit_code == 0
    recipe = cb.World.open(shelf).settings
    assert (recipe.splitter, recipe.settings["max_tokens"]) == ("tokens", 12)


def test_no_world_exits_1(tmp_path: Path) -> None:
    for command in ("status", "resume", "verify", "reindex", "reingest"):
        done = cleanbreak(command, tmp_path / "none")
        assert (done.exit_code, "WORLD_MISSING" in done.stderr) == (1, True)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_pauses_the_run_and_exits_130(number: signal.Signals, tmp_path: Path) -> None:
    """The current group is finished; resume does the rest."""
    book = tmp_path / "book.txt"
    book.write_text(SEA * 800)
    world = tmp_path / "w"
    command = [sys.executable, "-m", "cleanbreak", "ingest", str(world), str(book)]
    with subprocess.Popen(
        [*command, "--chunk-size", "40"], stderr=subprocess.PIPE, text=True
    ) as run:
        chunks = world / "books/book-0001/chunks"
        while run.poll() is None and not (chunks.is_dir() and any(chunks.glob("0*.json"))):
            time.sleep(0.01)
        run.send_signal(number)
        _, said = run.communicate()
    assert (run.returncode, "RUN_INTERRUPTED" in said) == (130, True)
    status = cb.World.open(world).status()
    assert status.run
    assert status.run.state == "paused"
    assert 0 < status.books[0].completed_chunks < (status.books[0].total_chunks or 0)
    assert cb.World.open(world).verify().ok


@pytest.mark.parametrize("command", ["ingest", "resume", "reingest"])
def test_a_password_reaches_the_readers_and_is_not_stored(
    command: str, shelf: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, "another")  # and so put back afterwards
    files = books if command == "ingest" else []
    assert cleanbreak(command, shelf, *files, "--password", "billy goat").exit_code == 0
    assert os.environ[PASSWORD_VARIABLE] == "billy goat"
    assert not any(b"billy" in file.read_bytes() for file in shelf.rglob("*") if file.is_file())


def test_one_book_is_not_books(tmp_path: Path) -> None:
    (tmp_path / "sea.txt").write_text("The sea.", encoding="utf-8")
    done = cleanbreak("ingest", tmp_path / "shelf", tmp_path / "sea.txt")
    assert "1 chunk (1 written)" in done.stdout
    assert "1 book, 1 chunk checked" in cleanbreak("verify", tmp_path / "shelf").stdout
