"""A power cut at any step, on a disk that forgets all that was not synced.

A killed process does not test syncing, as the kernel still writes what it was given. So the steps
are followed on the worst disk that the rules allow: a file's data is durable only after its sync,
a folder's names only after the sync of the folder; or, the other way to lose, names are durable
at once and data that was not synced is empty. A writer that leaves a sync out, or has the order
wrong, fails here.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, record_of, without_index, write_books
from cleanbreak.storage.files import Files

OTHER = {"chunk_size": 60, "max_lookback": 30, "overlap_size": 0}
Tree = dict[str, bytes]


class ForgetfulDisk:
    """Follows a writer's steps by inode and knows what a power cut would leave after each."""

    def __init__(self, root: Path, *, eager_names: bool) -> None:
        self.root = root
        self.after_steps: list[tuple[tuple[str, str], Tree]] = []
        self._eager = eager_names
        self._data: dict[int, bytes] = {}
        self._names: dict[int, dict[str, tuple[int, bool]]] = {}
        self._last: tuple[str, Path] | None = None
        for path in (root, *root.rglob("*")):
            self._sync(path)

    def __call__(self, step: str, path: Path) -> None:
        """Called before a step is taken, when the one before is done."""
        self.settle()
        self._last = (step, path)

    def settle(self) -> None:
        """Take the last step into account."""
        if self._last is None:
            return
        step, path = self._last
        if step in ("sync", "sync_folder"):
            self._sync(path)
        elif step in ("write", "write_block"):
            self._data[path.stat().st_ino] = b""
        elif step == "make_folder":
            self._names[path.stat().st_ino] = {}
        self.after_steps.append(((step, path.name), dict(self._left("", self.root))))

    def _sync(self, path: Path) -> None:
        inode = path.stat().st_ino
        if path.is_dir():
            self._names[inode] = self._listing(path)
        else:
            self._data[inode] = path.read_bytes()

    @staticmethod
    def _listing(path: Path) -> dict[str, tuple[int, bool]]:
        return {entry.name: (entry.inode(), entry.is_dir()) for entry in os.scandir(path)}

    def _left(self, prefix: str, folder: Path | int) -> Iterator[tuple[str, bytes]]:
        """Paths and data that a power cut would leave."""
        if isinstance(folder, Path):
            names = self._listing(folder) if self._eager else self._names[folder.stat().st_ino]
        else:
            names = self._names.get(folder, {})
        for name, (inode, is_folder) in names.items():
            inside = folder / name if self._eager and isinstance(folder, Path) else inode
            if is_folder:
                yield from self._left(f"{prefix}{name}/", inside)
            else:
                yield f"{prefix}{name}", self._data.get(inode, b"")


@pytest.fixture(autouse=True)
def no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite does its own syncing, and the index is derived."""
    without_index(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as name:
        write_books(Path(name, "in"), sea=SEA[:300], hill="A hill. " * 12)
        yield Path(name)


def ingest(world: cb.World, folder: Path) -> None:
    world.ingest([folder / "in"])


def reingest(world: cb.World, folder: Path) -> None:
    world.reingest(settings=OTHER)


def remove(world: cb.World, folder: Path) -> None:
    world.remove(1, sources=True)


def put(tree: Tree, root: Path) -> None:
    """The disk as the power cut left it."""
    shutil.rmtree(root, ignore_errors=True)
    for name, data in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="folders are not synced there")
@pytest.mark.parametrize("eager_names", [False, True])
@pytest.mark.parametrize("work", [ingest, reingest, remove])
def test_a_power_cut_at_any_step(
    work: Callable[[cb.World, Path], None], eager_names: bool, folder: Path
) -> None:
    """What is left can be read as it is, and to continue gives the uninterrupted world."""
    root = folder / "world"
    world = cb.World.create(root, name="w", settings=SETTINGS)
    if work is not ingest:
        world.ingest([folder / "in"])
    old = record_of(root)
    disk = ForgetfulDisk(root, eager_names=eager_names)
    work(cb.World.open(root, files=Files(disk, group_size=3)), folder)
    disk.settle()
    new = record_of(root)
    left = folder / "left"
    put(disk.after_steps[-1][1], left)
    assert new == record_of(left), "what was acknowledged is durable"
    for where, tree in disk.after_steps:
        put(tree, left)
        after_cut = cb.World.open(left)
        problems = after_cut.verify().problems
        assert [p for p in problems if not p.code.endswith("_COPY_MISSING")] == [], where
        after_cut.resume()
        if record_of(left) != new:
            assert work is ingest or old == record_of(left), where
            work(after_cut, folder)
        assert new == record_of(left), where


def test_the_model_can_fail(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the sync of files the disk is left with empty ones, and the model says so."""
    monkeypatch.setattr(Files, "_sync", lambda *_: None)
    root = folder / "world"
    cb.World.create(root, name="w", settings=SETTINGS)
    disk = ForgetfulDisk(root, eager_names=True)
    cb.World.open(root, files=Files(disk)).ingest([folder / "in"])
    disk.settle()
    left = folder / "left"
    put(disk.after_steps[-1][1], left)
    assert (left / "books/book-0001/chunks/000001.json").stat().st_size == 0
