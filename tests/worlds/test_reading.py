"""A world gives back what it holds: books, chunks, passages, documents."""

from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import HILL, SEA
from cleanbreak import errors


def test_books_are_described_by_their_manifests(world: cb.World) -> None:
    """In order of their numbers; a removed one is not among them."""
    assert [(book.number, book.source_filename) for book in world.books()] == [
        (1, "sea.txt"),
        (2, "hill.txt"),
        (3, "town.txt"),
    ]
    assert all(book.complete and book.chunks for book in world.books())
    world.remove(1)
    assert [book.number for book in world.books()] == [2, 3]


def test_chunks_together_are_the_texts(world: cb.World) -> None:
    """Of one book, or of all."""
    assert "".join(chunk.chunk_text for chunk in world.chunks(2)) == HILL
    assert {chunk.book_number for chunk in world.chunks()} == {1, 2, 3}


@pytest.mark.parametrize(("start", "end"), [(0, 5), (10, 130), (37, 41), (0, len(SEA))])
def test_a_passage_is_a_slice_of_the_text(start: int, end: int, world: cb.World) -> None:
    """However many chunks it touches."""
    assert world.passage(1, start, end) == SEA[start:end]


def test_a_hit_can_be_read_on(world: cb.World) -> None:
    """Its offsets are those of the passage and of the document."""
    hit = world.search("storm")[0]
    assert world.passage(1, hit.start, hit.end) == hit.text
    assert world.document(1).text[hit.start : hit.end] == hit.text


def test_what_is_not_there_is_said(world: cb.World, root: Path) -> None:
    """A book, offsets past its end, a source."""
    for ask in (world.document, lambda n: list(world.chunks(n)), lambda n: world.passage(n, 0, 1)):
        with pytest.raises(errors.StateConflictError):
            ask(9)
    with pytest.raises(errors.StateConflictError):
        world.passage(1, 0, len(SEA) + 1)
    (root / "sources/book-0001/sea.txt").write_text("altered")
    assert world.document(1).text == SEA
    (root / "backups/book-0001/sea.txt").unlink()
    with pytest.raises(errors.SourceMissingError):
        world.document(1)
