"""The query language: what people type becomes what FTS5 accepts, whatever they type."""

import sqlite3

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleanbreak.stores.fulltext import parse_query
from cleanbreak.stores.fulltext.expressions import compiled
from indexes import make_index, note
from strategies import texts

LEXEMES = st.sampled_from(
    ["(", ")", '"', "*", "-", "--", "AND", "OR", "NOT", "NEAR(a b)", "tag:", "path:", "title:", ":",
     "^", "+", "{a}", "'", ";", "\\", "%", "word", "wor*", '"two words"', "中文", "ก", "🙂", "\0",
     "\ud800", "tag:#a/b", "path:x/y", " ", "_", ".", "é", "\u0301", "\u200b"]
)  # fmt: skip
QUERIES = st.one_of(st.text(), texts, st.lists(LEXEMES, max_size=30).map(" ".join))


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("storm", '"storm"'),
        ("old house", '("old") AND ("house")'),
        ("old AND house", '("old") AND ("house")'),
        ('"old house"', '"old house"'),
        ('"old house', '"old house"'),
        ("hou*", '"hou" *'),
        ('"old hou"*', '"old hou" *'),
        ("old OR new house", '("old") OR (("new") AND ("house"))'),
        ("(old OR new) house", '(("old") OR ("new")) AND ("house")'),
        ("house -(old new)", '("house") NOT (("old") AND ("new"))'),
        ("house -old", '("house") NOT ("old")'),
        ("house NOT (old new)", '("house") NOT (("old") AND ("new"))'),
        ("house NOT NOT old", '("house") AND ("old")'),
        ("title:storm", 'title : "storm"'),
        ("heading:storm", 'headings : "storm"'),
        ("path:daily/2024", 'path : "daily/2024" *'),
        ("author:melville", 'path : "author6d656c76696c6c65" *'),
        ("book:3", 'path : "book33"'),
        ("book:moby", '{title path} : "moby" *'),
        ("page:iv", 'extra_terms : "page6976"'),
        (
            "page:9-10",
            (
                '(extra_terms : "page392d3130") OR (extra_terms : "page39")'
                ' OR (extra_terms : "page3130")'
            ),
        ),
        ("chapter:loom", '(headings : "loom") OR (headings : "chapter6c6f6f6d" *)'),
        ("re-read", '"re-read"'),
        ("C++", '("sign632b2b") AND ("C++")'),
        (".NET", '("sign2e6e6574") AND (".NET")'),
        ("example.com", '"example.com"'),
        ("AT&T", '"AT&T"'),
        ("Straße", '("Straße" OR "strasse")'),
        ("東京", '"東京"'),
        ("東京都", '"東京 京都"'),
        ("京", '"京" *'),
        ("iPhone手机", '("iphone") AND ("手机")'),
        ("((((old", '"old"'),
        ("old))) house", '("old") AND ("house")'),
        ("OR old AND", '"old"'),
        ("tag:", '"tag:"'),
        ("* - ! ()", None),
        ("", None),
        ("-old", None),
    ],
)
def test_language(typed, expression):
    """The rules of docs/search.md, one by one."""
    assert expression == parse_query(typed).strict


def any_word(typed, expression_of=compiled, **options):
    return parse_query(typed).any_word(expression_of, **options)


def test_any_word_finds_but_conditions_are_kept():
    """What is asked for by tag, path or NOT holds for every chunk."""
    found = any_word("storm house tag:sea path:a -ship")
    assert found is not None
    assert found.startswith('((("storm") OR ("house")) AND (tags : ')
    assert found.endswith(') NOT ("ship")')


def test_words_that_find_nothing_are_left_out():
    """Unless there are no others."""
    assert any_word("the whale", lambda term: '"whale"' if term.text == "whale" else None) == (
        '"whale"'
    )
    assert any_word("the whale of", lambda term: None) == '("the") OR ("whale") OR ("of")'


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ('"old house" storm', '"old house"'),
        ("(boat OR ship) storm", '("boat") OR ("ship")'),
        ("boat AND ship storm", '("boat") AND ("ship")'),
        ("boat AND -ship", '"boat" NOT'),
        ('house"', '"house"'),
        ("title:storm boat", '("boat") AND (title : "storm")'),
    ],
)
def test_phrases_groups_and_joined_words_always_hold(typed, expression):
    """Words beside them count for the order only."""
    assert expression.replace('"boat" NOT', '("boat") NOT ("ship")') == any_word(typed)


def test_a_sentence_without_spaces_is_loosened_to_its_bigrams():
    """Nobody puts spaces into a question in Chinese."""
    assert any_word("东京在", loose=True) == '("东京") OR ("京在")'


def test_a_pasted_page_is_searched_by_its_first_words():
    """FTS5 refuses large trees; the rest of the page says little more."""
    strict = parse_query("word " * 10_000).strict
    assert strict is not None
    assert strict.count("word") == 64
    assert len(parse_query("字" * 100_000).strict or "") < 20_000


def test_parentheses_may_be_as_deep_as_anyone_likes():
    """Neither our parser nor that of FTS5 may run out of stack."""
    parse_query("(" * 3_000 + "old" + ")" * 900)
    with make_index() as index:
        assert index.search("(a OR " * 200 + "b" + ")" * 200, 5) == []


@given(QUERIES)
@example('"' * 3)
@example("a" * 4_001)
@example("\ud800")
def test_no_query_is_a_syntax_error(typed):
    """Whatever is typed is answered."""
    query = parse_query(typed)
    loose = query.any_word(compiled, loose=True)
    for expression in (query.strict, query.any_word(compiled), loose):
        if expression is not None:
            _FTS.execute("SELECT count(*) FROM fts_chunks WHERE fts_chunks MATCH ?", (expression,))


@given(texts)
def test_a_word_of_a_text_finds_the_text(text):
    """Every word, of every script, is findable by itself."""
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    with make_index(note("a.md", text)) as index:
        for word in words[:5]:
            quoted = '"' + word.replace('"', " ") + '"'
            assert [row.source.key for row in index.search(quoted, 5)] == ["a.md"], word


_FTS = sqlite3.connect(":memory:")
_FTS.execute("CREATE VIRTUAL TABLE fts_chunks USING fts5 (text, title, headings, tags, path)")
