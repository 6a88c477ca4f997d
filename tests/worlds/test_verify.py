"""Verify: an fsck that finds every kind of damage, writes nothing, and repairs what it can."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, record_of, write_books
from cleanbreak.worlds import records

CHUNK = "books/book-0001/chunks/000004.json"
MANIFEST = "books/book-0001/manifest.json"


def forge(path: Path, **changes: object) -> None:
    """Change a chunk and make its own digest right again."""
    import hashlib

    import msgspec

    record = json.loads(path.read_bytes()) | changes
    del record["record_sha256"]
    body = msgspec.json.encode(record)
    tail = b',"record_sha256":"%s"}\n' % hashlib.sha256(body).hexdigest().encode()
    path.write_bytes(body[:-1] + tail)
    assert records.record_digest(path.read_bytes())


def edit(path: Path, **changes: object) -> None:
    path.write_text(
        json.dumps(json.loads(path.read_bytes()) | {"manifest_sha256": None} | changes),
        encoding="utf-8",
    )


def lose_chunk(root: Path) -> None:
    (root / CHUNK).unlink()


def tear_chunk(root: Path) -> None:
    (root / CHUNK).write_bytes((root / CHUNK).read_bytes()[:100])


def forge_text(root: Path) -> None:
    text = json.loads((root / CHUNK).read_bytes())["chunk_text"]
    forge(root / CHUNK, chunk_text="x" * len(text))


def forge_offsets(root: Path) -> None:
    forge(root / CHUNK, character_start_offset=1, byte_offset=1)


def forge_overlap(root: Path) -> None:
    overlap = json.loads((root / CHUNK).read_bytes())["overlap_text"]
    forge(root / CHUNK, overlap_text="x" * len(overlap))


def forge_owner(root: Path) -> None:
    forge(root / CHUNK, book_number=2)


def exchange_chunks(root: Path) -> None:
    shutil.copy(root / "books/book-0002/chunks/000004.json", root / CHUNK)


def lose_manifest(root: Path) -> None:
    (root / MANIFEST).unlink()


def alter_source(root: Path) -> None:
    (root / "sources/book-0001/sea.txt").write_text("x")


def lose_backup(root: Path) -> None:
    shutil.rmtree(root / "backups/book-0001")


DAMAGE: dict[Callable[[Path], None], set[str]] = {
    lose_chunk: {"CHUNK_LOST"},
    tear_chunk: {"CHUNK_LOST"},
    forge_text: {"OFFSETS_WRONG", "OVERLAP_DIFFERS", "CHAIN_DIFFERS"},
    forge_offsets: {"OFFSETS_WRONG", "NOT_CONTIGUOUS"},
    forge_overlap: {"OVERLAP_DIFFERS"},
    forge_owner: {"CHUNK_FOREIGN"},
    exchange_chunks: {"CHUNK_FOREIGN"},
    lose_manifest: {"MANIFEST_MALFORMED"},
    alter_source: {"WORKING_COPY_ALTERED"},
    lose_backup: {"BACKUP_COPY_MISSING"},
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_found_and_repaired(
    damage: Callable[[Path], None], world: cb.World, root: Path
) -> None:
    """Found without writing, then repaired: the chunks are as before, and said to be repaired."""
    before = record_of(root / "books/book-0001/chunks")
    damage(root)
    damaged = record_of(root)
    found = {problem.code for problem in world.verify().problems} - {"INDEX_BEHIND"}
    assert found
    assert found <= DAMAGE[damage]
    assert damaged == record_of(root)
    report = world.verify(repair=True)
    assert report.ok
    assert found <= {problem.code for problem in report.repaired}
    assert before == record_of(root / "books/book-0001/chunks")


def test_a_sound_world_is_counted(world: cb.World) -> None:
    """Books and chunks that were checked."""
    report = world.verify()
    status = world.status()
    assert (True, 3, status.chunks) == (report.ok, report.books, report.chunks)


def test_text_of_another_edition_is_found(world: cb.World, root: Path) -> None:
    """The chunks together must be the text that the manifest names."""
    edit(root / MANIFEST, text_length=7)
    assert {"TEXT_DIFFERS"} == {problem.code for problem in world.verify().problems}


def test_a_foreign_manifest_is_found(world: cb.World, root: Path) -> None:
    """And never repaired by guessing."""
    shutil.copy(root / "books/book-0002/manifest.json", root / MANIFEST)
    assert "MANIFEST_FOREIGN" in {problem.code for problem in world.verify().problems}


def test_a_book_all_of_whose_chunks_are_lost_is_found(world: cb.World, root: Path) -> None:
    """Its folder is gone, manifest and all: that was taken for a book not begun."""
    shutil.rmtree(root / "books/book-0002")
    problems = [(problem.code, problem.book_number) for problem in world.verify().problems]
    assert problems == [("STAGE_INCOMPLETE", 2)]
    assert world.verify(repair=True).ok


def test_a_book_with_many_losses_is_summed_up(world: cb.World, root: Path) -> None:
    """A lost folder is not listed chunk by chunk."""
    shutil.rmtree(root / "books/book-0001/chunks")
    problems = world.verify().problems
    assert any(problem.code == "MORE" for problem in problems)
    assert world.verify(repair=True).ok


def test_what_cannot_be_repaired_stays_a_problem(world: cb.World, root: Path) -> None:
    """With both copies gone a lost chunk stays lost, and the report says so."""
    for kind in ("sources", "backups"):
        shutil.rmtree(root / kind / "book-0001")
    (root / CHUNK).unlink()
    report = world.verify(repair=True)
    assert {"CHUNK_LOST", "WORKING_COPY_MISSING", "BACKUP_COPY_MISSING"} <= {
        problem.code for problem in report.problems
    }


# --- the index -----------------------------------------------------------------------------------


def test_deleting_the_index_costs_only_time(world: cb.World, root: Path) -> None:
    """It is made again by the next search."""
    before = [hit.chunk_id for hit in world.search("storm")]
    for path in root.glob("index.sqlite*"):
        path.unlink()
    assert before == [hit.chunk_id for hit in world.search("storm")]
    assert (root / "index.sqlite").exists()


@pytest.mark.parametrize("data", [b"", b"not a database", b"SQLite format 3\0" + bytes(2000)])
def test_a_damaged_index_is_rebuilt(data: bytes, world: cb.World, root: Path) -> None:
    """It holds nothing that the files do not."""
    for path in root.glob("index.sqlite-*"):
        path.unlink()
    (root / "index.sqlite").write_bytes(data)
    assert world.search("storm")
    assert world.reindex() == 3


def test_search_shows_only_what_manifest_and_file_prove(world: cb.World, root: Path) -> None:
    """An indexed chunk whose file was altered or lost is passed over, and not shown from the index."""
    hits = world.search("storm", limit=50)
    (root / f"books/book-0001/chunks/{hits[0].number:06d}.json").unlink()
    left = {hit.number for hit in world.search("storm", limit=50)}
    assert {hit.number for hit in hits[1:]} == left
    edit(root / MANIFEST, completed_chunks=0)
    assert world.search("storm") == []


def test_the_index_and_the_files_agree_wherever_a_run_was_stopped(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped before, between and after indexing: a search sees what the files hold (case I03)."""
    from cleanbreak.worlds.stages import fulltext

    world = cb.World.create(root)

    def stop_here(*_: object) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(fulltext.FullText, "run", stop_here)
        patch.setattr(fulltext.SourceWriter, "set_digest", stop_here)
        with pytest.raises(KeyboardInterrupt):
            world.ingest(books)
    assert world.search("storm")
    assert world.search("bells") == []  # its book is not cut yet
    world.resume()
    assert world.search("bells")
    with monkeypatch.context() as patch:
        patch.setattr(fulltext.SourceWriter, "add", stop_here)
        with pytest.raises(KeyboardInterrupt):
            world.reindex()
    again = cb.World.open(root)
    assert again.search("bells")
    assert again.verify().ok


def test_a_disk_that_cannot_be_read_is_one_error_of_ours(
    world: cb.World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No raw exception leaves, and no path with it."""
    import errno

    from cleanbreak.worlds import layout

    def refuse(folder: Path) -> list[str]:
        raise PermissionError(errno.EACCES, "Permission denied", str(folder))

    monkeypatch.setattr(layout, "names_in", refuse)
    for use in (world.verify, world.status, world.resume, lambda: world.plan([])):
        with pytest.raises(cb.CleanbreakError) as caught:
            use()
        assert str(root) not in str(caught.value)


def test_a_search_says_that_altered_chunks_were_left_out(tmp_path: Path) -> None:
    """A hit that vanished without a word would be a wrong answer."""
    world = cb.World.create(tmp_path / "world", settings=SETTINGS)
    world.ingest(write_books(tmp_path, sea=SEA))
    everything = world.search("storm", limit=50)
    assert everything.warnings == ()
    hit = everything[0]
    path = tmp_path / f"world/books/book-0001/chunks/{hit.number:06d}.json"
    path.write_bytes(path.read_bytes().replace(b"storm", b"STORM"))
    found = world.search("storm", limit=50)
    assert [one.number for one in found] == [h.number for h in everything if h is not hit]
    assert [(w.code, w.count) for w in found.warnings] == [("CHUNKS_NOT_PROVED", 1)]
    assert "verify WORLD --repair" in found.warnings[0].message
    world.verify(repair=True)
    again = world.search("storm", limit=50)
    assert (len(again), again.warnings) == (len(everything), ())


@pytest.mark.parametrize("name", ["000000.json", "009999.json", "9999999.json"])
@pytest.mark.parametrize("is_folder", [False, True])
def test_what_has_the_name_of_a_chunk_is_found_and_removed(
    tmp_path: Path, name: str, is_folder: bool
) -> None:
    """Left by a copy of another world, say; other names are nobody's business."""
    world = cb.World.create(tmp_path / "world", settings=SETTINGS)
    world.ingest(write_books(tmp_path, sea=SEA))
    chunks = tmp_path / "world/books/book-0001/chunks"
    (chunks / ".DS_Store").write_bytes(b"x")
    assert world.verify().ok
    stray = chunks / name
    if is_folder:
        (stray / "inside").mkdir(parents=True)
    else:
        stray.write_bytes(b"{}")
    (problem,) = world.verify().problems
    assert (problem.code, problem.chunk_number) == ("CHUNK_STRAY", int(stray.stem))
    assert world.verify(repair=True).ok
    assert not stray.exists()
    assert (chunks / ".DS_Store").exists()
