"""Real disks: full, read-only, failing, and without power. What needs root is skipped without it."""

import contextlib
import errno
import os
import random
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, TOWN, record_of
from cleanbreak import errors
from cleanbreak.storage.files import Files
from cleanbreak.worlds import plan

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
CHILD = """
import sys
import cleanbreak as cb
from cleanbreak.storage.files import Files
world = cb.World.open(sys.argv[1], files=Files(group_size=int(sys.argv[2])))
world.resume()
world.ingest(sys.argv[3:])
"""


def mounted(folder: Path, *arguments: str) -> contextlib.AbstractContextManager[Path]:
    """Mount something, or skip where that is not allowed."""

    @contextlib.contextmanager
    def mounting() -> Iterator[Path]:
        folder.mkdir(parents=True, exist_ok=True)
        command = ["mount", *arguments, str(folder)]
        if not IS_ROOT or not shutil.which("mount"):
            pytest.skip("mounting needs root")
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            pytest.skip("mounting is not allowed here")
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=True)

    return mounting()


# --- full ----------------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On 2 MB: a clear error, the world still opens, and resume completes once there is room."""
    monkeypatch.setattr(plan, "check_room", lambda *_: None)  # another program fills it meanwhile
    book = tmp_path / "sea.txt"
    book.write_text(SEA * 500)
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=2m", "none") as disk:
        root = disk / "world"
        world = cb.World.create(root, settings=SETTINGS | {"chunk_size": 400})
        with pytest.raises(errors.DiskFullError) as caught:
            world.ingest(book)
        assert str(disk) not in str(caught.value)
        world = cb.World.open(root)
        assert [p for p in world.verify().problems if not p.code.endswith("MISSING")] == []
        assert list(root.rglob("*.tmp")) == []
        assert world.status().books[0].state != "complete"
        subprocess.run(["mount", "-o", "remount,size=40m", str(disk)], check=True)
        assert world.resume().state == "completed"
        assert world.verify().ok
        assert world.search("storm")


def test_a_batch_that_cannot_fit_is_refused_whole(tmp_path: Path) -> None:
    """20 MB on 5 MB: said before anything is written (case I16)."""
    book = tmp_path / "sea.txt"
    book.write_text(SEA * 40_000)
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=5m", "none") as disk:
        with pytest.raises(errors.DiskFullError, match="nothing was written"):
            cb.World.draft(disk / "world").ingest(book)
        assert list(disk.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of that kind there")
def test_a_limit_on_file_size_is_a_full_disk(tmp_path: Path) -> None:
    """RLIMIT_FSIZE stands for a full disk where nothing can be mounted."""
    book = tmp_path / "sea.txt"
    book.write_text(SEA * 50)
    root = tmp_path / "world"
    cb.World.create(root, settings=SETTINGS)
    limited = f"""
import resource, sys
import cleanbreak as cb
from cleanbreak.errors import DiskFullError
resource.setrlimit(resource.RLIMIT_FSIZE, ({book.stat().st_size - 1},) * 2)
try:
    cb.World.open(sys.argv[1]).ingest(sys.argv[2])
except DiskFullError as error:
    print(error.code)
"""
    done = subprocess.run(
        [sys.executable, "-c", limited, str(root), str(book)], capture_output=True, text=True
    )
    assert (done.stdout, done.stderr, done.returncode) == ("DISK_FULL\n", "", 0)
    world = cb.World.open(root)
    world.ingest(book)
    assert world.verify().ok


def test_short_writes_are_written_to_the_end(
    world: cb.World, root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that takes a few bytes at a time gets all of them."""
    from cleanbreak.storage import files

    write = os.write
    monkeypatch.setattr(files.os, "write", lambda to, data: write(to, bytes(data[:7])))
    world.reingest(settings=SETTINGS | {"chunk_size": 60})
    assert world.verify().ok


def test_a_file_system_that_does_not_sync_folders_is_used_all_the_same(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its names are as durable as it makes them; files are synced as ever."""
    from cleanbreak.storage import files

    fsync = os.fsync

    def refuse_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(files.os, "fsync", refuse_folders)
    cb.World.create(root, settings=SETTINGS).ingest(books)
    assert cb.World.open(root).verify().ok


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("fsync:error=EIO:when=9", "WRITE_FAILED"),
        ("fsync:error=ENOSPC:when=20", "DISK_FULL"),
        ("rename:error=EIO:when=5", "WRITE_FAILED"),
        ("mkdir:error=ENOSPC:when=3", "DISK_FULL"),
    ],
)
def test_a_failing_system_call_is_reported_and_survived(
    fault: str, code: str, root: Path, books: list[Path], tmp_path: Path
) -> None:
    """The kernel itself refuses, in the middle of a run."""
    cb.World.create(root, settings=SETTINGS)
    child = [sys.executable, "-m", "cleanbreak", "ingest", str(root), *map(str, books)]
    trace = ["strace", "-f", "-qq", "-o", str(tmp_path / "trace"), "-e", f"inject={fault}"]
    done = subprocess.run([*trace, *child], capture_output=True, text=True, check=False)
    if "ptrace" in done.stderr:
        pytest.skip("tracing is not allowed here")
    if "INJECTED" not in (tmp_path / "trace").read_text(errors="replace"):
        pytest.skip("this system makes no such call")
    assert (done.returncode, code in done.stderr) == (1, True), done.stderr
    assert "Traceback" not in done.stderr
    world = cb.World.open(root)
    world.resume()
    world.ingest(books)
    assert world.verify().ok


# --- read-only -----------------------------------------------------------------------------------


def test_a_read_only_world_reads_and_searches(
    world: cb.World, root: Path, tmp_path: Path, books: list[Path]
) -> None:
    """Nothing needs to be written to read; writing says what is the matter."""
    world.search("storm")
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=20m", "none") as disk:
        shutil.copytree(root, disk / "world")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        reader = cb.World.open(disk / "world")
        assert reader.search("storm")
        assert reader.verify().ok
        assert len(reader.status().books) == 3
        assert len(reader.plan(books).of("complete")) == 3
        for write in (reader.resume, reader.reindex, lambda: reader.remove(1)):
            with pytest.raises(errors.WriteFailedError):
                write()


@pytest.mark.skipif(IS_ROOT or os.name == "nt", reason="root may write everywhere")
def test_a_world_without_permission_to_write_reads_and_searches(
    world: cb.World, root: Path
) -> None:
    """The same where permissions forbid it."""
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        assert world.search("storm")
        assert world.verify().ok
        with pytest.raises(errors.WriteFailedError):
            world.remove(1)
    finally:
        for folder in folders:
            folder.chmod(0o755)


# --- killed --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")
def test_killed_at_random_moments(tmp_path: Path) -> None:
    """SIGKILL again and again over three books: nothing is lost, and in the end all is there.

    ``CLEANBREAK_KILLS=200`` makes it the long form.
    """
    rounds = int(os.environ.get("CLEANBREAK_KILLS", "8"))
    books = []
    for name, text in (("sea", SEA * 30), ("town", TOWN * 25), ("both", (SEA + TOWN) * 15)):
        books.append(tmp_path / f"{name}.txt")
        books[-1].write_text(text)
    start, root = tmp_path / "start", tmp_path / "world"
    cb.World.create(start, name="w", settings=SETTINGS)
    shutil.copytree(start, root)
    cb.World.open(root).ingest(books)
    whole = record_of(root)
    shutil.rmtree(root)
    shutil.copytree(start, root)
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    command = [sys.executable, "-c", CHILD, str(root), "16", *map(str, books)]
    completed = 0
    for _ in range(rounds):
        with subprocess.Popen(command) as child:
            # The interpreter needs a fifth of a second to start; a whole run somewhat over one.
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(0.2 + 1.3 * chance.random())
            child.kill()
        world = cb.World.open(root)
        problems = world.verify().problems
        assert [p for p in problems if not p.code.endswith(("_MISSING", "_BEHIND"))] == [], seed
        if record_of(root) == whole:
            completed += 1
            shutil.rmtree(root)
            shutil.copytree(start, root)
    world = cb.World.open(root)
    world.resume()
    world.ingest(books)
    assert whole == record_of(root), seed
    assert world.verify().ok


# --- no power ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("mkfs.ext4"), reason="no ext4 here")
def test_a_power_cut_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    """The image of an ext4 disk, copied right after a commit, holds all that was committed."""
    image, copy = tmp_path / "disk.img", tmp_path / "cut.img"
    with image.open("wb") as stream:
        stream.truncate(64 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True)
    book = tmp_path / "sea.txt"
    book.write_text(SEA * 40)
    acknowledged: list[int] = []

    def cut_power(progress: cb.worlds.RunProgress) -> None:
        acknowledged.append(progress.completed_chunks)
        if len(acknowledged) in (1, 4):
            shutil.copyfile(image, copy.with_suffix(f".{len(acknowledged)}"))

    with mounted(tmp_path / "disk", "-o", "loop", str(image)) as disk:
        world = cb.World.create(disk / "world", settings=SETTINGS, files=Files(group_size=64))
        world.ingest(book, on_progress=cut_power)
        expected = record_of(disk / "world")
    for cut in (1, 4):
        with mounted(tmp_path / "left", "-o", "loop", str(copy.with_suffix(f".{cut}"))) as left:
            after = cb.World.open(left / "world")
            status = after.status().books[0]
            assert status.completed_chunks >= acknowledged[cut - 1]
            assert after.verify().ok
            after.resume()
            assert expected == record_of(left / "world")
