"""Fields of a query: author, book, chapter, page; a field that is none; weights of sections."""

import msgspec
import pytest

from cleanbreak.core.chunk import SectionRecord
from cleanbreak.errors import SettingsError
from cleanbreak.stores.fulltext import Index, SourceRow
from indexes import chunk_records, make_index, note


@pytest.fixture(scope="module")
def shelf():
    """Two books, each chunk on a page of its own."""
    with make_index(
        _book(1, "Moby-Dick", "Melville, Herman", ["Loomings", "The Carpet-Bag"]),
        _book(23, "Walden", "Henry David Thoreau", ["Economy", "Loomings again"]),
        note("loomings.md", "whale of a note", title="Economy of whales"),
    ) as index:
        yield index


def _book(number, title, author, chapters):
    name = f"{number}.epub"
    source = SourceRow(f"book-{number:04}", "book", name, title, authors=(author,), number=number)
    chunks = [
        msgspec.structs.replace(
            chunk,
            sections=(
                SectionRecord("page", str(page), 1, 0, 9),
                SectionRecord("chapter", chapter, 1, 0, 9),
            ),
        )
        for page, (chapter, chunk) in enumerate(
            zip(chapters, chunk_records(["a whale", "another whale"]), strict=True), 12
        )
    ]
    return source, chunks


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("author:melville", ["1.1", "1.2"]),
        ("author:herman", ["1.1", "1.2"]),
        ('author:"herman melville"', ["1.1", "1.2"]),
        ("author:thor", ["23.1", "23.2"]),
        ("author:moby", []),
        ("title:walden", ["23.1", "23.2"]),
        ("book:23", ["23.1", "23.2"]),
        ("book:023", ["23.1", "23.2"]),
        ("book:2", []),
        ("book:moby", ["1.1", "1.2"]),
        ("book:1 page:13", ["1.2"]),
        ("page:12", ["1.1", "23.1"]),
        ("page:12-13", ["1.1", "1.2", "23.1", "23.2"]),
        ("page:1", []),
        ("chapter:loomings", ["1.1", "23.2"]),
        ('chapter:"loomings ag"', ["23.2"]),
        ("chapter:carpet", ["1.2"]),
        ("whale -book:1 -chapter:economy -file:loomings", ["23.2"]),
        ("whale (author:melville OR page:13) -file:loomings", ["1.1", "1.2", "23.2"]),
    ],
)
def test_fields_find(shelf: Index, typed: str, places: list[str]):
    """Names by words that begin so, pages and numbers whole."""
    assert sorted(_places(shelf, typed)) == places


def _places(index, typed, limit=9):
    rows = index.search(typed, limit)
    return [
        f"{row.source.key.removeprefix('book-').lstrip('0')}.{row.chunk.chunk_number}"
        for row in rows
    ]


def test_a_field_holds_before_the_limit(shelf: Index):
    """The best chunk of the book asked for, however many better ones other books have."""
    assert _places(shelf, "whale book:23", 1)[0].startswith("23.")


def test_a_field_that_does_not_exist_is_named(shelf: Index):
    """With those that do, and the one that was probably meant."""
    with pytest.raises(SettingsError, match="There is no field auhtor:") as caught:
        shelf.search("whale auhtor:melville", 9)
    assert caught.value.details["suggestion"] == "author:"
    assert "page:" in caught.value.details["allowed"]
    with pytest.raises(SettingsError, match="subject:"):
        shelf.search('subject:"of whales"', 9)


@pytest.mark.parametrize(
    "typed",
    [
        "https://a.b/c:d",
        "TODO:fix",
        "std::vector",
        "12:30",
        '"subject:x"',
        "a:b",
        "title:",
        "re: x",
    ],
)
def test_other_colons_are_text(shelf: Index, typed: str):
    """Addresses, times, code, quotations, sentences."""
    shelf.search(typed, 9)


def test_what_stands_in_a_text_is_no_field():
    """A key of the front matter, a verse of the Bible."""
    with make_index(note("a", "status:open and subject: x")) as index:
        assert len(index.search("status:open", 9)) == 1
        assert len(index.search("subject:x", 9)) == 1


@pytest.mark.parametrize(
    "title", ["Index", "NOTES", "Literaturverzeichnis", "Índice", "索引", "Указатель"]
)
def test_an_index_of_a_book_ranks_below_its_text(title: str):
    """Though it has each word and is short."""
    sections = [SectionRecord("chapter", title, 1, 0, 9), SectionRecord("chapter", "One", 1, 0, 9)]
    texts = ["whale, 12; whale, 34", "the whale " + "was far away on the sea " * 9]
    chunks = [
        msgspec.structs.replace(chunk, sections=(section,))
        for chunk, section in zip(chunk_records(texts), sections, strict=True)
    ]
    for kind, first in [("book", 2), ("note", 1)]:
        with make_index((SourceRow("a", kind, "a"), chunks)) as index:
            assert index.search("whale", 9)[0].chunk.chunk_number == first
