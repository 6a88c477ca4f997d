"""A full disk is called that, wherever it is met, and errors name the file that a person knows."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import Any

import filelock
import pytest

import cleanbreak as cb
from bookshelf import SETTINGS, write_books
from cleanbreak import errors
from cleanbreak.storage import files, lock
from cleanbreak.storage.files import Files, final_name
from cleanbreak.stores.fulltext import Index

NO_ROOM = [errno.ENOSPC, errno.EDQUOT] if hasattr(errno, "EDQUOT") else [errno.ENOSPC]


def refuse(number: int) -> Any:
    def step(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return step


@pytest.mark.parametrize("number", NO_ROOM)
def test_no_room_for_the_lock_is_a_full_disk(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was called a world that cannot be written to."""
    monkeypatch.setattr(filelock.FileLock, "acquire", refuse(number))
    with pytest.raises(errors.DiskFullError), lock.writing(tmp_path / "world.lock"):
        pass


def test_a_lock_that_may_not_be_made_is_another_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filelock.FileLock, "acquire", refuse(errno.EROFS))
    with pytest.raises(errors.WriteFailedError, match="reading"), lock.writing(tmp_path / "a.lock"):
        pass


@pytest.mark.parametrize(
    ("number", "code"), [*((n, "DISK_FULL") for n in NO_ROOM), (0, "WRITE_FAILED")]
)
def test_a_quota_that_sqlite_calls_an_error_of_the_disk_is_a_full_disk(
    number: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk itself is asked; if there is room, it is something else."""
    world = cb.World.create(tmp_path / "world", settings=SETTINGS)
    world.ingest(write_books(tmp_path / "in"))

    def fail(*_: object) -> None:
        if number:
            monkeypatch.setattr(files, "_write_all", refuse(number))
        raise errors.WriteFailedError("It failed.", sqlite_code=sqlite3.SQLITE_IOERR)

    monkeypatch.setattr(Index, "remove_source", fail)
    with pytest.raises(errors.StoreError) as caught:
        world.remove(1)
    assert caught.value.code == code
    assert not list((tmp_path / "world").glob(".cb-room*"))


@pytest.mark.parametrize("step", ["write", "replace"])
def test_errors_name_no_temporary_file(step: str, tmp_path: Path) -> None:
    """A person knows ``000150.json``, and not ``.cb-000150.json.tmp``."""

    def full(name: str, _: Path) -> None:
        if name == step:
            raise OSError(errno.ENOSPC, "")

    with pytest.raises(errors.DiskFullError) as caught:
        Files(full).write(tmp_path / "000150.json", b"{}")
    assert caught.value.details["name"] == "000150.json"


@pytest.mark.parametrize("step", ["write", "write_block"])
def test_errors_of_a_copy_name_the_copy(step: str, tmp_path: Path) -> None:
    def full(name: str, _: Path) -> None:
        if name == step:
            raise OSError(errno.ENOSPC, "")

    source = tmp_path / "in.txt"
    source.write_bytes(b"x")
    with pytest.raises(errors.DiskFullError) as caught:
        Files(full).copy(source, tmp_path / "book.txt", files.sha256_of(source))
    assert caught.value.details["name"] == "book.txt"


def test_a_name_that_only_looks_temporary_is_kept() -> None:
    assert final_name(Path("a/.cb-b")) == ".cb-b"
