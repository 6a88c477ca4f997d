"""Something else stands where a file or a folder of a world belongs."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import record_of
from cleanbreak import errors


def folder_for_file(name: str) -> Callable[[Path], None]:
    def put(root: Path) -> None:
        (root / name).unlink()
        (root / name).mkdir()
        (root / name / "stray").write_text("x")

    return put


def file_for_folder(name: str) -> Callable[[Path], None]:
    def put(root: Path) -> None:
        shutil.rmtree(root / name)
        (root / name).write_text("x")

    return put


@pytest.mark.parametrize(
    "put",
    [
        folder_for_file("books/book-0001/chunks/000003.json"),
        folder_for_file("books/book-0001/manifest.json"),
        folder_for_file("sources/book-0001/sea.txt"),
        folder_for_file("backups/book-0001/sea.txt"),
        file_for_folder("books/book-0001/chunks"),
        file_for_folder("books/book-0001"),
        file_for_folder("backups/book-0001"),
    ],
)
def test_what_stands_in_the_way_is_a_problem_and_is_repaired(
    put: Callable[[Path], None], world: cb.World, root: Path
) -> None:
    """A folder in the place of a chunk could not be repaired, and one of a manifest ended verify."""
    before = record_of(root)
    put(root)
    found = world.verify()
    assert {problem.book_number for problem in found.problems} <= {1, None}
    assert not found.ok
    repaired = world.verify(repair=True)
    assert repaired.ok, repaired.problems
    after = record_of(root)
    changed = {name for name in before if before[name] != after.get(name)}
    assert changed <= {"books/book-0001/manifest.json", "world.json"}  # warnings of the recovery


def test_a_link_to_nothing_is_no_place_for_a_world(tmp_path: Path, books: list[Path]) -> None:
    """It was called a file that exists."""
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(errors.WorldExistsError, match="does not exist"):
        cb.World.draft(link).ingest(books)
    with pytest.raises(errors.WorldMissingError):
        cb.World.open(link)


KILLED = """
import fcntl, os, subprocess, sys, time
from pathlib import Path
from cleanbreak.storage.lock import writing

with writing(Path(sys.argv[1])):
    for descriptor in range(3, 64):
        try:
            os.set_inheritable(descriptor, True)
        except OSError:
            pass
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(0.8)"], close_fds=False)
    os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="locks of other kernels are not inherited")
def test_a_lock_that_a_child_of_a_dead_holder_keeps_for_a_moment_is_waited_for(
    world: cb.World, root: Path
) -> None:
    """A kill between the start of a reader and its program left the world locked for an instant."""
    subprocess.run([sys.executable, "-c", KILLED, root / "world.lock"], check=False)
    began = time.monotonic()
    assert world.resume().state == "completed"
    assert time.monotonic() - began < 5
