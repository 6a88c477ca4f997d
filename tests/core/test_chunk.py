"""What a chunk says of itself: as plain data, as a citation, with context."""

import json
import re

import msgspec
import pytest
from hypothesis import given

import cleanbreak as cb
from cleanbreak.core.chunk import ChunkRecord
from strategies import texts

TEXT = "Calm seas. Then the storm came. All hands were lost. The end."


def document(*sections: cb.Section, name: str | None = "book.pdf") -> cb.Document:
    source = cb.Source(name, "application/pdf", "ab12") if name else None
    return cb.Document(TEXT, sections, source=source)


def page(label: str, start: int, end: int) -> cb.Section:
    return cb.Section("page", label, 1, cb.Span(start, end))


def chapter(title: str, start: int, end: int, level: int = 1) -> cb.Section:
    return cb.Section("chapter", title, level, cb.Span(start, end))


BOOK = document(
    page("xi", 0, 20),
    page("xii", 20, 61),
    chapter("Part I", 0, 61),
    chapter("Calm", 0, 11, level=2),
    chapter("Storm", 11, 61, level=2),
)


def test_as_dict_is_json_under_the_field_names_of_stored_records():
    """All fields of the record, and the names of pages and chapters."""
    [chunk] = cb.split(BOOK, cross_chapters=True)
    plain = chunk.as_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert list(plain) == [*ChunkRecord.__struct_fields__, "pages", "chapters"]
    assert plain["chunk_text"] == TEXT
    assert plain["source_filename"] == "book.pdf"
    assert plain["pages"] == ["xi", "xii"]
    assert plain["sections"][0] == {
        "kind": "chapter",
        "title": "Part I",
        "level": 1,
        "character_start_offset": 0,
        "character_end_offset": 61,
    }


def test_chunks_make_a_table():
    """Every row has the same columns, whatever text it was cut from."""
    sources = (BOOK, "# A\n\n## B\n\nText.", "Plain text.", document(name=None))
    rows = [chunk.as_dict() for source in sources for chunk in cb.split(source, by="markdown")]
    assert len({tuple(row) for row in rows}) == 1


@given(texts)
def test_a_record_is_the_chunk(text):
    """Offsets, lengths and texts agree with those of the chunk, and JSON keeps them."""
    for chunk in cb.split(text, chunk_size=7, max_lookback=3, overlap_size=2):
        record = chunk.record()
        start = record.character_start_offset
        assert text[start : record.character_end_offset] == record.chunk_text == chunk.text
        before = len(text[:start].encode())
        assert (record.byte_offset, record.byte_length) == (before, len(chunk.text.encode()))
        assert (record.chunk_id, record.break_level) == (chunk.id, chunk.break_level)
        assert msgspec.json.decode(msgspec.json.encode(record), type=ChunkRecord) == record


def test_a_record_without_a_level_can_be_read():
    """Chunk files that were written before levels were recorded have none."""
    plain = cb.split("text")[0].as_dict()
    del plain["break_level"]
    assert msgspec.convert(plain, ChunkRecord).break_level is None


def test_pages_and_chapters_are_names():
    """A chapter comes after those it lies in; a part that continues is not named twice."""
    first, *_, last = cb.split(BOOK, chunk_size=15)
    assert (first.pages, first.chapters) == (("xi",), ("Part I > Calm",))
    assert (last.pages, last.chapters) == (("xii",), ("Part I > Storm",))
    [whole] = cb.split(BOOK, cross_chapters=True)
    assert whole.chapters == ("Part I > Calm", "Part I > Storm")


@pytest.mark.parametrize(
    ("source", "citation"),
    [
        (document(), "book.pdf, characters 0-61"),
        (document(name=None), "characters 0-61"),
        (document(page("9", 0, 61)), "book.pdf, p. 9, characters 0-61"),
        (BOOK, 'book.pdf, "Part I > Calm" to "Part I > Storm", pp. xi-xii, characters 0-61'),
    ],
)
def test_citation(source, citation):
    """What is not known is left out."""
    [chunk] = cb.split(source, cross_chapters=True)
    assert chunk.citation == citation


def test_citation_of_a_note_has_its_headings():
    """Where there are no chapters."""
    chunk = cb.split("# Boats\n\n## Hulls\n\nOak.", by="markdown")[-1]
    assert chunk.citation == "# Boats > ## Hulls, characters 0-23"


def test_a_hit_is_cited_in_the_same_words_as_its_chunk(tmp_path):
    """One function makes both."""
    path = tmp_path / "sea.md"
    path.write_text("# Sea\n\nCalm.\n\n## Storm\n\nThe storm came.\n", encoding="utf-8")
    world = cb.World.create(tmp_path / "world", settings=cb.MarkdownSplitter(30))
    world.ingest(path)
    [hit] = world.search('"storm came"')
    chunk = cb.split(cb.read(path), by="markdown", chunk_size=30)[hit.number - 1]
    assert chunk.citation == "sea.md, # Sea > ## Storm, line 5, characters 14-40"
    # A hit has the line of its first mark.
    assert hit.citation == chunk.citation.replace("line 5", "line 7")
    assert hit.text == chunk.text


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_chunks_of_text_files_are_cited_with_their_line(newline):
    """Of the first visible character, as an editor counts; other documents have no lines."""
    lines = [f"Line {number}." if number % 3 else "" for number in range(1, 40)]
    data = newline.join(lines).encode()
    chunks = cb.split(cb.read(data, name="log.txt"), chunk_size=40)
    assert len(chunks) > 3
    for chunk in chunks:
        first = chunk.text.split()[1].rstrip(".")
        assert f"log.txt, line {first}, characters" in chunk.citation
    page = cb.read(b"<p>Line 1.</p>", name="a.html", isolate=False)
    assert cb.split(page)[0].citation == "a.html, characters 0-7"


def test_context_is_headings_overlap_and_text():
    """In this order; overlap and text follow each other as in the source."""
    note = "# Boats\nOak floats. Iron floats too."
    first, last = cb.split(note, by="markdown", chunk_size=22, overlap_size=8)
    assert first.with_context(overlap=True) == f"# Boats\n\n{first.text}"
    assert last.with_context() == f"# Boats\n\n{last.text}"
    assert last.with_context(overlap=True) == f"# Boats\n\n{last.overlap_text}{last.text}"
    assert last.with_context(headings=False, overlap=True) in note
    assert last.with_context(headings=False) == last.text


def test_context_of_a_book_is_the_chapter_in_which_the_chunk_starts():
    """A chapter that starts later in the chunk is not above it."""
    first = cb.split(BOOK, chunk_size=15)[0]
    assert first.with_context() == f"Part I > Calm\n\n{first.text}"
    [chunk] = cb.split(document(chapter("Storm", 11, 61)), cross_chapters=True)
    assert chunk.with_context() == TEXT


def test_a_record_in_a_log_spills_no_text():
    """Its representation leaves text out."""
    assert "storm" not in repr(cb.split(BOOK)[0].record())


def test_the_word_page_stays_out_of_a_citation_without_pages():
    """No empty page is cited."""
    assert not re.search(r"\bpp?\.", cb.split(TEXT)[0].citation)
