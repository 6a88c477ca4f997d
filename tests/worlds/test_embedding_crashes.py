"""Embedding that fails or is killed at any step: no vector is lost, and none is paid for twice."""

import json
import multiprocessing
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the extra vectors is not installed")

import cleanbreak as cb
from bookshelf import SETTINGS, write_books
from cleanbreak import errors
from cleanbreak.providers.embedding.objects import ObjectEmbedder
from cleanbreak.storage.files import Files
from cleanbreak.stores.vectors.sqlite import SqliteVectors
from embedders import Plain, assert_vectors
from providers.embedding_server import DIMENSIONS, Script, serving

MOST_TEXTS = 4

# A batch that is asked for and one that waits: what one embedder with one place has under way.
UNDER_WAY = 2 * MOST_TEXTS

Step = Callable[[str], None]


class Crash(BaseException):
    """The end of a process, as far as one process can play it."""


class Steps:
    """Counts the steps of a run, and acts at one of them."""

    def __init__(self, number: int, act: Step) -> None:
        self.taken = 0
        self.names: list[str] = []
        self._number = number
        self._act = act

    def __call__(self, name: str) -> None:
        self.taken += 1
        self.names.append(name)
        if self.taken == self._number:
            self._act(name)


class Watched(SqliteVectors):
    """A store whose writes are steps: before them, and between them and their answer."""

    step: Step = staticmethod(lambda _: None)

    def ensure_collection(self, *given: Any) -> None:
        self.step("collection")
        super().ensure_collection(*given)

    def upsert(self, points: Any) -> None:
        self.step("upsert")
        super().upsert(points)
        self.step("upserted")

    def delete(self, ids: Iterable[Any]) -> None:
        self.step("delete")
        super().delete(list(ids))
        self.step("deleted")

    def delete_where(self, where: Any) -> None:
        self.step("delete_where")
        super().delete_where(where)
        self.step("deleted_where")


def embed(root: Path, plain: Plain, step: Step) -> None:
    """Bring the vectors of a world to completion; each step is announced."""
    Watched.step = staticmethod(step)
    embedder = ObjectEmbedder(plain)
    embedder.most_texts = MOST_TEXTS
    cb.World.open(root, files=Files(lambda name, _: step(name))).embed(embedder)


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from cleanbreak.stores.vectors import sqlite

    monkeypatch.setattr(sqlite, "SqliteVectors", Watched)
    yield
    Watched.step = staticmethod(lambda _: None)


def chunks_of(root: Path) -> list[tuple[int, int, str]]:
    chunks = cb.World.open(root).chunks()
    return [(chunk.book_number, chunk.chunk_number, chunk.chunk_text) for chunk in chunks]


def raise_crash(_: str) -> None:
    raise Crash


def raise_error(name: str) -> None:
    """As the disk refuses under `Files`, and as a store says that it did."""
    if name.startswith(("collection", "upsert", "delete")):
        raise errors.DiskFullError("No room (injected).")
    raise OSError(28, "injected")


@pytest.mark.slow
@pytest.mark.parametrize("act", [raise_crash, raise_error])
def test_embedding_may_end_at_any_step(
    act: Step, world: cb.World, root: Path, tmp_path: Path
) -> None:
    """By a crash or a disk that refuses; the next run completes it, and asks for little again."""
    chunks = chunks_of(root)
    seen: set[str] = set()
    ended = 0
    for number in range(1, 500):
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(root, copy)
        plain, steps = Plain(), Steps(number, act)
        try:
            embed(copy, plain, steps)
        except (Crash, errors.DiskFullError):
            ended += 1
        seen |= set(steps.names)
        if steps.taken < number:
            break
        assert cb.World.open(copy).search("storm", mode="words")
        embed(copy, plain, lambda _: None)
        assert_vectors(copy, chunks)
        assert len(plain.texts) <= len(chunks) + UNDER_WAY, number
        assert cb.World.open(copy).status().stages["embeddings"] == "complete"
        assert cb.World.open(copy).verify().ok
        shutil.rmtree(copy)
    assert ended > 30
    assert {"collection", "upsert", "upserted", "write", "sync", "replace"} <= seen


@pytest.mark.slow
def test_the_removal_of_stale_points_may_end_at_any_step(
    world: cb.World, root: Path, tmp_path: Path
) -> None:
    """Half of a book's points are of other text than its chunks."""
    embed(root, Plain(), lambda _: None)
    with closing(sqlite3.connect(root / "vectors.sqlite")) as connection:
        stale = connection.execute(
            "UPDATE points SET payload = json_set(payload, '$.text_hash', '0')"
            " WHERE book_number = 1 AND chunk_number % 2"
        ).rowcount
        connection.commit()
    (root / "books/book-0001/embeddings.json").unlink()
    chunks, ended = chunks_of(root), 0
    for number in range(1, 500):
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(root, copy)
        plain, steps = Plain(), Steps(number, raise_crash)
        try:
            embed(copy, plain, steps)
        except Crash:
            ended += 1
        else:
            assert {"delete", "deleted"} <= set(steps.names)
            break
        embed(copy, plain, lambda _: None)
        assert len(plain.texts) <= stale + UNDER_WAY
        assert_vectors(copy, chunks)
        assert cb.World.open(copy).verify().ok
        shutil.rmtree(copy)
    assert ended > 10


def replace(world: cb.World, plain: Plain) -> None:
    world.embed(ObjectEmbedder(plain, "plain/other"), replace=True)


def cut_again(world: cb.World, plain: Plain) -> None:
    world.embed(ObjectEmbedder(plain))
    world.resume()
    if world.settings.settings["chunk_size"] != 60:
        world.reingest(settings={**SETTINGS, "chunk_size": 60, "overlap_size": 0})


def remove(world: cb.World, plain: Plain) -> None:
    if len(world.books()) == 3:
        world.remove(2)
    world.embed(ObjectEmbedder(plain))


@pytest.mark.slow
@pytest.mark.parametrize("work", [replace, cut_again, remove])
def test_vectors_follow_a_change_of_the_world_that_is_cut_off_at_any_step(
    work: Callable[[cb.World, Plain], None], world: cb.World, root: Path, tmp_path: Path
) -> None:
    """Another model, another cut, a book less: no vector stays that fits nothing."""
    embed(root, Plain(), lambda _: None)
    ended = 0
    for number in range(1, 700, 1 if work is remove else 3):
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(root, copy)
        steps = Steps(number, raise_crash)
        Watched.step = staticmethod(steps)
        try:
            work(cb.World.open(copy, files=Files(lambda name, _: steps(name))), Plain())  # noqa: B023
        except Crash:
            ended += 1
        Watched.step = staticmethod(lambda _: None)
        if steps.taken < number:
            break
        assert cb.World.open(copy).search("storm", mode="words")
        work(cb.World.open(copy), Plain())
        assert_vectors(copy, chunks_of(copy))
        assert cb.World.open(copy).verify().ok
        assert cb.World.open(copy).status().stages["embeddings"] == "complete"
        shutil.rmtree(copy)
    assert ended > 5


def _die_at(root: Path, number: int, asked: Path) -> None:
    class Noted(Plain):
        def embed(self, texts: Any) -> list[list[float]]:
            if texts != ["dimensions"]:
                with asked.open("a") as stream:
                    stream.write(f"{len(texts)}\n")
            return super().embed(texts)

    embed(root, Noted(), Steps(number, lambda _: os._exit(9)))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_embedding_may_be_killed_at_any_step(world: cb.World, root: Path, tmp_path: Path) -> None:
    """The same with real kills, of one world after each other, each at a later step."""
    chunks, context = chunks_of(root), multiprocessing.get_context("fork")
    asked = tmp_path / "asked"
    for kills in range(1, 200):
        number = kills % 7 + 1
        child = context.Process(target=_die_at, args=(root, number, asked))
        child.start()
        child.join()
        assert cb.World.open(root).search("storm", mode="words")
        if child.exitcode == 0:
            break
    assert kills > 5
    embed(root, Plain(), lambda _: None)
    assert_vectors(root, chunks)
    assert sum(map(int, asked.read_text().split())) <= len(chunks) + kills * UNDER_WAY


# Embeds with a model of the catalogue, two texts a request.
_CHILD = """
import sys
import cleanbreak as cb
from cleanbreak.providers.embedding import make_embedder
embedder = make_embedder("acme/one")
embedder.most_texts = 2
cb.World.open(sys.argv[1]).embed(embedder)
"""


@pytest.mark.slow
def test_a_run_killed_at_random_moments_pays_for_every_chunk_once(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """50 kills between requests to a real server; what was asked again was under way at a kill."""
    pytest.importorskip("httpx", reason="the extra providers is not installed")
    text = "".join(f"Line {number:04d} of the book has its own number.\n" for number in range(2000))
    settings = {"chunk_size": 48, "max_lookback": 10, "overlap_size": 0}
    cb.World.create(root, settings=settings).ingest(write_books(tmp_path / "in", book=text))
    chunks, chance = chunks_of(root), random.Random(14)
    with serving() as (address, script):
        environment = {**os.environ, **_home(tmp_path / "home", address)}
        kills = 0
        while kills < 50:
            wanted = _texts(script) + chance.randrange(1, 12)
            child = subprocess.Popen(
                [sys.executable, "-c", _CHILD, root], env=environment, stderr=subprocess.PIPE
            )
            while _texts(script) < wanted and child.poll() is None:
                time.sleep(0.0005)
            time.sleep(chance.uniform(0, 0.02))
            child.kill()
            _, said = child.communicate()
            assert said == b""
            assert child.returncode != 0, "it was done before it was killed"
            kills += 1
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, root], env=environment, check=False, capture_output=True
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert_vectors(root, chunks)
        # Four requests have a place and a fifth waits, each of two texts.
        assert len(chunks) <= _texts(script) <= len(chunks) + kills * 5 * 2
        before = _texts(script)
        subprocess.run([sys.executable, "-c", _CHILD, root], env=environment, check=True)
        assert _texts(script) == before


def _texts(script: Script) -> int:
    with script.lock:
        return sum(map(len, script.asked))


def _home(folder: Path, address: str) -> dict[str, str]:
    """The environment of a person who has a key and a catalogue with a model at `address`."""
    catalogue = folder / "config/catalogue/acme.json"
    key = folder / "config/keys/acme/a.json"
    for path in (catalogue, key):
        path.parent.mkdir(parents=True)
    model = {
        "id": "acme/one",
        "displayName": "One",
        "callName": "one",
        "surfaces": ["embedding"],
        "limits": {"maxInputTokens": 1000, "maxEmbeddingDimensions": DIMENSIONS},
    }
    provider = {"id": "acme", "displayName": "Acme", "baseUrl": address, "models": [model]}
    catalogue.write_text(json.dumps({"catalogueVersion": 1, "providers": [provider]}))
    key.write_text(json.dumps({"api_key": "sk-marker"}))
    key.chmod(0o600)
    return {"CLEANBREAK_HOME": str(folder)}
