"""What every store of vectors must do; each implementation runs all of it."""

import math
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import uuid

import pytest

np = pytest.importorskip("numpy", reason="the extra vectors is not installed")

from cleanbreak.errors import (  # noqa: E402 (only where numpy is there)
    DiskFullError,
    SettingsError,
    VectorCollectionMismatchError,
    VectorCollectionMissingError,
    VectorInvalidError,
    VectorStoreError,
    VectorStoreMalformedError,
)
from cleanbreak.stores.vectors.point import Point, chunk_point_id  # noqa: E402
from cleanbreak.stores.vectors.sqlite import SqliteVectors  # noqa: E402

WORLDS = [str(uuid.UUID(int=number)) for number in (1, 2, 3)]
DIMENSIONS = 8


def open_sqlite(folder):
    return SqliteVectors(folder / "vectors.sqlite")


def open_qdrant_folder(folder):
    pytest.importorskip("qdrant_client", reason="the extra qdrant is not installed")
    from cleanbreak.stores.vectors.qdrant import QdrantVectors

    return QdrantVectors.in_folder(folder / "qdrant")


FILES = {"sqlite": open_sqlite, "qdrant_folder": open_qdrant_folder}


@pytest.fixture(params=[*FILES, "qdrant_server"])
def opened(request, tmp_path):
    """A function that opens the store of this test again."""
    if request.param in FILES:
        yield lambda: FILES[request.param](tmp_path)
        return
    pytest.importorskip("qdrant_client", reason="the extra qdrant is not installed")
    from cleanbreak.stores.vectors.qdrant import QdrantVectors
    from qdrant_server import QdrantServer

    server = QdrantServer()
    yield lambda: QdrantVectors.on_server(server.address)
    server.close()


@pytest.fixture
def store(opened):
    with opened() as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        yield store


def unit(*places):
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[list(places)] = 1
    return vector


def point(chunk, vector, book=1, world=WORLDS[0], **fields):
    payload = {
        "world_uuid": world,
        "book_number": book,
        "chunk_number": chunk,
        "ingestion_run_id": "run",
        "profile_key": "key",
        "text_hash": f"hash-{chunk}",
        **fields,
    }
    return Point(chunk_point_id(world, book, chunk), vector, payload)


def query(store, vector, limit=10, world=WORLDS[0], **more):
    return store.query(vector, limit=limit, where={"world_uuid": world}, **more)


def chunks(found):
    return [hit.payload["chunk_number"] for hit in found]


def test_what_was_stored_is_found_with_its_payload(store):
    stored = point(1, unit(0, 1))
    store.upsert([stored])
    assert store.get([stored.id]) == {stored.id: dict(stored.payload)}
    (found,) = query(store, unit(0, 1))
    assert (found.id, found.payload) == (stored.id, dict(stored.payload))
    assert found.score >= 0.9999


def test_a_vector_of_any_length_is_compared_by_its_direction(store):
    store.upsert([point(1, unit(0) * 7), point(2, unit(1) * 0.01)])
    assert [round(hit.score, 4) for hit in query(store, unit(1) * 90)] == [1.0, 0.0]


def test_a_point_of_the_same_id_is_replaced(store):
    store.upsert([point(1, unit(0))])
    store.upsert([point(1, unit(1), text_hash="other")])
    assert store.count({}) == 1
    (found,) = query(store, unit(1))
    assert found.payload["text_hash"] == "other"
    assert found.score >= 0.9999


def test_a_query_is_limited_to_one_world(store):
    store.upsert([point(1, unit(0), world=world) for world in WORLDS])
    (found,) = query(store, unit(0), world=WORLDS[1])
    assert found.payload["world_uuid"] == WORLDS[1]


def test_a_query_is_limited_to_some_books(store):
    store.upsert([point(1, unit(0), book=book) for book in (1, 2, 3)])
    found = store.query(unit(0), limit=9, where={"world_uuid": WORLDS[0], "book_number": [1, 3]})
    assert [hit.payload["book_number"] for hit in found] == [1, 3]


def test_the_threshold_and_the_limit_hold(store):
    store.upsert([point(1, unit(0)), point(2, unit(0, 1, 2, 3)), point(3, unit(1))])
    assert chunks(query(store, unit(0), score_threshold=0.99)) == [1]
    assert chunks(query(store, unit(0), limit=2)) == [1, 2]
    assert query(store, unit(0), limit=0) == []


def test_ties_are_in_the_order_of_the_book(store):
    places = [(2, 1), (1, 3), (1, 1), (3, 1), (1, 2)]
    store.upsert([point(chunk, unit(0), book=book) for book, chunk in places])
    found = query(store, unit(0), limit=3)
    order = [(hit.payload["book_number"], hit.payload["chunk_number"]) for hit in found]
    assert order == [(1, 1), (1, 2), (1, 3)]


def test_a_collection_of_another_size_is_refused(store):
    with pytest.raises(VectorCollectionMismatchError) as caught:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS + 1)
    assert caught.value.details["expected"] == DIMENSIONS + 1


def test_collections_never_see_each_other(store):
    store.upsert([point(1, unit(0))])
    store.ensure_collection("nodes", "nodes_a", DIMENSIONS)
    assert query(store, unit(0)) == []
    assert store.count({}) == 0
    store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
    assert store.count({}) == 1


def test_nothing_works_before_a_collection_is_chosen(opened):
    with opened() as store, pytest.raises(VectorCollectionMissingError):
        store.count({})


def test_points_are_removed_by_their_fields(store):
    store.upsert([point(chunk, unit(0), book=book) for book in (1, 2) for chunk in (1, 2, 3)])
    fields = {"world_uuid": WORLDS[0], "ingestion_run_id": "run", "book_number": 1}
    store.delete_where({**fields, "chunk_number": 2})
    assert store.count({"book_number": 1}) == 2
    assert store.count({"book_number": 2}) == 3
    with pytest.raises(SettingsError):
        store.delete_where({})
    with pytest.raises(SettingsError, match="book_number"):
        store.delete_where({"book_nummer": 1})


def test_empty_calls_do_nothing(store):
    store.upsert([])
    store.delete([])
    assert store.get([]) == {}
    store.delete([uuid.uuid4()])
    assert store.get([uuid.uuid4()]) == {}
    assert query(store, unit(0)) == []


def test_everything_is_there_after_it_was_opened_again(opened):
    with opened() as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        store.upsert([point(chunk, unit(chunk)) for chunk in range(5)])
    with opened() as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        assert chunks(query(store, unit(3), limit=1)) == [3]
        assert store.count({}) == 5


@pytest.mark.parametrize(
    "vector",
    [
        np.zeros(DIMENSIONS, np.float32),
        np.full(DIMENSIONS, np.nan, np.float32),
        np.full(DIMENSIONS, np.inf, np.float32),
        np.ones(DIMENSIONS + 1, np.float32),
        np.ones((1, DIMENSIONS), np.float32),
    ],
    ids=["zero", "nan", "infinite", "long", "two dimensions"],
)
def test_a_vector_that_means_nothing_is_refused(store, vector):
    with pytest.raises(VectorInvalidError):
        store.upsert([point(1, unit(0)), point(2, vector)])
    assert store.count({}) == 0
    with pytest.raises(VectorInvalidError):
        query(store, vector)


def test_points_of_many_threads_are_all_there(store):
    def write(number):
        for chunk in range(20):
            store.upsert([point(100 * number + chunk, unit(number))])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.count({}) == 160


def test_scroll_gives_each_point_once(store):
    store.upsert([point(chunk, unit(0)) for chunk in range(523)])
    seen = [payload["chunk_number"] for _, payload in store.scroll({"book_number": 1})]
    assert sorted(seen) == list(range(523))


def test_a_query_sees_what_another_opening_wrote(store, opened):
    assert query(store, unit(0)) == []
    with opened() as other:
        other.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        other.upsert([point(1, unit(0))])
    assert chunks(query(store, unit(0))) == [1]


# --- the file of a world ---------------------------------------------------------------------------

WRITER = """
import sys, numpy as np
sys.path[:0] = {path!r}
from pathlib import Path
from contracts.test_vector_stores import *
store = FILES[{kind!r}](Path({folder!r}))
store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
for chunk in range(100_000):
    store.upsert([point(chunk, unit(chunk % DIMENSIONS))])
    print(chunk, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("moment", [0.02, 0.1, 0.3])
def test_a_killed_writer_loses_nothing_that_it_said_was_stored(tmp_path, moment, kind):
    """A Qdrant server is another program, which outlives the writer."""
    code = WRITER.format(path=sys.path, folder=str(tmp_path), kind=kind)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as writer:
        said = [int(writer.stdout.readline()) for _ in range(2)]
        time.sleep(moment)
        writer.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        said += [int(line) for line in writer.stdout.read().split()]
    with FILES[kind](tmp_path) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        stored = {payload["chunk_number"] for _, payload in store.scroll({})}
    assert stored.issuperset(said)


@pytest.mark.parametrize("data", [b"no database", os.urandom(5000)], ids=["text", "random"])
def test_a_file_that_is_no_store_is_one_of_our_errors(tmp_path, data):
    (tmp_path / "vectors.sqlite").write_bytes(data)
    with pytest.raises(VectorStoreMalformedError, match=r"vectors\.sqlite"):
        open_sqlite(tmp_path)


@pytest.mark.parametrize(
    "change",
    ["vector = x'00'", "vector = 7", "payload = '{'", "payload = '[]'", "id = x'01'"],
)
def test_a_row_that_none_of_ours_wrote_is_one_of_our_errors(tmp_path, change):
    with open_sqlite(tmp_path) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        store.upsert([point(1, unit(0))])
        store._connection.execute(f"UPDATE points SET {change}")

        def read():
            query(store, unit(0))
            list(store.scroll({}))

        with pytest.raises(VectorStoreMalformedError, match=r"vectors\.sqlite"):
            read()


WRITES = """
import sys
sys.path[:0] = {path!r}
from pathlib import Path
from contracts.test_vector_stores import *
with open_sqlite(Path({folder!r})) as store:
    store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
    for chunk in range(150):
        store.upsert([point(chunk, unit(chunk % DIMENSIONS))])
"""


def test_a_second_process_reads_while_one_writes(tmp_path):
    """It sees only whole points, never fewer than before, and in the end all."""
    with open_sqlite(tmp_path) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
    code = WRITES.format(path=sys.path, folder=str(tmp_path))
    seen = [0]
    with (
        SqliteVectors(tmp_path / "vectors.sqlite", readonly=True) as reader,
        subprocess.Popen([sys.executable, "-c", code]) as writer,
    ):
        reader.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        while writer.poll() is None:
            seen.append(len(query(reader, unit(0), limit=1000)))
        assert writer.returncode == 0
        assert len(query(reader, unit(0), limit=1000)) == 150
    assert seen == sorted(seen)


def test_a_damaged_file_never_gives_a_raw_error(tmp_path):
    with open_sqlite(tmp_path) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        store.upsert([point(chunk, unit(0)) for chunk in range(300)])
    path = tmp_path / "vectors.sqlite"
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 60):
        path.write_bytes(whole[:place] + os.urandom(64) + whole[place + 64 :])
        try:
            with open_sqlite(tmp_path) as store:
                store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
                query(store, unit(0))
                list(store.scroll({}))
        except VectorStoreError:
            pass


@pytest.mark.parametrize("damage", [struct.pack("<f", math.nan), struct.pack("<f", 1e30)])
def test_a_damaged_number_is_noticed(tmp_path, damage):
    """It would make the nearest vector of every query of it, or warn in the midst of a search."""
    with open_sqlite(tmp_path) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        store.upsert([point(1, unit(0))])
        damaged = damage + struct.pack("<7f", *[0.0] * 7)
        store._connection.execute("UPDATE points SET vector = ?", (damaged,))
    with open_sqlite(tmp_path) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        with pytest.raises(VectorStoreError):
            query(store, unit(0))


def test_a_full_disk_is_named_and_loses_nothing(tmp_path):
    """SQLite says the same for a disk without room and for its own limit of pages."""
    with open_sqlite(tmp_path) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        store._connection.execute("PRAGMA max_page_count = 20")
        stored = 0

        def fill():
            nonlocal stored
            for stored in range(10_000):
                store.upsert([point(stored, unit(0))])

        with pytest.raises(DiskFullError, match=r"vectors\.sqlite"):
            fill()
    with open_sqlite(tmp_path) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        assert store.count({}) == stored > 0
