"""Status: from the records alone, and in figures that are true."""

import os
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.worlds import records, session


def test_no_chunk_file_is_looked_at(
    world: cb.World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each was asked for its size twice: seconds for a few hundred books."""
    looked: list[str] = []
    scandir, stat = os.scandir, Path.stat

    def scan(path: object) -> object:
        looked.append(str(path))
        return scandir(path)  # type: ignore[call-overload]

    def count(path: Path, **options: bool) -> os.stat_result:
        looked.append(str(path))
        return stat(path, **options)

    monkeypatch.setattr(os, "scandir", scan)
    monkeypatch.setattr(Path, "stat", count)
    status = world.status()
    monkeypatch.undo()
    assert looked
    assert [place for place in looked if "chunks" in place] == []
    written = sum(path.stat().st_size for path in root.glob("books/*/chunks/*"))
    copies = sum(path.stat().st_size for path in root.glob("[sb]*s/*/*.txt"))
    assert written + copies == sum(book.size for book in status.books)


def test_each_manifest_is_read_once(
    world: cb.World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an ingest that has nothing to do as well: the cost of a world is that of its manifests."""
    read: list[str] = []
    load = records.load_manifest

    def count(book: object) -> object:
        read.append(str(book))
        return load(book)  # type: ignore[arg-type]

    monkeypatch.setattr(session, "load_manifest", count)
    world.status()
    assert len(read) == 3
    read.clear()
    (hit,) = world.search("hill", limit=1)
    # The index notes what the manifests looked like, so that only that of the hit's book is read.
    assert [hit.source_key] == ["book-0002"]
    assert len(read) == 1
    os.utime(root / "books/book-0003/manifest.json")
    read.clear()
    assert world.search("hill", limit=1).complete
    assert len(read) == 2


def test_a_book_of_an_earlier_version_is_measured(world: cb.World, root: Path) -> None:
    """Its manifest does not count the bytes."""
    before = world.status().books[0].size
    path = root / "books/book-0001/manifest.json"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if "chunk_bytes" not in line and "manifest_sha256" not in line]
    path.write_text("".join(kept).replace('"warnings": [],', '"warnings": []'), "utf-8")
    after = world.status().books[0]
    assert after.state == "complete"
    assert before < after.size < before + 2 * len("".join(lines))


def test_a_measured_status_says_what_the_disk_gives_up(world: cb.World) -> None:
    """A file of a kilobyte takes a block of four; the sum of the bytes was half of it."""
    assert world.status().on_disk is None
    measured = world.status(measured=True)
    assert measured.on_disk
    assert measured.on_disk > sum(book.size for book in measured.books)
