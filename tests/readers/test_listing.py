"""Folders stand for the files in them that can be read."""

import errno
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cleanbreak.errors import (
    SourceMissingError,
    SourceUnreadableError,
    SourceUnsupportedError,
)
from cleanbreak.readers.listing import expand, list_files, say_skipped


def test_folders_are_replaced_by_the_readable_files_in_them(tmp_path: Path) -> None:
    """Below them too, sorted; what is named stays in its place."""
    folder = tmp_path / "books"
    folder.mkdir()
    for name in ("c.TXT", "b.pdf", "a.jpg", "no extension", "inner/d.epub"):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"x")
    (folder / "a folder.md").mkdir()
    named = tmp_path / "named.jpg"
    found = expand([named, folder, tmp_path / "missing.txt"])
    assert found == [
        named,
        folder / "b.pdf",
        folder / "c.TXT",
        folder / "inner" / "d.epub",
        tmp_path / "missing.txt",
    ]


def test_folder_without_a_readable_file_is_refused(tmp_path: Path) -> None:
    """By its name; a batch of nothing would look like success."""
    (tmp_path / "a.jpg").write_bytes(b"x")
    with pytest.raises(SourceMissingError) as caught:
        expand([tmp_path])
    assert caught.value.details == {"name": tmp_path.name}
    assert str(tmp_path.parent) not in str(caught.value)


def test_name_that_is_too_long_is_left_to_the_reader() -> None:
    """Which says what is wrong with it."""
    path = Path("x" * 5000)
    assert expand([path]) == [path]


def test_files_of_other_kinds_are_counted_and_not_forgotten(tmp_path: Path) -> None:
    """A person must not believe that the Kindle book is in."""
    for name in ("a.txt", "b.mobi", "in/c.MOBI", "cover.jpg", "README"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"x")
    listing = list_files([tmp_path])
    assert listing.skipped == {".mobi": 2, ".jpg": 1, "": 1}
    assert [file.relative for file in listing.files] == ["a.txt"]


def test_hidden_and_system_files_are_left_out(tmp_path: Path) -> None:
    """They are no books of anybody; one that is named itself is read."""
    for name in ("a.txt", ".git/b.txt", "__MACOSX/c.txt", "._a.txt", ".DS_Store", "in/.venv/d.txt"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_bytes(b"x")
    listing = list_files([tmp_path, tmp_path / ".git" / "b.txt"])
    assert [file.relative for file in listing.files] == ["a.txt", "b.txt"]
    assert not listing.skipped


def test_a_folder_that_may_not_be_listed_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies in it vanished without a word; the rest is listed."""
    for name in ("a.txt", "locked/b.txt"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"x")
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).endswith("locked"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    listing = list_files([tmp_path])
    assert [file.relative for file in listing.files] == ["a.txt"]
    assert [error.details for error in listing.unreadable] == [{"name": "locked"}]
    assert str(tmp_path) not in listing.unreadable[0].message
    with pytest.raises(SourceUnreadableError):
        expand([tmp_path])


def test_worlds_are_left_out_of_a_folder(tmp_path: Path) -> None:
    """A world holds two copies of every book, and none of them is a new one."""
    for name in ("a.txt", "world/world.json", "world/sources/book-0001/a.txt"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_bytes(b"{}")
    assert expand([tmp_path]) == [tmp_path / "a.txt"]
    with pytest.raises(SourceUnsupportedError, match="is a world"):
        expand([tmp_path / "world"])


def test_each_skipped_kind_has_its_reason() -> None:
    """A log could be read, a Kindle book after a conversion, a picture never."""
    said = say_skipped(Counter({".jpg": 1, ".log": 2, ".csv": 1, ".mobi": 1}))
    assert said == (
        "1 file skipped, as it is of a kind that is not read: 1 .jpg; "
        "1 file skipped, as Calibre's ebook-convert must first make EPUBs of Kindle books: 1 .mobi; "
        "3 files skipped, as code, tables and logs are only read if they are named: 2 .log, 1 .csv"
    )
