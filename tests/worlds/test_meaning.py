"""A world is searched by what its chunks mean; vectors of older text count for nothing."""

import shutil
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="the extra vectors is not installed")

import cleanbreak as cb
from bookshelf import write_books
from cleanbreak import errors
from home import own_home

SHIPS = "The old ship lay in the harbour. " * 3
BREAD = "Fresh bread came out of the oven. " * 3


class Topics:
    """Texts of one topic are near to each other."""

    name = "topics"
    words = (("ship", "boat", "harbour"), ("bread", "oven", "flour"))

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [
            [0.1 + sum(map(text.lower().count, topic)) for topic in self.words] for text in texts
        ]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "world"


@pytest.fixture
def world(root: Path, tmp_path: Path) -> cb.World:
    world = cb.World.create(root, settings={"chunk_size": 150}, embedding=Topics())
    world.ingest(write_books(tmp_path / "in", bread=BREAD, ships=SHIPS))
    return world


def names(hits: list[cb.Hit]) -> list[str]:
    return [hit.source_name for hit in hits]


def test_a_world_can_be_made_with_its_model(world: cb.World) -> None:
    assert world.embedding_profile is not None
    assert names(world.search("boat")) == ["ships.txt", "bread.txt"]


def test_a_model_that_cannot_work_leaves_no_folder(root: Path, tmp_path: Path) -> None:
    """No key, no weights, no such model: nothing is written."""
    for model in ("openai/text-embedding-3-small", "minilm", "acme/none"):
        with own_home(tmp_path / "home"), pytest.raises(errors.CleanbreakError):
            cb.World.create(root, embedding=model)
        assert not root.exists()


def test_words_come_first_where_they_say_it(world: cb.World) -> None:
    """A chunk that holds the word is before one that is only near in meaning."""
    assert names(world.search("bread boat")) == names(world.search("oven bread"))


def test_a_phrase_must_hold_also_with_meaning(world: cb.World) -> None:
    assert names(world.search('"fresh bread"')) == ["bread.txt"]
    assert names(world.search('"fresh boat"')) == []
    assert names(world.search("boat -harbour")) == []


def test_a_vector_of_older_text_finds_nothing(world: cb.World, root: Path, tmp_path: Path) -> None:
    """The vectors of a copy that was made before the book was replaced."""
    old = shutil.copy(root / "vectors.sqlite", tmp_path / "old.sqlite")
    (again,) = write_books(tmp_path / "again", ships="A meadow in spring. " * 5)
    world.reingest(replace=again)
    Path(old).replace(root / "vectors.sqlite")
    assert "ships.txt" not in names(world.search("boat", mode="vectors"))


def test_a_copied_world_is_searched_by_meaning(world: cb.World, root: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(root, tmp_path / "copy")
    opened = cb.World.open(copy)
    opened.embed(Topics())
    assert names(opened.search("boat")) == names(world.search("boat"))


def test_reading_changes_no_file(world: cb.World, root: Path) -> None:
    world.search("boat")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    world.search("boat", mode="hybrid")
    world.search("boat", mode="vectors")
    assert before == {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_the_same_query_has_the_same_order(world: cb.World) -> None:
    first = [(hit.chunk_id, hit.score) for hit in world.search("ship oven")]
    assert first == [(hit.chunk_id, hit.score) for hit in world.search("ship oven")]
