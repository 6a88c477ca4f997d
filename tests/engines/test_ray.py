"""A corpus cut on a cluster of Ray: the rows of one machine, whatever dies."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import cleanbreak as cb

ray = pytest.importorskip("ray", reason="the extra ray is not installed")

from ray.cluster_utils import Cluster  # noqa: E402

from cleanbreak.engines.files import LocalFile  # noqa: E402
from cleanbreak.engines.ray import do_on_cluster, split_dataset  # noqa: E402
from cleanbreak.engines.shards import (  # noqa: E402
    EncodeJob,
    in_processes,
    split_to_shards,
)
from cleanbreak.export.shard_folder import ShardFolder  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    # Of Ray's own threads and of pandas, which it uses.
    pytest.mark.filterwarnings("ignore"),
]

SPLITTER = cb.BoundarySplitter(200, 50, 0)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    """Forty books, one of which is damaged."""
    folder = tmp_path_factory.mktemp("ray") / "shelf"
    folder.mkdir()
    for number in range(40):
        text = f"Book {number}. " + "The sea was calm. Then it rose. " * (200 + number)
        (folder / f"{number:02}.txt").write_text(text, encoding="utf-8")
    (folder / "bad.pdf").write_bytes(b"no PDF")
    return folder


@pytest.fixture(scope="module")
def cluster():
    """Two nodes on this machine."""
    small = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
    nodes = Cluster(initialize_head=True, head_node_args=small)
    second = nodes.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    os.environ["RAY_TRAIN_ENABLE_STATE_TRACKING"] = "0"
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes, second
    ray.shutdown()
    nodes.shutdown()


def rows(dataset) -> list[dict[str, object]]:
    """The rows of a dataset in the order of sources and chunks."""
    return sorted(dataset.take_all(), key=lambda row: (row["source_path"], row["chunk_number"]))


def expected(shelf: Path) -> list[dict[str, object]]:
    """The rows that one machine makes of the same files."""
    import pyarrow as pa

    job = EncodeJob(SPLITTER, "parquet", {})
    found = []
    for path in sorted(shelf.glob("*.txt")):
        encoded = job(LocalFile(path, path.name))
        found += pa.ipc.open_stream(encoded.data).read_all().to_pylist()
    return found


def test_the_rows_are_those_of_one_machine(cluster, shelf):
    """And a source that cannot be read is a row of the errors."""
    cut = split_dataset(shelf, SPLITTER, actors=2)
    assert rows(cut.chunks) == expected(shelf)
    [error] = cut.errors.take_all()
    assert (error["source_path"], error["error_code"]) == ("bad.pdf", "SOURCE_MALFORMED")


def test_a_dataset_of_paths_is_cut(cluster, shelf):
    """As another step of a pipeline gives it."""
    paths = ray.data.from_items([{"path": str(path)} for path in sorted(shelf.glob("0*.txt"))])
    cut = split_dataset(paths, SPLITTER, actors=1)
    assert rows(cut.chunks) == [r for r in expected(shelf) if r["source_path"].startswith("0")]


def test_a_folder_of_shards_is_that_of_one_machine(cluster, shelf, tmp_path):
    """Byte for byte: outcomes come back in the order of the files."""
    files = [LocalFile(path, path.name) for path in sorted(shelf.iterdir())]
    folders = []
    for name, do in (("local", in_processes(0)), ("ray", do_on_cluster)):
        output = tmp_path / name
        folder = ShardFolder(output, SPLITTER.recipe, "parquet", ".parquet", reading={})
        report = split_to_shards(
            files, SPLITTER, folder, file_format="parquet", rows_per_file=500, do=do
        )
        assert (report.read, len(report.failed)) == (40, 1)
        folders.append({p.name: p.read_bytes() for p in output.glob("part-*")})
    assert folders[0] == folders[1]
    assert len(folders[0]) > 2


class Slow(cb.Splitter):
    """Takes its time, so that something can die meanwhile, and says which process it is in."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    @property
    def recipe(self) -> cb.Recipe:
        """That of the splitter which does the work."""
        return SPLITTER.recipe

    def stream(self, source):
        """The same chunks, later."""
        Path(self.folder, str(os.getpid())).touch()
        time.sleep(0.15)
        return SPLITTER.stream(source)


def test_a_killed_worker_loses_nothing(cluster, shelf, tmp_path):
    """Nor is anything there twice: Ray starts an actor again with the files that it had."""

    def kill_one() -> None:
        deadline = time.monotonic() + 60
        while not (found := list(tmp_path.iterdir())) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.4)
        os.kill(int(found[0].name), signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    cut = split_dataset(shelf, Slow(str(tmp_path)), actors=1)
    killer.join()
    assert len(list(tmp_path.iterdir())) > 1
    assert rows(cut.chunks) == expected(shelf)


def test_a_removed_node_loses_nothing(cluster, shelf, tmp_path):
    """The files that it was cutting are cut on another node."""
    nodes, second = cluster

    def remove() -> None:
        deadline = time.monotonic() + 60
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        nodes.remove_node(second, allow_graceful=False)
        nodes.add_node(num_cpus=1, object_store_memory=100 * 2**20)

    remover = threading.Thread(target=remove)
    remover.start()
    cut = split_dataset(shelf, Slow(str(tmp_path)), actors=2)
    remover.join()
    assert rows(cut.chunks) == expected(shelf)
