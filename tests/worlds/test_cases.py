"""What others were bitten by: the `ingest` cases of the shared list, one test each."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, record_of, write_books
from cleanbreak.storage.files import Files

SAMPLES = Path(__file__).parents[2] / "samples"


def records(root: Path, book: int = 1) -> Iterator[dict[str, Any]]:
    for path in sorted((root / f"books/book-{book:04d}/chunks").iterdir()):
        yield json.loads(path.read_bytes())


KILLED = """
import os, sys
import cleanbreak as cb
from cleanbreak import errors
from cleanbreak.storage.files import Files

def die(step, path):
    if step == "make_folder" and path.name == "chunks":
        os._exit(9)

cb.World.open(sys.argv[1], files=Files(die)).ingest(sys.argv[2])
"""


def test_i02_a_registered_source_is_not_a_finished_one(root: Path, books: list[Path]) -> None:
    """Killed between storing the source and writing its chunks: the next run does not skip it."""
    cb.World.create(root, settings=SETTINGS)
    killed = subprocess.run([sys.executable, "-c", KILLED, root, books[0]], check=False)
    assert killed.returncode == 9
    world = cb.World.open(root)
    assert [source.action for source in world.plan(books[0]).sources] == ["resume"]
    report = world.ingest(books[0])
    assert len(cb.split(SEA, **SETTINGS)) == report.books[0].chunks_written
    assert world.verify().ok


def test_i04_again_unchanged_then_edited(world: cb.World, root: Path, books: list[Path]) -> None:
    """Unchanged chunks keep the ids of their text's position; no search returns old text."""
    text = SEA.replace("calm", "wild", 1)
    books[0].write_text(text, encoding="utf-8", newline="")
    world.reingest([], replace=books[0])
    assert text == "".join(record["chunk_text"] for record in records(root))
    calm = sum("calm" in chunk.text for chunk in cb.split(text, **SETTINGS))
    assert calm == len(world.search("calm", limit=50))
    assert world.search("wild")


def test_i06_repeats_and_twins_have_ids_of_their_own(root: Path, tmp_path: Path) -> None:
    """One paragraph fifty times; a second file of the same content is said and not taken."""
    twice = write_books(
        tmp_path / "in", one="The same again.\n\n" * 50, two="The same again.\n\n" * 50
    )
    world = cb.World.create(root, settings={"chunk_size": 20})
    assert world.ingest(twice).same == {"two.txt": "one.txt"}
    ids = [record["chunk_id"] for record in records(root)]
    assert len(ids) == len(set(ids)) >= 50
    assert [book.source_path for book in world.books()] == ["one.txt"]


def test_i07_a_renamed_file(world: cb.World, root: Path, books: list[Path]) -> None:
    """It is the book that it was: nothing is cut again, and the plan says under which path it is."""
    renamed = books[0].rename(books[0].with_name("ocean.txt"))
    (planned,) = world.plan(renamed).sources
    assert (planned.action, planned.book_number, planned.same_content_as) == ("same", 1, "sea.txt")
    before = record_of(root)
    world.ingest(renamed)
    assert before == record_of(root)


def test_i10_pages_of_a_pdf(root: Path) -> None:
    """Every chunk names its first and last page; the spans of the pages partition the text."""
    sample = SAMPLES / "the-keeper-of-sand-point.pdf"
    document = cb.read(sample)
    pages = [section for section in document.sections if section.kind == "page"]
    assert pages[0].span.start == 0
    assert len(document.text) == pages[-1].span.end
    assert all(a.span.end == b.span.start for a, b in pairwise(pages))
    cb.World.create(root, settings={"chunk_size": 900}).ingest(sample)
    crossing = 0
    for record in records(root):
        start, end = record["character_start_offset"], record["character_end_offset"]
        touched = [p.title for p in pages if p.span.start < end and start < p.span.end]
        assert (touched[0], touched[-1]) == (record["first_page"], record["last_page"])
        crossing += len(touched) > 1
    assert crossing


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("“Smart” quotes – they’re in Windows text. ".encode("cp1252") * 20, "1252"),
        (b"\xff\xfe" + "Little endian text. ".encode("utf-16-le") * 20, "utf-16"),
        ("测试文本，这是一本中文书。他说了很多话。".encode("gb18030") * 20, "gb"),
    ],
)
def test_i12_encodings(data: bytes, encoding: str, root: Path, tmp_path: Path) -> None:
    """Decoded as detected and reported; byte offsets index the UTF-8 form of the decoded text."""
    book = tmp_path / "book.txt"
    book.write_bytes(data)
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(book)
    manifest = json.loads((root / "books/book-0001/manifest.json").read_bytes())
    assert encoding in manifest["source"]["encoding"].lower()
    utf8 = cb.read(book).text.encode()
    assert manifest["text_bytes"] == len(utf8)
    for record in records(root):
        at = record["byte_offset"]
        assert record["chunk_text"].encode() == utf8[at : at + record["byte_length"]]
    assert data == (root / "sources/book-0001/book.txt").read_bytes()


def test_i12_a_bad_byte_is_reported(root: Path, tmp_path: Path) -> None:
    """One byte that does not fit is counted in a warning of the book, never dropped in silence."""
    book = tmp_path / "book.txt"
    book.write_bytes("Zürich is ".encode() * 50 + b"\xff" + "schön. ".encode() * 50)
    report = cb.World.draft(root, settings=SETTINGS).ingest(book)
    (warning,) = report.books[0].warnings
    assert (warning.code, warning.count) == ("ENCODING_MIXED", 1)
    assert "Zürich is ÿschön. " in cb.read(book).text


def test_i12_a_named_encoding_is_kept(root: Path, tmp_path: Path) -> None:
    """Where the one found would be wrong or refused, it is named once and holds for all later runs."""
    book = tmp_path / "book.txt"
    book.write_bytes("Ночь тиха, и город спит. ".encode("cp866") * 20)
    world = cb.World.draft(root, settings=SETTINGS)
    world.ingest(book, encoding="cp866")
    (root / "books/book-0001/manifest.json").unlink()
    again = cb.World.open(root)
    again.resume()
    again.reingest(settings={"chunk_size": 70})
    assert "".join(r["chunk_text"] for r in records(root)) == "Ночь тиха, и город спит. " * 20
    assert again.verify().ok
    again.remove(1, sources=True)
    assert json.loads((root / "world.json").read_bytes())["encodings"] == {}


def test_i13_files_without_text(root: Path, books: list[Path], tmp_path: Path) -> None:
    """Each is named in the report, and the later files are still processed."""
    empty = tmp_path / "empty.txt"
    empty.touch()
    world = cb.World.draft(root)
    report = world.ingest([empty, books[0]])
    assert [(f.name, f.error.code) for f in report.failures] == [("empty.txt", "SOURCE_EMPTY")]
    assert [book.source_filename for book in report.books] == ["sea.txt"]


def test_structure_is_kept_with_the_chunks(root: Path) -> None:
    """Chapters of an EPUB and headings of a note reach the records and the citations."""
    world = cb.World.create(root, settings={"chunk_size": 900})
    world.ingest(
        [SAMPLES / "the-keeper-of-sand-point.epub", SAMPLES / "the-keeper-of-sand-point.md"]
    )
    kinds = {section["kind"] for record in records(root, 1) for section in record["sections"]}
    assert "chapter" in kinds
    assert world.verify().ok


def test_every_shared_case_has_a_test(shared: Path) -> None:
    """I01 and the reuse of vectors wait for the stage that embeds; the rest is here or named."""
    lines = (shared / "cases/splitting.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {case["id"] for case in map(json.loads, lines) if case["settings"]["mode"] == "ingest"}
    elsewhere = {
        "I01": "later stages",
        "I03": "test_verify.py",
        "I15": "test_runs.py",
        "I16": "test_disks.py",
    }
    here = {name[5:8].upper() for name in globals() if name.startswith("test_i")}
    assert cases <= here | elsewhere.keys()


def test_groups_are_of_the_size_asked(root: Path, books: list[Path]) -> None:
    """One sync of the folder and one manifest a group: cost is counted, not timed."""
    steps: list[tuple[str, str]] = []
    world = cb.World.create(root, settings=SETTINGS)
    watched = cb.World.open(
        root, files=Files(lambda step, path: steps.append((step, path.name)), group_size=5)
    )
    watched.ingest(books[0])
    chunks = len(cb.split(SEA, **SETTINGS))
    groups = -(-chunks // 5)
    assert chunks == sum(
        step == "sync" and ".json" in name and name[4].isdigit() for step, name in steps
    )
    assert groups + 1 == steps.count(("replace", "manifest.json"))
    assert world.verify().ok
