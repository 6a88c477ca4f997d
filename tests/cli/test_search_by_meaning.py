"""`cleanbreak search --mode`: by words, by meaning and by both, in a world that has vectors."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("httpx", reason="the extra providers is not installed")
pytest.importorskip("numpy", reason="the extra vectors is not installed")

import cleanbreak as cb
from bookshelf import write_books
from cleanbreak.cli.app import app
from home import write_catalogue, write_key
from notes import write_notes
from providers.embedding_server import Script, serving

TOPICS = (("ship", "boat", "harbour"), ("bread", "oven", "loaf"), ("king", "crown", "throne"))
SEA = "The old ship lay in the harbour. " * 3
KITCHEN = "Fresh bread came out of the oven. " * 3
COURT = "The king wore a heavy crown. " * 3


def of_topics(text: str) -> list[float]:
    """Texts of one topic are near to each other, whichever of its words they use."""
    words = text.lower()
    return [0.1 + sum(map(words.count, topic)) for topic in TOPICS] + [0.1]


@pytest.fixture
def script(home: Path) -> Iterator[Script]:
    with serving() as (address, script):
        write_catalogue(home, address)
        write_key(home)
        script.vector = of_topics
        yield script


@pytest.fixture
def shelf(tmp_path: Path, script: Script) -> Path:
    world = cb.World.create(tmp_path / "shelf", settings={"chunk_size": 200})
    world.ingest(write_books(tmp_path / "in", court=COURT, kitchen=KITCHEN, sea=SEA))
    world.embed("acme/one")
    return tmp_path / "shelf"


def run(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def first(done: Result) -> str:
    return done.stdout.split("\n")[0]


@pytest.mark.parametrize("mode", ["auto", "hybrid", "vectors"])
def test_a_chunk_is_found_by_what_it_means(mode: str, shelf: Path) -> None:
    done = run("search", shelf, "boat", "--mode", mode)
    assert (done.exit_code, done.stderr) == (0, "")
    assert first(done).startswith("1. sea.txt, ")
    assert "meaning 0.99 (characters 0-99)" in done.stdout
    assert "**The old ship lay in the harbour." in done.stdout


def test_words_alone_ask_no_model(shelf: Path, script: Script) -> None:
    script.asked.clear()
    done = run("search", shelf, "boat", "--mode", "words")
    assert "Nothing found" in done.stderr
    assert script.asked == []


def test_each_hit_has_its_score_by_words_and_by_meaning(shelf: Path) -> None:
    hits = json.loads(run("search", shelf, "ship", "--json").stdout)
    assert hits[0]["source_path"] == "sea.txt"
    assert set(hits[0]["scores"]) == {"words", "vectors", "fused"}
    assert hits[0]["scores"]["vectors"] == pytest.approx(1, abs=0.01)
    assert hits[0]["passage"] == [0, len(SEA)]
    assert set(hits[-1]["scores"]) == {"vectors", "fused"}
    assert "words " in run("search", shelf, "ship").stdout


def test_what_is_too_far_is_not_found_by_meaning(shelf: Path) -> None:
    assert len(json.loads(run("search", shelf, "boat", "--json").stdout)) == 3
    hits = json.loads(run("search", shelf, "boat", "--min-similarity", "0.9", "--json").stdout)
    assert [hit["source_path"] for hit in hits] == ["sea.txt"]


def test_one_book_is_searched_by_meaning_too(shelf: Path) -> None:
    """A book as a condition does not leave meaning out."""
    hits = json.loads(run("search", shelf, "boat", "--book", "1", "--json").stdout)
    assert [hit["source_path"] for hit in hits] == ["court.txt"]
    hits = json.loads(
        run("search", shelf, "boat", "--mode", "vectors", "--book", "2", "--json").stdout
    )
    assert [hit["source_path"] for hit in hits] == ["kitchen.txt"]


def test_without_an_answer_of_the_provider_words_answer(shelf: Path, home: Path) -> None:
    write_catalogue(home, "http://127.0.0.1:9")
    done = run("search", shelf, "ship")
    assert done.exit_code == 0
    assert first(done).startswith("1. sea.txt, ")
    assert "(VECTOR_SEARCH_SKIPPED)" in done.stderr
    found = json.loads(run("search", shelf, "ship", "--json").stdout)
    assert [warning["code"] for warning in found["warnings"]] == ["VECTOR_SEARCH_SKIPPED"]
    assert [hit["source_path"] for hit in found["hits"]] == ["sea.txt"]


def test_vectors_alone_need_the_provider(shelf: Path, home: Path) -> None:
    write_catalogue(home, "http://127.0.0.1:9")
    assert run("search", shelf, "ship", "--mode", "vectors").exit_code == 1


def test_a_damaged_file_of_vectors_leaves_the_words(shelf: Path) -> None:
    (shelf / "vectors.sqlite").write_bytes(b"no database" * 1000)
    done = run("search", shelf, "ship")
    assert done.exit_code == 0
    assert first(done).startswith("1. sea.txt, ")
    assert "(VECTOR_SEARCH_SKIPPED)" in done.stderr


def test_a_book_without_all_its_vectors_is_said(
    shelf: Path, script: Script, tmp_path: Path
) -> None:
    script.minds["bells"] = 400
    (town,) = write_books(tmp_path / "more", town="A bridge of stone.\n\n" * 20 + "The bells.")
    cb.World.open(shelf).ingest(town)
    done = run("search", shelf, "boat")
    assert "1 of 4 books" in done.stderr
    assert "(SEARCH_COVERS_PART)" in done.stderr
    assert run("search", shelf, "boat", "--book", "3").stderr == ""


def test_a_world_without_vectors_is_searched_by_words(tmp_path: Path) -> None:
    world = cb.World.create(tmp_path / "plain")
    world.ingest(write_books(tmp_path / "in", sea=SEA))
    done = run("search", tmp_path / "plain", "ship")
    assert (done.exit_code, done.stderr, "meaning" in done.stdout) == (0, "", False)
    done = run("search", tmp_path / "plain", "ship", "--mode", "hybrid")
    assert (done.exit_code, "cleanbreak embed" in done.stderr) == (1, True)


def test_wrong_options_are_said(shelf: Path, tmp_path: Path) -> None:
    assert "hybrid" in run("search", shelf, "ship", "--mode", "meaning").stderr
    assert run("search", shelf, "ship", "--min-similarity", "2").exit_code == 2
    notes = write_notes(tmp_path / "notes", {"a.md": "ship"})
    cb.Vault.index(notes).close()
    done = run("search", notes, "ship", "--mode", "hybrid")
    assert (done.exit_code, "no vectors" in done.stderr) == (2, True)
    assert run("search", notes, "ship", "--mode", "words").exit_code == 0
