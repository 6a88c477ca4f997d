"""Law 8 on the disk: nothing outside the world ever holds text of a source or a folder's path."""

import json
import logging
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cleanbreak as cb
from bookshelf import SEA, SETTINGS
from cleanbreak import errors
from cleanbreak.cli.app import app

SENTENCE = "The marmalade heist was planned by Ottilie."
FOLDER = "secret-folder-7319"
SECRETS = (SENTENCE, "marmalade", "Ottilie", FOLDER)


def assert_silent(*outputs: str) -> None:
    for output in outputs:
        for secret in SECRETS:
            assert secret not in output


def test_commands_print_no_text_and_no_folder(tmp_path: Path) -> None:
    """Of every command on a world but search, in good times and bad, as text and as JSON."""
    folder = tmp_path / FOLDER
    folder.mkdir()
    book, other = folder / "book.txt", folder / "other.txt"
    book.write_text(SEA + SENTENCE + SEA)
    other.write_text("A" + SENTENCE * 40)
    (folder / "blank.txt").write_text(" ")
    (folder / "bad.txt").write_bytes(b"\xff\xfe\x00\xd8" + SENTENCE.encode())
    world = folder / "world"
    chunk = world / "books/book-0001/chunks/000003.json"

    def spoil() -> None:
        chunk.write_bytes(chunk.read_bytes()[:-9])

    def change() -> None:
        book.write_text(SENTENCE * 20)

    def lose() -> None:
        shutil.rmtree(world / "sources")
        shutil.rmtree(world / "backups/book-0001")
        spoil()

    def corrupt() -> None:
        (world / "world.json").write_text("{" + SENTENCE)

    steps: list[object] = [
        ("ingest", world, book, "--chunk-size", "100"),
        ("ingest", world, book, other, "--dry-run"),
        ("ingest", world, book, other, folder / "blank.txt", folder / "bad.txt"),
        ("ingest", world, folder / "missing.txt"),
        ("ingest", world, folder),
        ("status", world),
        spoil,
        ("verify", world),
        ("verify", world, "--repair"),
        ("reingest", world, "--chunk-size", "50"),
        change,
        ("ingest", world, book),
        ("reingest", world, book),
        ("remove", world, "2"),
        ("reindex", world),
        lose,
        ("resume", world),
        ("reingest", world),
        corrupt,
        ("status", world),
        ("ingest", world, book),
        ("status", folder / "none"),
    ]
    for step in steps:
        if callable(step):
            step()
            continue
        assert isinstance(step, tuple)
        for extra in ((), ("--json",)):
            done = CliRunner().invoke(app, [*map(str, step), *extra])
            assert done.exit_code in (0, 1), done.output
            assert_silent(done.stdout, done.stderr)


def test_logs_and_errors_hold_no_text_and_no_folder(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With every message of every level on, and the traceback of every error."""
    caplog.set_level(logging.DEBUG)
    folder = tmp_path / FOLDER
    folder.mkdir()
    book = folder / "book.txt"
    book.write_text(SEA + SENTENCE + SEA)
    world = cb.World.create(folder / "world", settings=SETTINGS)
    world.ingest(book)
    (folder / "world/books/book-0001/chunks/000002.json").write_text(SENTENCE)
    report = world.verify()
    assert not report.ok
    said = [repr(report), json.dumps(report.as_dict()), repr(world.plan(book)), repr(world)]
    world.resume()
    said.append(repr(world.status()))
    book.write_text(SENTENCE)
    for use in (
        lambda: world.ingest(book),
        lambda: world.ingest(folder / "missing.txt"),
        lambda: cb.World.open(folder / "nothing"),
        lambda: cb.World.create(folder / "world"),
    ):
        with pytest.raises(errors.CleanbreakError) as caught:
            use()
        said += [str(caught.value), repr(caught.value), json.dumps(caught.value.as_dict())]
    assert_silent(caplog.text, *said)


def test_write_errors_name_the_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the context of the error, which tracebacks show, keeps the path."""
    from cleanbreak.storage import files

    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device", str(tmp_path / FOLDER / "x"))

    book = tmp_path / "book.txt"
    book.write_text(SENTENCE)
    world = cb.World.create(tmp_path / FOLDER, settings=SETTINGS)
    monkeypatch.setattr(files.os, "write", refuse)
    with pytest.raises(errors.DiskFullError) as caught:
        world.ingest(book)
    assert_silent(str(caught.value), json.dumps(caught.value.as_dict()))
    assert caught.value.__suppress_context__
