"""The stage of embeddings: each chunk has the vector of its own text, and nothing is paid twice."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the extra vectors is not installed")

import cleanbreak as cb
from bookshelf import HILL, SETTINGS, record_of, write_books
from cleanbreak import errors
from cleanbreak.providers.embedding import make_embedder
from cleanbreak.providers.embedding.objects import ObjectEmbedder
from cleanbreak.storage.files import Files
from embedders import Plain, assert_vectors, stored_vectors


@pytest.fixture
def plain() -> Plain:
    return Plain()


@pytest.fixture
def embedder(plain: Plain) -> ObjectEmbedder:
    return ObjectEmbedder(plain)


@pytest.fixture
def embedded(world: cb.World, embedder: ObjectEmbedder, plain: Plain) -> cb.World:
    """The world of three books with its vectors; nothing was asked since."""
    assert world.embed(embedder).state == "completed"
    plain.asked.clear()
    return world


def texts_of(root: Path) -> list[tuple[int, int, str]]:
    chunks = cb.World.open(root).chunks()
    found = [(chunk.book_number, chunk.chunk_number, chunk.chunk_text) for chunk in chunks]
    assert len(found) > 20
    return found


def assert_right(root: Path) -> None:
    """Every chunk has the vector of its text, no other is there, and the world says so."""
    assert_vectors(root, texts_of(root))
    world = cb.World.open(root)
    assert world.status().stages["embeddings"] == "complete"
    assert world.verify().ok


def manifest(root: Path, book: int = 1) -> Path:
    return root / f"books/book-{book:04d}/embeddings.json"


def read_manifest(root: Path, book: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(manifest(root, book).read_bytes())
    return found


def forget(root: Path, where: str) -> int:
    """Delete points from the file, as nobody should; how many were deleted."""
    with closing(sqlite3.connect(root / "vectors.sqlite")) as connection:
        deleted = connection.execute(f"DELETE FROM points WHERE {where}").rowcount
        connection.commit()
    return deleted


# --- the first time -------------------------------------------------------------------------------


def test_every_chunk_gets_the_vector_of_its_text_once(
    world: cb.World, root: Path, embedder: ObjectEmbedder, plain: Plain
) -> None:
    report = world.embed(embedder)
    assert report.state == "completed"
    assert sorted(plain.texts) == sorted(text for _, _, text in texts_of(root))
    assert_right(root)
    assert read_manifest(root)["embedded_chunks"] == read_manifest(root)["total_chunks"]


def test_a_second_run_asks_for_nothing_and_writes_nothing(
    embedded: cb.World, root: Path, embedder: ObjectEmbedder, plain: Plain
) -> None:
    before = record_of(root)
    embedded.embed(embedder)
    embedded.resume()
    assert plain.asked == []
    assert before == record_of(root)


def test_a_book_that_comes_later_gets_its_vectors_with_its_chunks(
    embedded: cb.World, root: Path, tmp_path: Path, plain: Plain
) -> None:
    embedded.ingest(write_books(tmp_path / "more", gate="A gate stood open all night. " * 9))
    assert set(plain.texts) == {text for book, _, text in texts_of(root) if book == 4}
    assert_right(root)


def test_blank_chunks_get_no_vector_and_count_as_done(
    root: Path, tmp_path: Path, embedder: ObjectEmbedder
) -> None:
    text = "A lamp.\n" + " \n" * 200 + "A light.\n" + "The night was long and no one spoke. " * 30
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(write_books(tmp_path / "in", blank=text))
    assert world.embed(embedder).state == "completed"
    blank = [number for _, number, text in texts_of(root) if not text.strip()]
    assert read_manifest(root)["skipped_blank_chunks"] == len(blank)
    assert len(stored_vectors(root)) == len(texts_of(root)) - len(blank)


def test_a_world_without_a_model_is_not_given_one(world: cb.World, root: Path) -> None:
    before = record_of(root)
    with pytest.raises(errors.ProfileRequiredError):
        world.embed()
    assert before == record_of(root)
    assert not (root / "vectors.sqlite").exists()


def test_documents_and_queries_have_the_same_dimensions(embedder: ObjectEmbedder) -> None:
    assert embedder.embed(["sea"]).shape == embedder.embed(["sea"], "query").shape


def test_passages_are_stored_and_counted_by_chunk(
    root: Path, books: list[Path], plain: Plain
) -> None:
    """A chunk of several passages has a vector for each, and they cover its text."""
    world = cb.World.create(root, settings={"chunk_size": 2000})
    world.ingest(books)
    world.embed(make_embedder(plain, unit="passages"))
    chunks = [chunk.chunk_text for chunk in world.chunks()]
    assert len(plain.texts) > len(chunks)
    assert "".join(plain.texts) == "".join(chunks)
    assert len(stored_vectors(root)) == len(plain.texts)
    assert read_manifest(root)["points"] > read_manifest(root)["embedded_chunks"]
    assert world.status().stages["embeddings"] == "complete"
    assert world.verify().ok


# --- what is lost, and what changed ---------------------------------------------------------------


@pytest.mark.parametrize("damage", ["deleted", "torn", "of another kind"])
def test_a_lost_manifest_costs_no_call(
    damage: str, embedded: cb.World, root: Path, embedder: ObjectEmbedder, plain: Plain
) -> None:
    before = read_manifest(root)
    data = manifest(root).read_bytes()
    if damage == "deleted":
        manifest(root).unlink()
    else:
        manifest(root).write_bytes(data[:-40] if damage == "torn" else b"[]")
    assert embedded.embed(embedder).state == "completed"
    assert plain.asked == []
    assert before == read_manifest(root) | {"ingestion_run_id": before["ingestion_run_id"]}


def test_a_lost_point_costs_one_call(
    embedded: cb.World, root: Path, embedder: ObjectEmbedder, plain: Plain
) -> None:
    assert forget(root, "book_number = 2 AND chunk_number = 3") == 1
    assert cb.World.open(root).status().stages["embeddings"] == "partial"
    assert {p.code for p in embedded.verify().problems} == {"VECTOR_MISSING"}
    embedded.embed(embedder)
    assert len(plain.texts) == 1
    assert_right(root)


def test_a_lost_passage_costs_those_of_its_chunk(
    root: Path, books: list[Path], plain: Plain
) -> None:
    """Points of a chunk are written together, so that no chunk is known by a part of its text."""
    world = cb.World.create(root, settings={"chunk_size": 2000})
    world.ingest(books)
    world.embed(make_embedder(plain, unit="passages"))
    right = stored_vectors(root)
    plain.asked.clear()
    assert forget(root, "book_number = 1 AND json_extract(payload, '$.passage_number') = 2") == 1
    world.embed(make_embedder(plain, unit="passages"))
    assert set(plain.texts) < {text for texts in plain.asked for text in texts}
    assert right == stored_vectors(root)
    assert world.verify().ok


def test_vectors_that_are_lost_as_a_whole_are_made_again(
    embedded: cb.World, root: Path, embedder: ObjectEmbedder, plain: Plain
) -> None:
    (root / "vectors.sqlite").unlink()
    assert cb.World.open(root).status().stages["embeddings"] == "partial"
    embedded.embed(embedder)
    assert len(plain.texts) == len(texts_of(root))
    assert_right(root)


def test_the_vector_of_other_text_goes_and_one_call_makes_the_right_one(
    embedded: cb.World, root: Path, plain: Plain
) -> None:
    (text,) = (text for book, number, text in texts_of(root) if (book, number) == (1, 3))
    with closing(sqlite3.connect(root / "vectors.sqlite")) as connection:
        connection.execute(
            "UPDATE points SET vector = zeroblob(16),"
            " payload = json_set(payload, '$.text_hash', '0123')"
            " WHERE book_number = 1 AND chunk_number = 3"
        )
        connection.commit()
    assert {p.code for p in embedded.verify().problems} == {"VECTOR_STALE"}
    embedded.resume()
    assert plain.texts == [text]
    assert_right(root)


@pytest.mark.parametrize("lost_manifest", [False, True])
def test_a_chunk_that_was_damaged_on_the_disk_costs_no_vector(
    lost_manifest: bool, embedded: cb.World, root: Path, embedder: ObjectEmbedder, plain: Plain
) -> None:
    """Those of the chunks behind it were removed, as nothing proved that they are of the book."""
    path = root / "books/book-0001/chunks/000003.json"
    path.write_bytes(path.read_bytes().replace(b"storm", b"calms").replace(b"sea", b"bay"))
    if lost_manifest:
        manifest(root).unlink()
    assert "VECTOR_STALE" not in {p.code for p in embedded.verify().problems}
    stored = stored_vectors(root)
    cb.World.open(root).embed(embedder)
    assert stored == stored_vectors(root)
    embedded.resume()
    assert plain.asked == []
    assert_right(root)


def test_a_book_cut_again_keeps_no_old_vector(embedded: cb.World, root: Path, plain: Plain) -> None:
    """Also where the new chunks are fewer than the old."""
    before = len(texts_of(root))
    embedded.reingest(settings={**SETTINGS, "chunk_size": 60, "overlap_size": 0})
    assert len(texts_of(root)) < before
    assert sorted(plain.texts) == sorted(text for _, _, text in texts_of(root))
    assert_right(root)


def test_a_source_that_was_replaced_keeps_no_old_vector(
    embedded: cb.World, root: Path, tmp_path: Path, plain: Plain
) -> None:
    (new,) = write_books(tmp_path / "new", hill=HILL.replace("hill", "dune"))
    embedded.reingest(replace=new)
    assert set(plain.texts) == {text for book, _, text in texts_of(root) if book == 2}
    assert_right(root)


def test_a_book_that_was_removed_has_no_vectors(embedded: cb.World, root: Path) -> None:
    assert {book for book, _, _ in stored_vectors(root)} == {1, 2, 3}
    embedded.remove(2)
    assert {book for book, _, _ in stored_vectors(root)} == {1, 3}
    assert_right(root)


def test_two_worlds_never_see_the_points_of_each_other(
    embedded: cb.World, root: Path, tmp_path: Path, plain: Plain
) -> None:
    """Even with one's file of vectors in the place of the other's."""
    other = cb.World.create(tmp_path / "other", settings=SETTINGS)
    other.ingest(write_books(tmp_path / "in"))
    other.embed(ObjectEmbedder(plain))
    plain.asked.clear()
    shutil.copy(root / "vectors.sqlite", tmp_path / "other/vectors.sqlite")
    assert cb.World.open(tmp_path / "other").status().stages["embeddings"] == "partial"
    other.embed(ObjectEmbedder(plain))
    assert len(plain.texts) == len(texts_of(root))
    assert other.verify().ok


def test_a_copied_world_needs_no_new_vectors(
    embedded: cb.World, root: Path, tmp_path: Path, plain: Plain, embedder: ObjectEmbedder
) -> None:
    shutil.copytree(root, tmp_path / "copy")
    cb.World.open(tmp_path / "copy").embed(embedder)
    assert plain.asked == []
    assert_right(tmp_path / "copy")


def test_a_damaged_store_is_an_error_that_says_what_to_do(
    embedded: cb.World, root: Path, embedder: ObjectEmbedder, plain: Plain
) -> None:
    (root / "vectors.sqlite").write_bytes(b"no database " * 900)
    assert {p.code for p in embedded.verify().problems} == {"VECTOR_STORE_UNAVAILABLE"}
    assert cb.World.open(root).status().stages["embeddings"] == "partial"
    with pytest.raises(errors.VectorStoreMalformedError, match="delete it"):
        embedded.embed(embedder)
    assert plain.asked == []
    (root / "vectors.sqlite").unlink()
    embedded.embed(embedder)
    assert_right(root)


@pytest.mark.parametrize("left", [b"", None])
def test_a_store_whose_writer_was_killed_at_its_start_is_no_damage(
    left: bytes | None, embedded: cb.World, root: Path, embedder: ObjectEmbedder
) -> None:
    """An empty file, or one without tables."""
    path = root / "vectors.sqlite"
    path.unlink()
    if left is None:
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
    else:
        path.write_bytes(left)
    assert {p.code for p in embedded.verify().problems} == {"VECTOR_MISSING", "MORE"}
    embedded.embed(embedder)
    assert_right(root)


def test_to_look_at_a_world_writes_nothing_to_its_vectors(embedded: cb.World, root: Path) -> None:
    files = {p: p.read_bytes() for p in root.iterdir() if p.name.startswith("vectors.sqlite")}
    embedded.status()
    embedded.verify()
    assert files == {p: p.read_bytes() for p in files}


# --- the lock -------------------------------------------------------------------------------------


class Other(Plain):
    name = "plain/other"


def test_vectors_of_another_model_are_refused(embedded: cb.World, root: Path) -> None:
    before = record_of(root)
    other = Other()
    with pytest.raises(errors.ProfileLockedError):
        embedded.embed(other)
    assert before == record_of(root)
    assert other.texts == []


def test_another_model_can_take_the_place_of_the_first(embedded: cb.World, root: Path) -> None:
    other = Other()
    assert embedded.embed(other, replace=True).state == "completed"
    assert len(other.texts) == len(texts_of(root))
    assert_right(root)
    profile = json.loads((root / "world.json").read_bytes())["embedding_profile"]
    assert profile["model_id"] == "plain/other"


def test_the_same_model_is_not_asked_again_by_replace(
    embedded: cb.World, embedder: ObjectEmbedder, plain: Plain
) -> None:
    embedded.embed(embedder, replace=True)
    assert plain.asked == []


def test_a_model_that_only_the_caller_has_is_asked_for(
    embedded: cb.World, root: Path, tmp_path: Path
) -> None:
    """A book that is added without it has its chunks, and words find it."""
    world = cb.World.open(root)
    report = world.ingest(write_books(tmp_path / "more", gate="A gate stood open all night. " * 9))
    assert [failure.error.code for failure in report.failures] == ["EMBEDDER_NEEDED"]
    assert report.state == "paused"
    assert world.search("gate", mode="words")[0].source_key == "book-0004"
    with pytest.raises(errors.EmbedderNeededError):
        cb.World.open(root).embed()
    cb.World.open(root).embed(Plain())
    assert_right(root)


# --- costs ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_bytes_of_the_manifest_grow_with_the_chunks(root: Path, tmp_path: Path) -> None:
    """Of 10,000 chunks a third fails, and the manifest names each of them."""
    written = 0

    def count(step: str, path: Path) -> None:
        nonlocal written
        if step == "sync" and "embeddings.json" in path.name:
            written += path.stat().st_size

    class Picky(Plain):
        def embed(self, texts: Any) -> list[list[float]]:
            return [[float("7" not in text), 0, 0, 0] for text in texts]

    chunks = 10_000
    text = "".join(f"Line {number:07d} of the book.\n" for number in range(chunks))
    settings = {"chunk_size": 28, "max_lookback": 10, "overlap_size": 0}
    world = cb.World.create(root, settings=settings, files=Files(count))
    world.ingest(write_books(tmp_path / "in", book=text))
    world.embed(Picky())
    assert read_manifest(root)["total_chunks"] == chunks
    assert len(read_manifest(root)["failed"]) == 3439
    assert 0 < written < 150 * chunks


def test_points_of_each_book_are_counted_once(
    embedded: cb.World, root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """To add books to a world of many must not cost the square of their number."""
    from cleanbreak.stores.vectors.sqlite import SqliteVectors

    counted: list[object] = []
    count = SqliteVectors.count

    def watched(store: SqliteVectors, where: Any) -> int:
        counted.append(where)
        return count(store, where)

    monkeypatch.setattr(SqliteVectors, "count", watched)
    texts = {f"b{number}": f"Book {number} has a gate. " * 5 for number in range(6)}
    embedded.ingest(write_books(tmp_path / "more", **texts))
    assert 0 < len(counted) <= 2 * 9


# --- bad answers ----------------------------------------------------------------------------------


def test_a_chunk_whose_vector_is_no_number_fails_alone(world: cb.World, root: Path) -> None:
    class Odd(Plain):
        def embed(self, texts: Any) -> list[list[float]]:
            rows = super().embed(texts)
            for row, text in zip(rows, texts, strict=True):
                if "storm came" in text:
                    row[0] = float("nan")
            return rows

    bad = [number for _, number, text in texts_of(root) if "storm came" in text]
    report = world.embed(Odd())
    assert report.state == "paused"
    failed = read_manifest(root)["failed"]
    assert [entry["chunk_number"] for entry in failed] == bad
    assert {entry["last_error_code"] for entry in failed} == {"EMBEDDING_VECTOR_INVALID"}
    assert len(stored_vectors(root)) == len(texts_of(root)) - len(bad)
    world.embed(Plain())
    assert_right(root)


def test_an_object_that_raises_fails_the_books_and_is_not_asked_for_ever(
    world: cb.World, root: Path
) -> None:
    class Broken(Plain):
        def embed(self, texts: Any) -> list[list[float]]:
            if texts != ["dimensions"]:
                self.asked.append(list(texts))
                raise ConnectionError("text " + texts[0])
            return super().embed(texts)

    broken = Broken()
    report = world.embed(broken)
    assert {failure.error.code for failure in report.failures} == {"EMBEDDER_FAILED"}
    assert 0 < len(broken.asked) < 60
    assert stored_vectors(root) == {}
    world.embed(Plain())
    assert_right(root)


# --- stopping -------------------------------------------------------------------------------------


def test_a_stop_with_a_call_under_way_drops_its_answer(world: cb.World, root: Path) -> None:
    """It is heard within a second or two, and the answer that comes late changes nothing."""
    stopped, late = threading.Event(), threading.Event()

    class Slow(Plain):
        def embed(self, texts: Any) -> list[list[float]]:
            if texts != ["dimensions"] and len(self.asked) > 1:
                stopped.set()
                assert late.wait(30)
            return super().embed(texts)

    embedder = ObjectEmbedder(slow := Slow())
    embedder.most_texts = 4
    with pytest.raises(errors.RunInterruptedError):
        world.embed(embedder, stop=stopped.is_set)
    stored, written = stored_vectors(root), manifest(root).read_bytes()
    calls = len(slow.asked)
    assert calls == 2
    assert len(stored) == 4
    assert read_manifest(root)["embedded_chunks"] == 4
    late.set()
    for thread in threading.enumerate():
        if thread.name.startswith("ThreadPoolExecutor"):
            thread.join(10)
    assert stored == stored_vectors(root)
    assert written == manifest(root).read_bytes()
    assert len(slow.asked) <= calls + 2
    (book, *_) = cb.World.open(root).status().books
    assert book.stages["embeddings"] is not None
    assert book.stages["embeddings"].done == 4
    plain = Plain()
    world.embed(plain)
    assert len(plain.texts) == len(texts_of(root)) - 4
    assert_right(root)


# --- silence --------------------------------------------------------------------------------------

MARKER = "marmalade"


def test_no_text_is_in_a_store_a_manifest_a_log_or_an_error(
    root: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With every message of every level on; the files of vectors are searched byte by byte."""
    caplog.set_level("DEBUG")

    class Failing(Plain):
        def embed(self, texts: Any) -> list[list[float]]:
            if texts != ["dimensions"] and len(self.asked) > 3:
                raise ValueError(texts[0])
            return super().embed(texts)

    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(write_books(tmp_path / "in", jam=f"The {MARKER} was kept in a tin box. " * 40))
    embedder = ObjectEmbedder(Failing())
    embedder.most_texts = 2
    report = world.embed(embedder)
    assert report.failures
    said = json.dumps(report.as_dict()) + repr(report) + caplog.text
    assert MARKER not in said
    assert str(tmp_path) not in said
    world.embed(Plain())
    held = [*root.glob("vectors.sqlite*"), manifest(root)]
    assert held
    for path in held:
        for encoding in ("utf-8", "utf-16-le"):
            assert MARKER.encode(encoding) not in path.read_bytes(), path.name
    assert_right(root)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("ThreadPoolExecutor"):
            thread.join(30)
