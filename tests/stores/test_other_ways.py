"""What is answered where nothing is found as typed: signs, parts of words, spelling, exclusion."""

import pytest

from cleanbreak.stores.fulltext.spelling import edits_between
from indexes import make_index, note


def keys(found):
    return [row.source.key for row in found.rows]


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("C#", "sharp"),
        ("c++", "plus"),
        (".NET", "dot"),
        (".net", "dot"),
        ("a+b", "sum"),
        ("F#", "functional"),
        ('"learn C#"', "sharp"),
    ],
)
def test_a_word_with_signs_is_another_word(typed, key):
    """C# is neither C nor C++."""
    texts = {
        "plain": "learn C and the net, a b and F now",
        "sharp": "learn C# now",
        "plus": "learn C++17 now",
        "dot": "the core of ASP.NET now",
        "sum": "a+b makes c",
        "functional": r"escaped F\# now",
    }
    with make_index(*(note(name, text) for name, text in texts.items())) as index:
        found = index.ask(typed, 9)
    assert (keys(found), found.answered_by) == ([key], "words")


def test_a_word_with_signs_is_found_without_them():
    """Where nothing has them, and it is said."""
    with make_index(note("a", "learn C now")) as index:
        found = index.ask("C#", 9)
        assert (keys(found), found.answered_by) == (["a"], "without signs")
        assert index.ask("F#", 9).rows == []


@pytest.mark.parametrize(
    "typed", ["#sea", "what?", "1,000", "sea.", "(sea)", "example.com", "TODO:"]
)
def test_other_signs_make_no_difference(typed):
    """Punctuation beside a word is no part of it."""
    with make_index(note("a", "what sea 1,000 example.com TODO")) as index:
        assert index.ask(typed, 9).answered_by == "words"
        assert len(index.ask(typed, 9).rows) == 1


def test_words_that_begin_so_are_found_if_nothing_else_is():
    """The word itself comes first, and then nothing is added to it."""
    with make_index(note("a", "a lighthouse"), note("b", "so light")) as index:
        assert keys(index.ask("lighth", 9)) == ["a"]
        assert index.ask("lighth", 9).answered_by == "beginnings"
        assert keys(index.ask("light", 9)) == ["b"]
        assert index.ask('"lighth"', 9).rows == []


def test_parts_of_words_are_found_if_nothing_else_is():
    """German and Dutch write compounds as one word."""
    with make_index(note("a", "Donaudampfschiff"), note("b", "Fahrt")) as index:
        found = index.ask("dampf", 9)
        assert (keys(found), found.answered_by) == (["a"], "parts")
        assert [one.text for one in found.highlights] == ["donaudampfschiff"]
        assert index.ask("da", 9).rows == []


@pytest.mark.parametrize(
    ("typed", "suggestion"),
    [
        ("knowlege", "knowledge"),
        ("knowleddge", "knowledge"),
        ("konwledge", "knowledge"),
        ("nkowledge", "knowledge"),
        ("cnowledge", "knowledge"),
        ("managemennnt", "management"),
        ("Knowlege Managment", "knowledge management"),
        ("смыл", "смысл"),
        ("straße knowlege", "straße knowledge"),
    ],
)
def test_typing_errors_are_answered_by_what_was_meant(typed, suggestion):
    """One letter too many, too few, another, or two swapped; two errors in a long word."""
    texts = ["knowledge management", "смысл"]
    with make_index(*(note(str(number), text) for number, text in enumerate(texts))) as index:
        found = index.ask(typed, 9)
    assert found.suggestion == suggestion
    assert (len(found.rows), found.answered_by) == (1, "spelling")


def test_something_is_suggested_where_other_words_are_found():
    """The hits are those of the words that are right."""
    with make_index(note("a", "the management"), note("b", "knowledge")) as index:
        found = index.ask("knowlege management", 9)
    assert (keys(found), found.answered_by) == (["a"], "words")
    assert found.suggestion == "knowledge management"


def test_a_quoted_phrase_is_not_answered_by_another():
    """Only suggested."""
    with make_index(note("a", "knowledge management")) as index:
        found = index.ask('"knowlege management"', 9)
    assert (found.rows, found.suggestion) == ([], '"knowledge management"')


@pytest.mark.parametrize("typed", ["knowledge", "managing", "xyzzyx", "12345", "tag736561", "teh"])
def test_nothing_is_suggested_without_reason(typed):
    """Words that are held, forms of them, numbers, tokens of ours, short words."""
    with make_index(note("a", "knowledge management the", tags=["sea"])) as index:
        assert index.ask(typed, 9).suggestion is None


def test_a_suggestion_finds_something():
    """Under the conditions of the query, too."""
    with make_index(note("a", "knowledge", tags=["old"]), note("b", "x", tags=["new"])) as index:
        assert index.ask("knowlege tag:old", 9).suggestion == "knowledge tag:old"
        assert index.ask("knowlege tag:new", 9).suggestion is None


def test_unwanted_words_alone_find_everything_without_them():
    """The first chunk of each source first."""
    notes = [note("a", "quagga", "zebra"), note("b", "zebra", "horse"), note("c", "horse")]
    with make_index(*notes) as index:
        found = index.ask("-quagga", 9)
        assert keys(found) == ["b", "c", "a", "b"]
        assert found.answered_by == "exclusion"
        assert keys(index.ask("-quagga", 2)) == ["b", "c"]
        assert keys(index.ask("-(quagga OR horse)", 9)) == ["b", "a"]
        assert keys(index.ask("-quagga NOT horse", 9)) == ["b", "a"]
        assert keys(index.ask("-path:b", 9)) == ["a", "c", "a"]


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("abcd", "acbd", 1), ("kitten", "sitting", 3),
     ("abcdefgh", "badcefgh", 2), ("same", "same", 0)],
)  # fmt: skip
def test_edits_are_counted(one, other, edits):
    """In both directions."""
    assert edits_between(one, other, 9) == edits_between(other, one, 9) == edits


def test_parts_of_words_of_two_alphabets_are_found():
    """Latin and other words lie in two places of the vocabulary; both are looked through."""
    notes = (
        note("a", "Das Donaudampfschiff"),
        note("b", "Пароходство"),
        note("c", "Donaudampfschiff, Пароходство"),
    )
    with make_index(*notes) as index:
        for typed, wanted in (("dampf", ["a", "c"]), ("роход", ["b", "c"]), ("dampf роход", ["c"])):
            found = index.ask(typed, 9)
            assert (sorted(keys(found)), found.answered_by) == (wanted, "parts")


def test_parts_of_any_word_find_if_no_chunk_has_parts_of_all():
    """As any word finds a chunk, so does a part of any word."""
    with make_index(note("a", "Das Donaudampfschiff"), note("b", "Die Nachtigall")) as index:
        found = index.ask("dampf chtig", 9)
        assert (sorted(keys(found)), found.answered_by) == (["a", "b"], "parts")
