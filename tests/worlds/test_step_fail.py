"""A crash at any step loses nothing: every step is made to fail, once by error, once by death.

The method is SQLite's: fail at step N for N = 1, 2, 3 … until a run completes. After each failure
a reader sees the old or the new state whole, and to continue gives the world that was never
interrupted, byte for byte except the ids and times of runs.
"""

import errno
import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, record_of, without_index, write_books
from cleanbreak import errors
from cleanbreak.storage import files
from cleanbreak.storage.files import Files
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.records import load_manifest
from cleanbreak.worlds.stages.chunk_files import proved_chain

Work = Callable[[cb.World, Path], object]
OTHER = {"chunk_size": 60, "max_lookback": 30, "overlap_size": 0}


def ingest(world: cb.World, folder: Path) -> None:
    world.ingest([folder / "in" / "hill.txt", folder / "in" / "sea.txt"])


def append(world: cb.World, folder: Path) -> None:
    world.ingest([folder / "in" / "town.txt"])


def reingest(world: cb.World, folder: Path) -> None:
    world.reingest(settings=OTHER)


def replace(world: cb.World, folder: Path) -> None:
    world.reingest(replace=[folder / "new" / "sea.txt"])


def remove(world: cb.World, folder: Path) -> None:
    world.remove(1)


def remove_with_sources(world: cb.World, folder: Path) -> None:
    world.remove(2, sources=True)


# What is in the world before, and what is then done to it.
CASES: dict[str, tuple[list[Work], Work]] = {
    "ingest": ([], ingest),
    "append": ([ingest], append),
    "reingest": ([ingest], reingest),
    "replace": ([ingest], replace),
    "remove": ([ingest], remove),
    "remove_with_sources": ([ingest], remove_with_sources),
}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No syncing and no index: a killed process tests neither, and both are tested elsewhere."""
    monkeypatch.setattr(files.os, "fsync", lambda _: None)
    without_index(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Books, in memory where the system offers that: thousands of worlds are copied here."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as name:
        yield _with_books(Path(name))


def _with_books(tmp_path: Path) -> Path:
    write_books(tmp_path / "in", sea=SEA[:300], hill="A hill. " * 12, town="A town. " * 20)
    write_books(tmp_path / "new", sea=SEA[100:420])
    return tmp_path


class Steps:
    """Numbers the steps and does `at_limit` at the one numbered `limit`, or from there on."""

    def __init__(
        self, limit: int | None, at_limit: Callable[[], None], *, for_good: bool = False
    ) -> None:
        self.taken: list[tuple[str, str]] = []
        self._limit, self._at_limit, self._for_good = limit, at_limit, for_good

    def __call__(self, step: str, path: Path) -> None:
        self.taken.append((step, path.name))
        at = len(self.taken)
        if at == self._limit or (self._for_good and self._limit and at > self._limit):
            self._at_limit()


def fail() -> None:
    raise OSError(errno.EIO, "injected")


def fail_for_good() -> None:
    raise OSError(errno.EIO, "injected, as all later ones")


def die() -> None:
    os._exit(9)


def prepared(folder: Path, before: list[Work]) -> Path:
    """A world in which `before` was done."""
    start = folder / "start"
    world = cb.World.create(start, name="w", settings=SETTINGS)
    for work in before:
        work(world, folder)
    return start


def run(root: Path, folder: Path, work: Work, steps: Steps) -> None:
    work(cb.World.open(root, files=Files(steps, group_size=3)), folder)


def finished(root: Path, folder: Path, work: Work) -> dict[str, bytes]:
    """The record after a person continued: resume, then ask again for what was wanted."""
    world = cb.World.open(root)
    world.resume()
    again = record_of(root)
    if work in (ingest, append):
        work(world, folder)
    return record_of(root) if work in (ingest, append) else again


def assert_readable_whole(root: Path, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Without mending anything: nothing is damaged, and each book is wholly old or wholly new."""
    world = cb.World.open(root)
    report = world.verify()
    assert tuple(p for p in report.problems if not p.code.endswith("_MISSING")) == ()
    layout = Layout(root)
    recipes = set()
    for number in layout.book_numbers():
        manifest = load_manifest(layout.book(number))
        if manifest and f"books/book-{number:04d}/manifest.json" in old:
            assert manifest.complete
            assert manifest.chunks_sha256 == proved_chain(
                layout.book(number), manifest.total_chunks
            )
            recipes.add(str(manifest.settings))
    assert len(recipes) <= 1
    assert recipes <= {str(world.settings.as_dict())}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("how", [fail, fail_for_good, pytest.param(die, marks=pytest.mark.slow)])
def test_any_step_may_fail(case: str, how: Callable[[], None], folder: Path) -> None:
    """Fail at step 1, 2, 3 …; the docstring of this file says what must hold."""
    if how is die and not hasattr(os, "fork"):
        pytest.skip("no fork here")
    before, work = CASES[case]
    start = prepared(folder, before)
    old = record_of(start)
    root = folder / "world"
    shutil.copytree(start, root)
    whole = Steps(None, fail)
    run(root, folder, work, whole)
    new = record_of(root)
    assert len(whole.taken) > 2
    for limit in range(1, len(whole.taken) + 1):
        shutil.rmtree(root)
        shutil.copytree(start, root)
        if how is not die:
            steps = Steps(limit, how, for_good=how is fail_for_good)
            with pytest.raises(errors.StoreError) as caught:
                run(root, folder, work, steps)
            assert caught.value.code == "WRITE_FAILED", whole.taken[limit - 1]
        else:
            assert _exit_code_of(run, root, folder, work, Steps(limit, die)) == 9
        where = (limit, whole.taken[limit - 1])
        assert_readable_whole(root, old, new)
        after = finished(root, folder, work)
        if after != new:
            assert old == after, where
            work(cb.World.open(root), folder)
            assert new == record_of(root), where
        assert cb.World.open(root).verify().ok, where


def _exit_code_of(work: Callable[..., None], *arguments: object) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child only writes and dies
        child = os.fork()
    if child == 0:
        try:
            work(*arguments)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.slow
@pytest.mark.parametrize("case", ["reingest", "replace", "remove", "remove_with_sources"])
def test_recovery_may_fail_at_any_step_too(case: str, folder: Path) -> None:
    """Stopped after the commit, and stopped again wherever the next writer mends what was left."""
    before, work = CASES[case]
    start = prepared(folder, before)
    root, crashed = folder / "world", folder / "crashed"
    shutil.copytree(start, root)
    whole = Steps(None, fail)
    run(root, folder, work, whole)
    new = record_of(root)
    committed = 0
    for limit in range(max(1, len(whole.taken) - 6), len(whole.taken) + 1):
        shutil.rmtree(crashed, ignore_errors=True)
        shutil.copytree(start, crashed)
        with pytest.raises(errors.StoreError):
            run(crashed, folder, work, Steps(limit, fail))
        shutil.rmtree(root)
        shutil.copytree(crashed, root)
        if finished(root, folder, work) != new:
            continue  # stopped before the commit, which the test above looks at
        committed += 1
        for again in range(1, 1000):
            shutil.rmtree(root)
            shutil.copytree(crashed, root)
            try:
                cb.World.open(root, files=Files(Steps(again, fail), group_size=3)).resume()
            except errors.StoreError:
                assert cb.World.open(root).verify().problems == ()
                cb.World.open(root).resume()
                assert new == record_of(root), (limit, again)
            else:
                break
        assert new == record_of(root)
    assert committed
