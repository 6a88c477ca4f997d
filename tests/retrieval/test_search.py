"""Hits: cited, marked, in context, and only what the files of record still hold."""

import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleanbreak.core.chunk import ChunkRecord, SectionRecord
from cleanbreak.core.text.graphemes import is_boundary
from cleanbreak.errors import SettingsError
from cleanbreak.retrieval import search
from cleanbreak.retrieval.snippet import WIDTH, Marker, make_snippet
from cleanbreak.stores.fulltext import SourceRow, parse_query
from indexes import chunk_records, make_index, note
from strategies import texts


def _book(*titles: tuple[str, str], text: str = "the storm broke"):
    """A book of one chunk that touches the sections given as (kind, title)."""
    sections = tuple(SectionRecord(kind, title, 1, 0, len(text)) for kind, title in titles)
    return BOOK, chunk_records([text], sections=sections)


BOOK = SourceRow("book-0001", "book", "sea.epub", "Sea")


@pytest.mark.parametrize(
    ("sections", "citation"),
    [
        ([], "sea.epub, characters 0-15"),
        ([("page", "12")], "sea.epub, p. 12, characters 0-15"),
        ([("page", "xi"), ("page", "xii")], "sea.epub, pp. xi-xii, characters 0-15"),
        ([("chapter", "3: Storm")], 'sea.epub, "3: Storm", characters 0-15'),
        (
            [("page", "9"), ("chapter", "Calm"), ("chapter", "Storm")],
            'sea.epub, "Calm" to "Storm", p. 9, characters 0-15',
        ),
    ],
)
def test_citation_of_a_book(sections, citation):
    """File, chapters, pages and characters, as far as they are known."""
    with make_index(_book(*sections)) as index:
        assert search(index, "storm")[0].citation == citation


def test_citation_of_a_note():
    """Path, headings, line and characters."""
    source, _ = note("sea/boats.md")
    text = "# Boats\n## Hulls\nwood\nand tar"
    chunks = chunk_records([text], heading_path="# Boats > ## Hulls")
    with make_index((source, chunks)) as index:
        hit = search(index, "tar")[0]
    assert hit.line == 4
    assert hit.citation == "sea/boats.md, # Boats > ## Hulls, line 4, characters 0-29"


def test_nested_chapters_are_cited_by_the_innermost():
    """A part and the chapter in it are one place; two parts make a range."""
    titles = [("Part I", 1), ("Storm", 2), ("Part II", 1), ("Calm", 2)]
    sections = [SectionRecord("chapter", title, level, 0, 15) for title, level in titles]
    for touched, cited in [(2, '"Part I > Storm"'), (4, '"Part I > Storm" to "Part II > Calm"')]:
        chunks = chunk_records(["the storm broke"], sections=tuple(sections[:touched]))
        with make_index((BOOK, chunks)) as index:
            assert search(index, "storm")[0].citation == f"sea.epub, {cited}, characters 0-15"


def test_words_are_marked_as_they_stand_in_the_source():
    """Whatever spelling was typed."""
    text = "The Café by the old\nhouse; STRAẞE, 東京タワー and lighthouses. e\u0301tude, ёлка"
    with make_index(note("a", text)) as index:
        for query, marked in [
            ("cafe", "[Café]"),
            ('"old house"', "[old\nhouse]"),
            ("straße", "[STRAẞE]"),
            ("タワー", "東京[タワー]"),
            ("light*", "[lighthouses]"),
            ("the", "[The] Café by [the] old"),
            ("etude", "[e\u0301tude]"),
            ("елка", "[ёлка]"),
        ]:
            assert marked in search(index, query)[0].snippet.marked("[", "]"), query


def test_what_is_not_wanted_and_conditions_are_not_marked():
    """Only what was looked for in the text."""
    with make_index(note("old.md", "old house", tags=["house"])) as index:
        hit = search(index, "house path:old -ship tag:house")[0]
    assert hit.snippet.marked("[", "]") == "old [house]"


def test_small_words_are_not_marked_and_other_forms_are():
    """What is marked is what the search was for."""
    with make_index(note("a", "They walked to the sea on the day of the storm.")) as index:
        marked = search(index, "the walking of the storm")[0].snippet.marked("[", "]")
    assert marked == "They [walked] to the sea on the day of the [storm]."


def test_snippet_is_where_most_words_are():
    """Not where the first one is."""
    text = "storm " + "filler words. " * 60 + "the storm took the old house. " + "more. " * 60
    with make_index(note("a", text)) as index:
        snippet = search(index, "storm old house")[0].snippet
    assert "storm took the old house" in snippet.text
    assert text[snippet.start : snippet.start + len(snippet.text)] == snippet.text


def test_context_is_the_chunks_around():
    """As many as asked on each side, the hit left out, none beyond the source."""
    with make_index(note("a", "1 one", "2 storm", "3 three", "4 four"), note("b", "x")) as index:
        assert search(index, "storm")[0].context == ()
        near = search(index, "storm", context=2)[0].context
        assert [neighbour.number for neighbour in near] == [1, 3, 4]


def test_only_proved_chunks_are_hits():
    """More are fetched until the limit is reached or the index has no more."""
    with make_index(note("a", *["storm"] * 50)) as index:
        hits = search(index, "storm", limit=3, prove=lambda key, number: number % 10 == 0)
        assert len(hits) == 3
        assert all(hit.number % 10 == 0 for hit in hits)
        assert search(index, "storm", prove=lambda key, number: False) == []
        near = search(index, "storm", limit=1, context=1, prove=lambda key, number: number == 5)
        assert near[0].context == ()


def test_how_hits_were_found_is_said():
    """A list, so that nothing changes for who does not ask."""
    with make_index(note("a", "a storm")) as index:
        found = search(index, "storm")
        assert (found, found.answered_by, found.suggestion) == ([*found], "words", None)
        found = search(index, "strom")
        assert (len(found), found.answered_by, found.suggestion) == (1, "spelling", "storm")
        assert found[0].snippet.marked() == "a **storm**"


def test_words_with_signs_are_marked_whole():
    """And the bare letter is not."""
    with make_index(note("a", "C and C#")) as index:
        assert search(index, "C#")[0].snippet.marked() == "C and **C#**"


@pytest.mark.parametrize("field", ["limit", "context"])
@pytest.mark.parametrize("value", [-1, 1.5, True, "3", 10**9])
def test_settings_are_checked(field, value):
    """Before anything is looked for."""
    with make_index() as index, pytest.raises(SettingsError):
        search(index, "storm", **{field: value})


def test_hits_are_plain_data_for_json():
    """Under the field names that stored records use."""
    with make_index(_book(("page", "1"))) as index:
        record = search(index, "storm")[0].as_dict()
    assert json.loads(json.dumps(record)) == record
    assert record["chunk_text"] == "the storm broke"
    assert record["marks"] == [[4, 9]]
    assert record["pages"] == ["1"]
    assert record.keys() >= {"source_key", "title", "line", "score", "citation", "snippet"}


def test_a_hit_has_every_field_of_its_chunk():
    """As it was indexed; the file name is that of the source."""
    sections = (SectionRecord("page", "1", 1, 0, 15),)
    fields = {"overlap_text": "before ", "token_count": 3, "oversize": True, "sections": sections}
    (chunk,) = chunk_records(["the storm broke"], **fields, break_level="sentence")
    with make_index((BOOK, [chunk])) as index:
        hit = search(index, "storm")[0]
    assert hit.chunk == msgspec.structs.replace(chunk, source_filename="sea.epub")
    assert set(ChunkRecord.__struct_fields__) <= hit.as_dict().keys()


def test_a_hit_in_a_log_spills_no_text():
    """Its representation leaves text out."""
    with make_index(note("a", "secret words", "secret too")) as index:
        assert "secret" not in repr(search(index, "secret", context=1))


@example("กำลัง", "กำลก")
@given(texts, st.one_of(texts, st.text(max_size=3)))
def test_snippets_are_exact_and_marks_apart(text, query):
    """A snippet is a slice of the text; marks are in order inside it; all for any query."""
    marks = Marker(parse_query(query).highlights).marks(text)
    snippet = make_snippet(text, 7, marks)
    low = snippet.start - 7
    assert text[low : low + len(snippet.text)] == snippet.text
    assert len(snippet.text) <= WIDTH
    at = 0
    for cut in (low, low + len(snippet.text)):
        one_cluster = not any(is_boundary(text, other, 0) for other in range(1, cut))
        assert is_boundary(text, cut, 0) or one_cluster
    for mark in snippet.marks:
        assert at <= mark.start < mark.end <= len(snippet.text)
        at = mark.end
