"""What is Qdrant's own: its lock, its server's errors, its key, and what is left of a folder."""

import re
import subprocess
import sys

import pytest

np = pytest.importorskip("numpy", reason="the extra vectors is not installed")
pytest.importorskip("qdrant_client", reason="the extra qdrant is not installed")

from cleanbreak.errors import (  # noqa: E402
    DiskFullError,
    VectorCollectionMismatchError,
    VectorCollectionMissingError,
    VectorDeleteError,
    VectorQueryError,
    VectorReadError,
    VectorStoreMalformedError,
    VectorStoreUnreachableError,
    VectorWriteError,
)
from cleanbreak.stores.vectors.fields import FIELDS  # noqa: E402
from cleanbreak.stores.vectors.qdrant import QdrantVectors  # noqa: E402
from contracts.test_vector_stores import DIMENSIONS, point, query, unit  # noqa: E402
from qdrant_server import QdrantServer  # noqa: E402

KEY = "a-secret-key"


@pytest.fixture
def server():
    found = QdrantServer()
    yield found
    found.close()


@pytest.fixture
def store(server):
    with QdrantVectors.on_server(server.address, KEY) as store:
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
        store.upsert([point(1, unit(0))])
        yield store


CALLS = {
    VectorReadError: lambda store: store.count({}),
    VectorWriteError: lambda store: store.upsert([point(2, unit(0))]),
    VectorDeleteError: lambda store: store.delete_where({"book_number": 1}),
    VectorQueryError: lambda store: query(store, unit(0)),
    VectorStoreMalformedError: lambda store: store.ensure_collection("chunks", "b", DIMENSIONS),
}


@pytest.mark.parametrize("error", CALLS, ids=lambda error: error.code)
@pytest.mark.parametrize(
    "answer",
    [(500, {"status": {"error": "panicked at /srv/secret"}}), (200, b"<html>"), (200, {"no": 1})],
    ids=["500", "no JSON", "other JSON"],
)
def test_an_answer_that_is_no_answer_is_the_error_of_the_call(server, store, error, answer):
    server.failing = answer
    with pytest.raises(error) as caught:
        CALLS[error](store)
    shown = f"{caught.value!r} {caught.value.details}"
    assert not re.search(rf"secret|html|{server.address}", shown)


@pytest.mark.parametrize("call", CALLS.values(), ids=lambda _: "")
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ((401, b"Must provide an API key"), VectorStoreUnreachableError),
        ((403, b"forbidden"), VectorStoreUnreachableError),
        ((404, {"status": {"error": "Not found"}}), VectorCollectionMissingError),
        ((500, {"status": {"error": "No space left on device: WAL"}}), DiskFullError),
    ],
    ids=["no key", "key refused", "collection gone", "disk full"],
)
def test_what_a_server_refuses_says_why(server, store, call, answer, error):
    server.failing = answer
    with pytest.raises(error) as caught:
        call(store)
    assert KEY not in f"{caught.value} {caught.value.details}"


def test_a_server_that_is_away_is_named(server, store):
    server.close()
    with pytest.raises(VectorStoreUnreachableError) as caught:
        query(at_server("http://127.0.0.1:9"), unit(0))
    assert "127.0.0.1" not in str(caught.value)


def at_server(address):
    store = QdrantVectors.on_server(address)
    store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
    return store


def test_every_field_that_is_asked_for_is_indexed_on_a_server(server, store):
    assert set(server.indexes["chunks_a"]) == set(FIELDS)
    assert server.indexes["chunks_a"]["book_number"] == "integer"


def test_indexes_that_a_killed_writer_did_not_make_are_made_by_the_next(server, store):
    del server.indexes["chunks_a"]["chunk_number"]
    store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
    assert set(server.indexes["chunks_a"]) == set(FIELDS)


def test_the_key_goes_to_the_server_and_into_no_log(server, store, caplog):
    with caplog.at_level("INFO"):
        store.count({})
    assert server.headers[-1]["api-key"] == KEY
    assert KEY not in caplog.text
    assert server.address not in caplog.text


def test_a_collection_that_compares_in_another_way_is_refused(server):
    from qdrant_client.models import Distance, VectorParams

    params = VectorParams(size=DIMENSIONS, distance=Distance.DOT)
    server.client.create_collection("chunks_a", params)
    with pytest.raises(VectorCollectionMismatchError):
        at_server(server.address)


def test_a_collection_that_another_process_made_in_between_is_used(server, store, monkeypatch):
    answers = iter([False])
    real = store._client.collection_exists
    monkeypatch.setattr(
        store._client, "collection_exists", lambda name: next(answers, None) is None and real(name)
    )
    store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
    assert store.count({}) == 1


def test_a_reader_makes_nothing(tmp_path, server):
    with pytest.raises(VectorCollectionMissingError):
        QdrantVectors.in_folder(tmp_path / "qdrant", readonly=True)
    assert not (tmp_path / "qdrant").exists()
    with (
        QdrantVectors.on_server(server.address, readonly=True) as store,
        pytest.raises(VectorCollectionMissingError),
    ):
        store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
    assert not server.client.collection_exists("chunks_a")


# --- a folder --------------------------------------------------------------------------------------


def in_folder(folder):
    store = QdrantVectors.in_folder(folder)
    store.ensure_collection("chunks", "chunks_a", DIMENSIONS)
    return store


SECOND = """
import sys
from pathlib import Path
from cleanbreak.errors import VectorStoreLockedError
from cleanbreak.stores.vectors.qdrant import QdrantVectors

import time, qdrant_client  # the client takes a second to load
start = time.monotonic()
try:
    QdrantVectors.in_folder(Path(sys.argv[1]))
except VectorStoreLockedError as error:
    print(error.code, time.monotonic() - start < 2, sys.argv[1] in str(error))
"""


def test_a_second_process_is_refused_a_folder_at_once(tmp_path):
    with in_folder(tmp_path / "q"):
        run = [sys.executable, "-c", SECOND, str(tmp_path / "q")]
        said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert said.split() == ["VECTOR_STORE_LOCKED", "True", "False"]


def test_stores_of_one_process_share_a_folder_until_the_last_is_closed(tmp_path):
    first, second = in_folder(tmp_path), in_folder(tmp_path)
    first.close()
    first.close()
    second.upsert([point(1, unit(0))])
    second.close()
    with in_folder(tmp_path) as third:
        assert third.count({}) == 1


def test_a_full_disk_is_named_and_loses_nothing_of_a_folder(tmp_path):
    with in_folder(tmp_path) as store:
        store.upsert([point(1, unit(0))])
        local = store._client._client.collections["chunks_a"].storage.storage
        local.execute("PRAGMA max_page_count = 4")
        with pytest.raises(DiskFullError):
            store.upsert([point(chunk, unit(0)) for chunk in range(2, 60)])
        held = store.count({})
    with in_folder(tmp_path) as store:
        assert store.count({}) == held >= 1


@pytest.mark.parametrize("name", ["meta.json", "collection/chunks_a/storage.sqlite"])
def test_a_damaged_folder_is_one_of_our_errors(tmp_path, name):
    with in_folder(tmp_path) as store:
        store.upsert([point(1, unit(0))])
    (tmp_path / name).write_bytes(b"no such thing " * 50)
    with pytest.raises(VectorStoreMalformedError) as caught:
        QdrantVectors.in_folder(tmp_path)
    assert str(tmp_path) not in f"{caught.value} {caught.value.details}"


def test_a_large_folder_gives_no_warning_of_the_client(tmp_path, recwarn):
    with in_folder(tmp_path) as store:
        collection = store._client._client.collections["chunks_a"]
        collection.LARGE_DATA_THRESHOLD = 1
        store.upsert([point(chunk, unit(0)) for chunk in range(3)])
    assert not [warning for warning in recwarn if "Local mode" in str(warning.message)]
