"""A world whose vectors are in Qdrant: a folder of the user, or a server."""

import json
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the extra vectors is not installed")
pytest.importorskip("qdrant_client", reason="the extra qdrant is not installed")

import cleanbreak as cb
from bookshelf import HILL, SETTINGS, record_of, write_books
from cleanbreak import errors
from cleanbreak.providers.embedding.objects import ObjectEmbedder
from embedders import Plain
from qdrant_server import QdrantServer

KEY = "a-secret-key"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CLEANBREAK_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("QDRANT_URL", raising=False)
    monkeypatch.delenv("QDRANT_API_KEY", raising=False)
    return tmp_path / "home"


@pytest.fixture
def server():
    found = QdrantServer()
    yield found
    found.close()


@pytest.fixture
def plain():
    return Plain()


@pytest.fixture
def embedder(plain):
    return ObjectEmbedder(plain)


def opened(root, embedder):
    """The world with an embedder that only the caller has; nothing is asked again."""
    world = cb.World.open(root)
    world.embed(embedder)
    return world


def assert_finds(world, root):
    text = next(iter(cb.World.open(root).chunks())).chunk_text
    assert world.search(text[:200], mode="vectors")
    assert world.status().stages["embeddings"] == "complete"
    assert world.verify().ok


@pytest.mark.parametrize("where", ["folder", "server"])
def test_a_world_remembers_where_its_vectors_are(world, root, embedder, plain, server, home, where):
    address = server.address if where == "server" else None
    world.embed(embedder, store="qdrant", address=address)
    assert_finds(world, root)
    assert not (root / "vectors.sqlite").exists()
    assert (home / "data/qdrant").is_dir() == (where == "folder")
    assert json.loads((root / "world.json").read_bytes())["vector_store"]["kind"] == "qdrant"
    asked = len(plain.texts)
    again = opened(root, embedder)
    assert_finds(again, root)
    assert len(plain.texts) <= asked + 1  # the query, and no chunk again


def test_vectors_move_to_another_store_only_on_request(world, root, embedder, server):
    world.embed(embedder)
    with pytest.raises(errors.StateConflictError, match="--replace"):
        world.embed(embedder, store="qdrant", address=server.address)
    world.embed(embedder, store="qdrant", address=server.address, replace=True)
    assert_finds(world, root)
    assert not (root / "vectors.sqlite").exists()
    world.embed(embedder, store="sqlite", replace=True)
    assert_finds(world, root)
    (collection,) = server.client.get_collections().collections
    assert server.client.count(collection.name).count == 0


def test_a_server_that_is_away_leaves_the_words(world, embedder, server):
    world.embed(embedder, store="qdrant", address=server.address)
    server.failing = (503, b"away")
    found = world.search(HILL.split()[1], mode="auto")
    assert found
    assert "VECTOR_SEARCH_SKIPPED" in [warning.code for warning in found.warnings]
    with pytest.raises(errors.VectorStoreError):
        world.search("lamp", mode="vectors")


def test_two_worlds_on_one_server_never_see_each_other(world, root, tmp_path, embedder, server):
    world.embed(embedder, store="qdrant", address=server.address)
    other = cb.World.create(tmp_path / "other", settings=SETTINGS)
    other.ingest(write_books(tmp_path / "more", gate="A gate stood open all night. " * 9))
    before = sum(1 for _ in world.chunks())
    other.embed(embedder, store="qdrant", address=server.address)
    other.embed(embedder, store="sqlite", replace=True)
    (collection,) = server.client.get_collections().collections
    assert server.client.count(collection.name).count == before


def test_the_key_goes_only_to_the_address_that_was_named_with_it(
    world, root, embedder, server, monkeypatch
):
    """A world that somebody else made may name a server of theirs."""
    monkeypatch.setenv("QDRANT_API_KEY", KEY)
    monkeypatch.setenv("QDRANT_URL", "http://other.example:6333")
    world.embed(embedder, store="qdrant", address=server.address)
    assert not any("api-key" in headers for headers in server.headers)
    monkeypatch.setenv("QDRANT_URL", server.address)
    cb.World.open(root).status()
    assert server.headers[-1]["api-key"] == KEY
    assert all(KEY.encode() not in path.read_bytes() for path in root.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "address",
    [
        "localhost:6333",
        "file:///tmp/x",
        "http://me:secret@host",
        "http://h?api-key=secret",
        "http://",
    ],
)
def test_an_address_that_is_none_or_holds_a_secret_is_refused(world, root, embedder, address):
    before = record_of(root)
    with pytest.raises(errors.SettingsError) as caught:
        world.embed(embedder, store="qdrant", address=address)
    assert "secret" not in f"{caught.value} {caught.value.details}"
    assert before == record_of(root)


def test_a_world_cannot_name_a_folder_to_read(world, root: Path, embedder):
    """The points of a Qdrant folder are pickled, so a folder that came with a world is never read."""
    world.embed(embedder, store="qdrant")
    record = root / "world.json"
    path = str(root / "evil")
    record.write_text(
        record.read_text().replace('"kind": "qdrant"', f'"kind": "qdrant", "address": "{path}"')
    )
    with pytest.raises(errors.CleanbreakError):
        cb.World.open(root).search("lamp", mode="vectors")
    assert not (root / "evil").exists()


@pytest.mark.parametrize(
    ("given", "named"),
    [({"store": "qdrnt"}, "qdrant"), ({"store": "sqlite", "address": "http://h:1"}, "address")],
)
def test_a_store_that_is_none_is_refused(world, embedder, given, named):
    with pytest.raises(errors.SettingsError, match=named):
        world.embed(embedder, **given)
