"""Ingesting: plan, then commit; append, resume, conflict."""

import json
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import HILL, SEA, SETTINGS, TOWN, stored_text
from cleanbreak import errors


def files_of(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of the record with when it was written and what it holds."""
    return {
        str(path.relative_to(root)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith(("index.", "world.lock"))
    }


def test_ingest_stores_every_book_whole(root: Path, books: list[Path]) -> None:
    """Sources in two copies, chunks that join to the text, a completed run."""
    world = cb.World.create(root, settings=SETTINGS)
    report = world.ingest(books)
    assert report.state == "completed"
    assert [book.source_filename for book in report.books] == ["sea.txt", "hill.txt", "town.txt"]
    for number, text in enumerate((SEA, HILL, TOWN), 1):
        assert text == stored_text(root, number)
        name = books[number - 1].name
        for kind in ("sources", "backups"):
            copy = root / kind / f"book-{number:04d}" / name
            assert books[number - 1].read_bytes() == copy.read_bytes()
    assert cb.World.open(root).verify().ok


def test_chunk_files_hold_the_fields_of_the_specification(root: Path, books: list[Path]) -> None:
    """Names, offsets in both units, identity and digests, as docs/world-format.md lists them."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(books[0])
    folder = root / "books/book-0001/chunks"
    chunks = cb.split(SEA, **SETTINGS)
    assert [f"{n:06d}.json" for n in range(1, len(chunks) + 1)] == sorted(
        path.name for path in folder.iterdir()
    )
    for chunk in chunks:
        record = json.loads((folder / f"{chunk.number:06d}.json").read_bytes())
        assert chunk.text == record["chunk_text"]
        assert chunk.overlap_text == record["overlap_text"]
        assert (chunk.number, len(chunks)) == (record["chunk_number"], record["total_chunks"])
        start, end = record["character_start_offset"], record["character_end_offset"]
        assert chunk.text == SEA[start:end]
        at = record["byte_offset"]
        assert chunk.text.encode() == SEA.encode()[at : at + record["byte_length"]]
        assert (world.uuid, 1) == (record["world_uuid"], record["book_number"])
        assert record["source_filename"] == "sea.txt"
        assert (record["splitter"], record["splitter_version"]) == ("boundary", 1)
        assert None is record["token_count"] is record["heading_path"]


def test_search_finds_with_a_citation(root: Path, books: list[Path]) -> None:
    """What was ingested is found, with the place where it stands."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(books)
    hits = world.search("bells")
    assert hits
    assert all("bells" in hit.text and "town.txt" in hit.citation for hit in hits)


def test_the_same_book_again_writes_nothing(root: Path, books: list[Path]) -> None:
    """A stored and complete book is proved, not rewritten; not even the run changes."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(books)
    before = files_of(root)
    report = world.ingest(books)
    assert (report.run_id, report.books) == (None, ())
    assert before == files_of(root)


def test_a_new_name_is_appended(root: Path, books: list[Path]) -> None:
    """Books get the next number, and those before stay untouched."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(books[:1])
    before = files_of(root / "books/book-0001")
    report = cb.World.open(root).ingest(books[1:])
    assert [book.book_number for book in report.books] == [2, 3]
    assert before == files_of(root / "books/book-0001")


def test_other_bytes_under_a_stored_name_conflict(root: Path, books: list[Path]) -> None:
    """A stored source is never replaced silently; nothing is written."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(books[0])
    before = files_of(root)
    books[0].write_text(SEA + "One more line.", encoding="utf-8")
    with pytest.raises(errors.StateConflictError, match="re-ingest"):
        world.ingest(books)
    assert before == files_of(root)


def test_other_settings_conflict(root: Path, books: list[Path]) -> None:
    """The settings are locked by the first ingest; nothing is written."""
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(books[0])
    before = files_of(root)
    with pytest.raises(errors.StateConflictError, match="locked"):
        world.ingest(books[1], settings=SETTINGS | {"chunk_size": 50})
    assert before == files_of(root)
