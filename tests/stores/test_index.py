"""The index: sources in, ranked rows out, the full text always in step."""

import sqlite3
from contextlib import nullcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleanbreak.core.chunk import SectionRecord
from cleanbreak.stores.fulltext import Index, SourceRow, search
from cleanbreak.stores.fulltext.rows import Counts
from indexes import chunk_records, make_index, note
from strategies import texts

PROBES = {
    "zh": "我们在北京大学学习自然语言处理。春天的花园里开满了桃花。",
    "zh-wrapped": "长江流经武\n汉和南京。",
    "ja": "東京タワーは1958年に完成した。猫が好きです。",
    "ja-half": "ｶﾞﾗｽの靴",
    "ko": "도서관에서 책을 읽었습니다.",
    "th": "ฉันเรียนภาษาไทยที่มหาวิทยาลัยเชียงใหม่",
    "lo": "ຂ້ອຍຮັກພາສາລາວ",
    "km": "ខ្ញុំ\u200bស្រឡាញ់\u200bភាសា\u200bខ្មែរ",
    "my": "မြန်မာစာသည် လှပသည်။",
    "hi": "मुझे हिन्दी पसंद है",
}


@pytest.fixture(scope="module")
def polyglot():
    with make_index(*(note(f"{key}.md", text) for key, text in PROBES.items())) as index:
        yield index


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("北京", "zh"),
        ("北京大学", "zh"),
        ("自然语言", "zh"),
        ("花", "zh"),
        ("桃花 北京", "zh"),
        ("武汉", "zh-wrapped"),
        ("東京", "ja"),
        ("タワー", "ja"),
        ("ﾀﾜｰ", "ja"),
        ("猫", "ja"),
        ("ガラス", "ja-half"),
        ("도서관", "ko"),
        ("책", "ko"),
        ("ภาษาไทย", "th"),
        ("เชียงใหม่", "th"),
        ("ฉ", "th"),
        ("ພາສາລາວ", "lo"),
        ("ភាសាខ្មែរ", "km"),
        ("မြန်မာ", "my"),
        ("हिन्दी", "hi"),
    ],
)
def test_scripts_without_spaces_are_findable(polyglot, query, key):
    """By words, parts of words and single characters, and nothing else is found first."""
    assert polyglot.search(query, 5)[0].source.key == f"{key}.md"


def test_what_is_not_there_is_not_found(polyglot):
    """Bigrams of different words must not add up to a third."""
    assert polyglot.search("京北", 5) == []
    assert polyglot.ask("हिन", 5).answered_by == "beginnings"


def test_accents_case_and_ligatures_are_folded():
    """People type what their keyboard has."""
    with make_index(note("a.md", "Café Ångström ﬁrst Straße co\u00adoperate e\u0301tude")) as index:
        for query in ("cafe", "CAFÉ", "angstrom", "first", "strasse", "cooperate", "étude"):
            assert index.search(query, 5), query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Ελλάδα", "ελλαδα"),
        ("ὁ ἄνθρωπος", "ανθρωπος"),
        ("ёлка", "елка"),
        ("ёлка", "ЁЛКА"),
        ("за\u0301мок", "замок"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("Việt Nam", "viet"),
        ("Łódź", "lodz"),
        ("smørrebrød", "smorre*"),
        ("İstanbul", "istanbul"),
    ],
)
def test_accents_are_folded_in_other_scripts(text, query):
    """SQLite does so for Latin letters only."""
    with make_index(note("a", text)) as index:
        assert index.search(query, 1)


def test_title_tags_and_headings_weigh_more_than_text():
    """A note about storms comes before one that mentions a storm."""
    with make_index(
        note("mention.md", "a storm", "filler"),
        note("tagged.md", "filler words", tags=["storm"]),
        note("titled.md", "filler words", title="Storm"),
    ) as index:
        assert [row.source.key for row in index.search("storm", 5)] == [
            "titled.md", "tagged.md", "mention.md",
        ]  # fmt: skip


def test_tag_condition_is_exact_and_nested():
    """`tag:a` finds `a` and `a/b`, neither `a-b` nor `b/a` nor the word."""
    with make_index(
        note("1", "x", tags=["A"]),
        note("2", "x", tags=["a/b"]),
        note("3", "x", tags=["a-b", "b/a"]),
        note("4", "a"),
    ) as index:
        assert {row.source.key for row in index.search("tag:#a", 5)} == {"1", "2"}
        assert {row.source.key for row in index.search("x -tag:a", 5)} == {"3"}


def test_path_condition_is_the_beginning_of_words():
    """A folder, a name, or the start of either; a book is found by file name."""
    with make_index(
        note("Daily/2024-05.md", "x"), note("Projects/daily.md", "x"), note("book-0001", "x")
    ) as index:
        assert {row.source.key for row in index.search("path:daily/2024", 5)} == {
            "Daily/2024-05.md"
        }
        assert {row.source.key for row in index.search("path:dai", 5)} == {
            "Daily/2024-05.md", "Projects/daily.md",
        }  # fmt: skip


def test_any_word_finds_and_all_words_rank_first():
    """One word is enough; more of them rank higher."""
    sources = [note(f"{n}", "alpha") for n in range(5)]
    with make_index(*sources, note("both", "alpha beta")) as index:
        assert index.search("alpha beta", 10)[0].source.key == "both"
        assert len(index.search("alpha beta", 10)) == 6
        assert len(index.search("alpha alpha", 10)) == 6


def test_the_rarer_word_counts_more():
    """A chunk with one rare word comes before one with a word of many chunks."""
    chunks = ["a storm at sea"] * 30 + ["a whale came"]
    with make_index(note("a", *chunks, kind="book")) as index:
        assert index.search("storm whale", 5)[0].chunk.chunk_text == "a whale came"


def test_other_forms_are_found_after_the_word_itself():
    """Also where the word as typed is in no chunk."""
    with make_index(
        note("a", "They walked to the sea.", "She likes walking and the sea.", "the old house"),
        note("b", "Der Sturm und die Häuser am Meer, und es war kalt."),
    ) as index:
        found = [row.chunk.chunk_number for row in index.search("walking", 5)]
        assert found == [2, 1]
        assert index.search("walks", 5)
        assert [row.source.key for row in index.search("die Haus am", 5)] == ["b"]
        assert index.search('"walks"', 5) == []


def test_words_near_each_other_rank_first():
    """The words of an unquoted phrase, wherever else they stand."""
    apart = "storm " + "filler words " * 40 + "house"
    near = "filler words " * 40 + "the storm took the house"
    with make_index(note("a", apart, near, kind="book")) as index:
        assert index.search("storm house", 5)[0].chunk.chunk_number == 2


def test_a_query_of_small_words_is_answered():
    """They are all there is to look for."""
    with make_index(note("a", "to be or not to be", "a whale")) as index:
        assert [row.chunk.chunk_number for row in index.search("to be or not", 5)] == [1]


def test_a_licence_ranks_after_the_book():
    """Its words are about no book."""
    licence = (SectionRecord("licence", "Project Gutenberg", 1, 0, 40),)
    around = chunk_records(["the storm licence of the storm"], sections=licence)
    inside = chunk_records(["x", "a long tale in which there was once some storm or other"])[1:]
    source = SourceRow("book-0001", "book", "a.txt")
    with make_index((source, [*around, *inside])) as index:
        assert [row.chunk.chunk_number for row in index.search("storm", 5)] == [2, 1]


def test_a_larger_limit_only_adds_at_the_end():
    """Hits that the files do not prove are replaced by asking for more."""
    texts = [f"storm {'sea ' * (n % 7)}{'house ' * (n % 3)}" for n in range(250)]
    with make_index(note("a", *texts)) as index:
        rows = [row.row_id for row in index.search("storm sea house", 250)]
        assert len(rows) == 250
        for limit in (1, 10, 100, 101):
            assert [row.row_id for row in index.search("storm sea house", limit)] == rows[:limit]


def test_endless_titles_and_headings_are_shortened():
    """They are repeated for every chunk, so that they would fill the disk."""
    source, _ = note("a", title="T" * 100_000)
    chunks = chunk_records(["x"] * 200, heading_path="# " + "H" * 100_000)
    with make_index((source, chunks)) as index:
        size = index.connection.execute(
            "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        )
        assert size.fetchone()[0] < 2_000_000
        assert len(index.search("x", 1)[0].chunk.heading_path) == 1000


def test_common_words_do_not_fill_the_list():
    """Of a question that no chunk answers in full, the rare words count."""
    chunks = ["what is the sea"] * 600 + ["a whale"] * 2
    with make_index(note("a", *chunks)) as index:
        found = index.search("what is the whale", 10)
        assert [row.chunk.chunk_text for row in found] == ["a whale"] * 2
        assert index.search("what is the zzyzx", 10) == []


def test_a_word_that_is_nearly_everywhere_is_ranked_in_part(monkeypatch):
    """The time of a search does not grow with the chunks that have the word; a large limit finds all."""
    monkeypatch.setattr(search, "_MOST_RANKED", 100)
    chunks = ["the sea", "the storm", "the hill and the house"] * 100
    with make_index(note("a", *chunks)) as index:
        rows = [row.row_id for row in index.search("the", 300)]
        assert len(rows) == 300
        assert sorted(rows[:100]) == list(range(3, 301, 3))
        for limit in (1, 20, 100, 101, 200):
            assert [row.row_id for row in index.search("the", limit)] == rows[:limit]
        every_third = {row.row_id for row in index.search("the", 50)}
        assert all(row % 3 == 0 for row in every_third)
        assert len(index.search("storm", 100)) == 100


def test_lines_are_counted_across_chunks_and_newline_styles():
    """A chunk knows the line it starts on."""
    with make_index(note("a", "1\n2\r\n", "3\r4", "\n", "5 word")) as index:
        assert index.search("word", 1)[0].line == 5
        assert index.search('"3"', 1)[0].line == 3


def test_a_source_whose_chunks_fail_midway_keeps_what_it_had():
    """Chunks are streamed from files that may fail; the transaction is undone."""

    def torn():
        yield from chunk_records(["new"])
        raise OSError

    with make_index(note("a", "old")) as index:
        with pytest.raises(OSError):
            index.replace_source(SourceRow("a", "note", "a"), torn())
        assert index.search("old", 5)
        assert not index.search("new", 5)
        index.check()


KEYS = st.sampled_from("abc")
STEPS = st.one_of(
    st.tuples(st.just("put"), KEYS, st.lists(texts.filter(bool), max_size=3)),
    st.tuples(st.just("remove"), KEYS, st.just([])),
)


@settings(max_examples=50)
@given(st.lists(STEPS, max_size=8), st.booleans())
def test_full_text_and_chunks_stay_in_step(steps, at_once):
    """After any changes, SQLite's own check passes and the counts are those of a dictionary."""
    model: dict[str, list[str]] = {}
    with make_index() as index:
        with index.transaction() if at_once else nullcontext():
            for step, key, words in steps:
                _take(step, key, words, index, model)
        index.check()
        assert index.counts() == Counts(len(model), sum(map(len, model.values())))
        assert {key: state.chunks for key, state in index.sources().items()} == {
            key: len(held) for key, held in model.items()
        }
        for key, held in model.items():
            assert len(index.search(f"path:{key}", 100)) == len(held)


def _take(step, key, words, index, model):
    if step == "put":
        index.replace_source(*note(key, *words, title="".join(words)))
        model[key] = list(words)
    else:
        assert index.remove_source(key) == (model.pop(key, None) is not None)


def test_other_programs_keep_the_full_text_in_step(tmp_path):
    """The triggers are in the file; only our own transactions put them off, and to their end."""
    path = tmp_path / "index.sqlite"
    with make_index(note("a", "old words", "more")) as index:
        copy = sqlite3.connect(path, isolation_level=None)
        index.connection.backup(copy)
    copy.execute("UPDATE chunks SET chunk_text = 'new words' WHERE chunk_number = 1")
    copy.execute("DELETE FROM chunks WHERE chunk_number = 2")
    copy.execute("UPDATE sources SET title_terms = 'Storm', tag_terms = 'sea'")
    copy.close()
    with Index.open(path) as index:
        index.check()
        assert len(index.search("new storm sea", 5)) == 1
        assert index.search("old", 5) == index.search("more", 5) == []


@pytest.mark.parametrize(
    ("texts", "phrase", "found"),
    [
        (["one two three ", "four five six"], '"three four"', [2]),
        (["one two three ", "four five six"], '"two three four five"', [2]),
        (["one two three\n\n", "four five six"], '"three four" six', [2]),
        (["one two three ", "four five six"], "three", [1]),
        (["one two three ", "four five six"], "three six", [1, 2]),
        (["one two three ", "four three four"], '"three four"', [2]),
        (["今日は東京", "タワーに"], '"東京タワー"', [1, 2]),
        (["a" * 500, "b" * 500], '"aa bb"', []),
    ],
)
def test_a_phrase_over_a_cut_is_found_in_the_chunk_where_it_ends(texts, phrase, found):
    """Its words alone are found only where they stand."""
    with make_index(note("a", *texts)) as index:
        assert sorted(row.chunk.chunk_number for row in index.search(phrase, 10)) == found


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("file:plan", ["Plan.md", "a/My big plan.md"]),
        ("file:Pl", ["Plan.md", "a/My big plan.md"]),
        ('file:"big plan"', ["a/My big plan.md"]),
        ("file:タワー", ["東京タワー.md"]),
        ("-file:plan word", ["plan/c.md"]),
        ("file:...", []),
    ],
)
def test_the_name_of_a_file_is_not_that_of_its_folder(query, keys):
    """Neither is it a word of the text."""
    texts = {
        "Plan.md": "x",
        "plan/c.md": "word, plan, file",
        "a/My big plan.md": "word",
        "東京タワー.md": "x",
    }
    with make_index(*(note(key, text) for key, text in texts.items())) as index:
        assert sorted(found.source.key for found in index.search(query, 9)) == sorted(keys)
