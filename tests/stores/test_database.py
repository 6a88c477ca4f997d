"""The SQLite file: recognised, made again when outdated, shared, and never another program's."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cleanbreak.errors import (
    FormatTooNewError,
    IndexMalformedError,
    IndexMissingError,
    WorldLockedError,
    WriteFailedError,
)
from cleanbreak.stores.fulltext import Index, database
from cleanbreak.stores.fulltext.schema import APPLICATION_ID, FORMAT, STATEMENTS
from indexes import note


@pytest.fixture
def place(tmp_path):
    path = tmp_path / "index.sqlite"
    with Index.open(path) as index:
        index.replace_source(*note("a", "old words"))
    return path


def test_what_was_written_is_read_again(place):
    """By a reader, without writing."""
    with Index.open(place, readonly=True) as index:
        assert index.search("words", 5)[0].source.key == "a"


def test_the_file_says_whose_it_is(place):
    """Other programs tell our file by its application id and version."""
    connection = sqlite3.connect(place)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


@pytest.mark.parametrize("readonly", [False, True])
@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE theirs (x)", "PRAGMA application_id = 7", "PRAGMA user_version = 3"],
)
def test_another_programs_database_is_left_alone(tmp_path, statement, readonly):
    """Not one byte of it changes."""
    path = tmp_path / "theirs.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(IndexMalformedError):
        Index.open(path, readonly=readonly)
    assert before == path.read_bytes()


@pytest.mark.parametrize("readonly", [False, True])
def test_a_later_format_is_refused(place, readonly):
    """With the advice to upgrade, not a guess at what it means."""
    connection = sqlite3.connect(place)
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    with pytest.raises(FormatTooNewError) as caught:
        Index.open(place, readonly=readonly)
    assert caught.value.details["format"] == FORMAT + 1


@pytest.mark.parametrize("readonly", [False, True])
def test_a_file_that_is_no_database_is_refused(tmp_path, readonly):
    """Whatever it is, it is not overwritten."""
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir, " * 200)
    with pytest.raises(IndexMalformedError):
        Index.open(path, readonly=readonly)
    assert path.read_text().startswith("Dear Sir")


def test_a_damaged_index_is_told(place):
    """By a code, when the damage is met."""
    content = bytearray(place.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    place.write_bytes(content)
    with pytest.raises(IndexMalformedError), Index.open(place) as index:
        index.check()


def test_reading_what_is_not_there(tmp_path):
    """A reader makes no file."""
    with pytest.raises(IndexMissingError):
        Index.open(tmp_path / "none.sqlite", readonly=True)
    (tmp_path / "empty.sqlite").touch()
    with pytest.raises(IndexMissingError):
        Index.open(tmp_path / "empty.sqlite", readonly=True)
    assert [path.name for path in tmp_path.iterdir()] == ["empty.sqlite"]


def test_a_file_killed_while_it_was_made_is_made_again(tmp_path):
    """An empty file, or one that holds only a header, is no other program's."""
    path = tmp_path / "index.sqlite"
    path.touch()
    with Index.open(path) as index:
        assert index.counts() == (0, 0)


def test_a_folder_is_no_index(tmp_path):
    """SQLite cannot open it; the error is ours."""
    with pytest.raises(WriteFailedError):
        Index.open(tmp_path)


def test_readers_do_not_wait_for_a_writer(place):
    """They see the last finished transaction."""
    with Index.open(place) as writer, Index.open(place, readonly=True) as reader:
        with writer.transaction():
            writer.replace_source(*note("a", "new words"))
            assert reader.search("old", 5)
            assert not reader.search("new", 5)
        assert reader.search("new", 5)


_READ_AS_NOBODY = """
import os, sys, sqlite3, regex
from cleanbreak.stores.fulltext import Index
if os.geteuid() == 0:
    os.setuid(65534)
with Index.open(sys.argv[1], readonly=True) as index:
    print(index.search("words", 5)[0].source.key)
try:
    Index.open(sys.argv[1])
except Exception as error:
    print(error.code)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders are made read-only otherwise there")
def test_an_index_in_a_folder_that_may_not_be_written_is_read():
    """Though its journal needs a file beside it."""
    with TemporaryDirectory() as name:  # not tmp_path, which nobody else may look into
        folder = Path(name)
        place = folder / "index.sqlite"
        with Index.open(place) as index:
            index.replace_source(*note("a", "old words"))
        place.chmod(0o444)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", _READ_AS_NOBODY, str(place)], capture_output=True, text=True
        )
        folder.chmod(0o755)
    assert done.stdout.split() == ["a", "WRITE_FAILED"], done.stderr


def test_a_second_writer_is_told(place, monkeypatch):
    """After a wait, with the code of a locked world."""
    monkeypatch.setattr(database, "_WAITS_SECONDS", 0.01)
    with Index.open(place) as first, Index.open(place) as second:
        with first.transaction(), pytest.raises(WorldLockedError):
            second.remove_source("a")
        second.remove_source("a")


def test_names_with_odd_characters_are_only_names(tmp_path):
    """A path is given to SQLite as a URI, where these would mean something."""
    for name in ("a?mode=memory.sqlite", "50%.sqlite", "a#b.sqlite", "ä b.sqlite"):
        Index.open(tmp_path / name).close()
        assert (tmp_path / name).stat().st_size > 0


def test_errors_name_the_file_and_not_its_folder(tmp_path):
    """Messages end up in logs."""
    folder = tmp_path / "secret-folder"
    folder.mkdir()
    (folder / "x.sqlite").write_text("no database " * 99)
    with pytest.raises(IndexMalformedError) as caught:
        Index.open(folder / "x.sqlite")
    assert "x.sqlite" in caught.value.message
    assert "secret" not in caught.value.message + str(caught.value.details)


@pytest.fixture(params=["an earlier format", "other columns"])
def outdated(request, place):
    """An index of another version: its number, or the fields of its chunks, are others."""
    connection = sqlite3.connect(place)
    if request.param == "an earlier format":
        connection.execute(f"PRAGMA user_version = {FORMAT - 1}")
    else:
        connection.execute("ALTER TABLE chunks ADD COLUMN later TEXT")
    connection.commit()
    connection.close()
    return place


def test_an_outdated_index_is_emptied_by_a_writer(outdated):
    """What it holds is derived, so it is made again and needs no migration."""
    with Index.open(outdated) as index:
        assert index.sources() == {}
        index.replace_source(*note("a", "new words"))
        index.check()
    with Index.open(outdated, readonly=True) as index:
        assert index.search("new", 5)
        assert not index.search("old", 5)


def test_an_outdated_index_is_not_answered_from(outdated):
    """A reader says that it must be made again, and changes nothing."""
    before = outdated.read_bytes()
    with pytest.raises(IndexMalformedError, match="index again"):
        Index.open(outdated, readonly=True)
    assert before == outdated.read_bytes()


def test_an_outdated_index_is_whole_until_the_new_tables_are(outdated, monkeypatch):
    """The tables are exchanged in one transaction."""
    monkeypatch.setattr(database, "STATEMENTS", (*STATEMENTS[:3], "no statement"))
    with pytest.raises(IndexMalformedError):
        Index.open(outdated)
    connection = sqlite3.connect(outdated)
    assert connection.execute("SELECT chunk_text FROM chunks").fetchall() == [("old words",)]
    connection.close()
