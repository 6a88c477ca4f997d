"""What it costs to store a book, counted and not timed."""

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import cleanbreak as cb
from cleanbreak import readers
from cleanbreak.core.splitters.boundary import BoundarySplitter
from cleanbreak.worlds.session import Documents
from cleanbreak.worlds.stages.cuts import Cuts

WORDS = ("The sea was calm, and the ship lay still.", "Nobody spoke.", "A bell rang far away…")


def text_of(size: int) -> str:
    """Prose of about that many bytes, in paragraphs, no two of them alike."""
    paragraphs, length, number = [], 0, 0
    while length < size:
        number += 1
        paragraph = " ".join(WORDS[(number * k) % 3] for k in range(1, 12)) + f" ({number})\n\n"
        paragraphs.append(paragraph)
        length += len(paragraph.encode())
    return "".join(paragraphs)


class Costs:
    """Counts reads of sources, passes of the splitter, and bytes given to SHA-256."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.reads = self.cuts = self.hashed = 0
        patch.setattr(readers, "read", self._counting_read(readers.read))
        patch.setattr(BoundarySplitter, "stream", self._counting_stream(BoundarySplitter.stream))
        self._count_hashes(patch)

    def _counting_read(self, read: Callable[..., cb.Document]) -> Callable[..., cb.Document]:
        def counting(*arguments: Any, **options: Any) -> cb.Document:
            self.reads += 1
            return read(*arguments, **options)

        return counting

    def _counting_stream(self, stream: Callable[..., Iterator[cb.Chunk]]) -> Any:
        def counting(splitter: Any, source: Any) -> Iterator[cb.Chunk]:
            self.cuts += 1
            return stream(splitter, source)

        return counting

    def _count_hashes(self, patch: pytest.MonkeyPatch) -> None:
        costs, sha256, file_digest = self, hashlib.sha256, hashlib.file_digest

        class Counting:
            def __init__(self, data: bytes = b"") -> None:
                self._digest = sha256()
                self.update(data)

            def update(self, data: bytes) -> None:
                costs.hashed += len(data)
                self._digest.update(data)

            def hexdigest(self) -> str:
                return self._digest.hexdigest()

        def counting_file(stream: BinaryIO, name: str) -> Any:
            costs.hashed += os.fstat(stream.fileno()).st_size
            return file_digest(stream, name)

        patch.setattr(hashlib, "sha256", Counting)
        patch.setattr(hashlib, "file_digest", counting_file)


@pytest.fixture
def costs(monkeypatch: pytest.MonkeyPatch) -> Costs:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return Costs(monkeypatch)


def test_a_new_book_is_read_once_cut_once_and_hashed_eight_times_at_most(
    root: Path, tmp_path: Path, costs: Costs
) -> None:
    """It was 2, 2 and 18: planned, copied, built and indexed, each for itself."""
    book = tmp_path / "book.txt"
    book.write_text(text_of(1_700_000), encoding="utf-8", newline="")
    world = cb.World.draft(root)
    report = world.ingest(book)
    assert report.state == "completed"
    assert (costs.reads, costs.cuts) == (1, 1)
    assert costs.hashed <= 8 * book.stat().st_size
    assert world.verify().ok
    assert world.search("bell")


def test_so_is_each_book_of_a_batch_and_one_that_is_added(
    root: Path, tmp_path: Path, costs: Costs
) -> None:
    """Whether the world is new or not."""
    books = [tmp_path / f"{name}.txt" for name in "abc"]
    for book in books:
        book.write_text(book.name + text_of(20_000), encoding="utf-8", newline="")
    cb.World.draft(root).ingest(books[:2])
    assert (costs.reads, costs.cuts) == (2, 2)
    cb.World.open(root).ingest(books)
    assert (costs.reads, costs.cuts) == (3, 3)


def test_a_replacement_is_read_once(world: cb.World, books: list[Path], costs: Costs) -> None:
    """What was read to check it is what is cut."""
    books[0].write_text("Another edition of the sea. " * 20, encoding="utf-8")
    world.reingest(replace=books[0])
    assert (costs.reads, costs.cuts) == (1, 1)
    assert world.verify().ok


# --- documents that are kept ---------------------------------------------------------------------


def test_documents_are_kept_up_to_a_bounded_total(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first in any case; others only while there is room, which is free again once taken."""
    from cleanbreak.worlds import session

    monkeypatch.setattr(session, "_MOST_KEPT", 5_000)
    documents = Documents()
    for number in (1, 2, 3):
        documents.keep(number, cb.Document("x" * 3_000))
    assert [documents.take(number) is not None for number in (1, 2, 3)] == [True, False, False]
    documents.keep(4, cb.Document("x" * 9_000))
    assert documents.take(4)
    assert documents.take(4) is None


def test_a_book_whose_document_was_not_kept_is_read_again(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch, costs: Costs
) -> None:
    """From its stored copy."""
    from cleanbreak.worlds import session

    monkeypatch.setattr(session, "_MOST_KEPT", 0)
    world = cb.World.draft(root)
    world.ingest(books)
    assert costs.reads == 5
    assert world.verify().ok


# --- cuts without texts --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "splitter",
    [
        cb.BoundarySplitter(60, 30, 10),
        cb.MarkdownSplitter(60),
        cb.CodeSplitter(60, "python", overlap_size=6),
        cb.TokenSplitter(12, "words", overlap_tokens=3),
        cb.SentenceSplitter(2),
    ],
)
def test_cuts_give_the_chunks_again(splitter: Any) -> None:
    """Every field of every chunk, of text in several scripts with headings and sections."""
    text = (
        "# One\n\nThe sea – was calm. Ünïcode 👩‍👧 holds.\n\n## Two\n\n海は静かだった。嵐が来た。\n"
        * 5
    )
    half = len(text) // 2
    pages = (
        cb.Section("page", "i", 1, cb.Span(0, half)),
        cb.Section("page", "1", 1, cb.Span(half, len(text))),
    )
    document = cb.Document(text, pages)
    chunks = splitter.split(document)
    assert len(chunks) > 3
    cuts = Cuts(splitter.stream(document))
    assert len(chunks) == len(cuts)
    assert chunks == list(cuts.chunks(text))
    assert [chunk.id for chunk in chunks] == [chunk.id for chunk in cuts.chunks(text)]
    assert hashlib.sha256(text.encode()).hexdigest() == cuts.text_sha256(text)


def test_no_cuts_have_a_digest_as_well() -> None:
    """A blank document has no chunks, and its text a digest all the same."""
    assert hashlib.sha256(b" ").hexdigest() == Cuts(()).text_sha256(" ")
