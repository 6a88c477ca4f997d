"""Resume, repair and conflict: only what manifest and files both prove is trusted."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS, record_of
from cleanbreak import errors


def chunk_file(root: Path, number: int, book: int = 1) -> Path:
    return root / f"books/book-{book:04d}/chunks/{number:06d}.json"


def manifest_file(root: Path, book: int = 1) -> Path:
    return root / f"books/book-{book:04d}/manifest.json"


def edit_manifest(root: Path, **changes: object) -> None:
    path = manifest_file(root)
    path.write_text(
        json.dumps(json.loads(path.read_bytes()) | {"manifest_sha256": None} | changes),
        encoding="utf-8",
    )


def delete(path: Path) -> None:
    path.unlink()


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def alter(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"storm", b"calms").replace(b"sea", b"see"))


def another(path: Path) -> None:
    """A whole chunk file, right in itself, in the place of another."""
    shutil.copy(path.with_name("000001.json"), path)


@pytest.mark.parametrize("damage", [delete, truncate, empty, alter, another])
def test_a_damaged_chunk_is_found_and_rewritten(
    damage: Callable[[Path], None], world: cb.World, root: Path
) -> None:
    """Missing, torn, empty, altered, exchanged: each is found, and only it is rewritten."""
    before = record_of(root)
    damage(chunk_file(root, 4))
    untouched = chunk_file(root, 5).stat().st_mtime_ns
    assert not world.verify().ok
    report = world.resume()
    assert [(book.book_number, book.chunks_written) for book in report.books] == [(1, 1)]
    assert before == record_of(root)
    assert untouched == chunk_file(root, 5).stat().st_mtime_ns
    assert world.verify().ok


def test_a_manifest_ahead_of_its_files_is_repaired(world: cb.World, root: Path) -> None:
    """What the manifest claims and the files do not have is made again, from the first gap on."""
    before = record_of(root)
    for number in (3, 4, 9):
        chunk_file(root, number).unlink()
    assert [book.chunks_written for book in world.resume().books] == [3]
    assert before == record_of(root)


def test_trusting_files_still_sees_a_gap_and_an_empty_file(world: cb.World, root: Path) -> None:
    """Names and sizes alone show lost and empty files."""
    before = record_of(root)
    chunk_file(root, 3).unlink()
    chunk_file(root, 2, book=2).write_bytes(b"")
    assert len(world.resume(trust_files=True).books) == 2
    assert before == record_of(root)


def test_a_manifest_behind_its_files_adopts_them(world: cb.World, root: Path) -> None:
    """Files that were written and not yet counted are compared and kept."""
    before = record_of(root)
    manifest = json.loads(manifest_file(root).read_bytes())
    edit_manifest(root, completed_chunks=0, chunks_sha256="0" * 64)
    report = world.resume()
    assert [book.chunks_written for book in report.books] == [0]
    assert manifest == json.loads(manifest_file(root).read_bytes())
    assert before == record_of(root)


@pytest.mark.parametrize("damage", [delete, truncate, empty])
def test_a_lost_manifest_is_rebuilt_with_a_warning(
    damage: Callable[[Path], None], world: cb.World, root: Path
) -> None:
    """The source and the files say all that a manifest says; no chunk is written again."""
    before = manifest_file(root).read_bytes()
    damage(manifest_file(root))
    assert world.status().books[0].state == "damaged"
    report = world.resume()
    assert [book.chunks_written for book in report.books] == [0]
    after = json.loads(manifest_file(root).read_bytes())
    assert [warning["code"] for warning in after.pop("warnings")] == ["MANIFEST_REBUILT"]
    del after["manifest_sha256"]
    assert json.loads(before) | after == json.loads(before)
    assert world.verify().ok


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"format_version": 1}', b"\xff\xfe"])
def test_a_corrupt_world_record_stops(data: bytes, world: cb.World, root: Path) -> None:
    """Nothing else says which settings are locked, so nothing is guessed."""
    (root / "world.json").write_bytes(data)
    for use in (world.resume, world.verify, world.status, lambda: cb.World.open(root)):
        with pytest.raises(errors.WorldMalformedError):
            use()


def test_a_missing_world_record_beside_books_stops(
    world: cb.World, root: Path, books: list[Path]
) -> None:
    """Books without a world.json are not taken for an empty folder."""
    (root / "world.json").unlink()
    with pytest.raises(errors.WorldMalformedError, match="missing"):
        cb.World.open(root)
    with pytest.raises(errors.WorldMalformedError, match="missing"):
        cb.World.draft(root)


def test_a_later_format_is_refused(world: cb.World, root: Path) -> None:
    """What a later version added may be needed to understand the rest."""
    record = json.loads((root / "world.json").read_bytes()) | {"format_version": 2}
    (root / "world.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(errors.FormatTooNewError):
        cb.World.open(root)


def test_a_manifest_of_a_later_format_is_not_rebuilt(world: cb.World, root: Path) -> None:
    """It is not damaged, so it must not be replaced by an older one."""
    edit_manifest(root, format_version=2)
    before = manifest_file(root).read_bytes()
    with pytest.raises(errors.FormatTooNewError):
        world.resume()
    assert before == manifest_file(root).read_bytes()


@pytest.mark.parametrize(
    "changes",
    [
        {"total_chunks": 99, "completed_chunks": 3},
        {"settings": cb.BoundarySplitter(50).recipe.as_dict(), "completed_chunks": 3},
        {"text_sha256": "0" * 64, "completed_chunks": 3},
        {"world_uuid": "another", "completed_chunks": 3},
    ],
)
def test_a_begun_book_that_would_be_cut_otherwise_conflicts(
    changes: dict[str, object], world: cb.World, root: Path
) -> None:
    """Other total, settings or text than when it was begun: nothing in the book is written."""
    edit_manifest(root, **changes)
    chunk_file(root, 5).unlink()
    before = record_of(root / "books")
    with pytest.raises(errors.StateConflictError):
        world.resume()
    assert before == record_of(root / "books")


def test_a_complete_book_cut_with_other_settings_conflicts(world: cb.World, root: Path) -> None:
    """It is not taken for complete: the world's lock and the book's manifest differ."""
    edit_manifest(root, settings=cb.BoundarySplitter(50).recipe.as_dict())
    before = record_of(root / "books")
    with pytest.raises(errors.StateConflictError):
        world.resume()
    assert before == record_of(root / "books")


def test_strays_are_removed(world: cb.World, root: Path) -> None:
    """Temporary files and chunk files over the total go, when their book is next worked on."""
    before = record_of(root)
    (root / ".cb-world.json.tmp").write_bytes(b"x")
    (root / "sources/book-0001/.cb-copy.tmp").write_bytes(b"x")
    (root / "books/book-0001/.cb-manifest.json.tmp").write_bytes(b"x")
    chunk_file(root, 5).with_name(".cb-000005.json.tmp").write_bytes(b"x")
    chunk_file(root, 5).unlink()
    shutil.copy(chunk_file(root, 1), chunk_file(root, 999))
    world.resume()
    assert before == record_of(root)


def test_an_interrupted_book_is_finished_by_ingesting_it_again(
    root: Path, books: list[Path]
) -> None:
    """Same name and bytes resume; the report says what was left to write."""
    world = cb.World.create(root, settings=SETTINGS)
    with pytest.raises(errors.RunInterruptedError):
        world.ingest(books, stop=lambda: True)
    status = cb.World.open(root).status()
    assert status.run.state == "paused" if status.run else None
    plan = world.plan(books)
    assert {"resume", "complete"} >= {source.action for source in plan.sources}
    report = world.ingest(books)
    assert report.state == "completed"
    assert world.verify().ok


def test_a_killed_run_reads_as_paused_and_keeps_its_id(
    world: cb.World, root: Path, books: list[Path]
) -> None:
    """Whoever finds an active run that nobody holds continues it."""
    path = root / "world.json"
    record = json.loads(path.read_bytes())
    record["run"] |= {"state": "active", "ended_at": None}
    path.write_text(json.dumps(record), encoding="utf-8")
    status = world.status()
    assert status.run
    assert status.run.state == "paused"
    report = world.resume()
    assert (record["run"]["run_id"], "completed") == (report.run_id, report.state)
