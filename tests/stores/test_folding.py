"""Terms beside the text: what SQLite's tokenizer cannot make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.stores.fulltext.folding import (
    _beyond_ascii_and_signs,
    _may_hold_grams,
    extra_terms,
    fold,
    patterns,
    segments,
    tag_terms,
)
from strategies import texts


def test_ascii_needs_no_extra_terms():
    """Most texts cost nothing beside themselves."""
    assert extra_terms("The old house; 3.14, re-read!") == ""


def test_accents_are_left_to_sqlite():
    """`remove_diacritics` folds them, so they are not stored twice."""
    assert extra_terms("café naïve Ålesund e\u0301tude мой") == ""


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("東京タワー", "東京 京タ タワ ワー ー"),
        ("我 们", "我 们"),
        ("ｶﾞﾗｽ", "ガラ ラス ス"),
        ("ﬁrst", "first"),
        ("Straße", "strasse"),
        ("STRAẞE", "strasse"),
        ("\u0587", "եւ"),
        ("co\u00adoperate", "cooperate"),
        ("ＡＢＣ１", "abc1"),
        ("ёлка мой", "елка"),
        ("Ελλάδα", "ελλαδα"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("Łódź smørrebrød", "lodz smorrebrod"),
        ("done ✅", "u2705"),
    ],
)
def test_extra_terms(text, terms):
    """Bigrams and a last character for unspaced scripts; folded spellings; pictographs."""
    assert terms == extra_terms(text)


def test_a_line_break_inside_unspaced_text_parts_no_word():
    """Hard-wrapped Chinese and Japanese break lines inside words."""
    assert extra_terms("东\n京") == extra_terms("东京")


def test_zero_width_spaces_part_no_word():
    """Khmer and Thai mark word breaks with them in some texts and not in others."""
    assert extra_terms("ភាសា\u200bខ្មែរ") == extra_terms("ភាសាខ្មែរ")


def test_a_tag_is_found_by_those_above_it():
    """`a/b` is in `a`."""
    assert len(tag_terms("a/b/c")) == 3
    assert tag_terms("A/b")[0] == tag_terms("a")[0]


@given(texts)
def test_folding_twice_changes_nothing(text):
    """Otherwise a query and a text could fold to different words."""
    assert fold(text) == fold(fold(text))


@given(st.text())
def test_segments_lose_no_letter(text):
    """Every letter and digit typed reaches some piece, in order."""
    pieces = "".join(piece for _, piece in segments(text))
    assert list(filter(str.isalnum, text)) == list(filter(str.isalnum, pieces))


def test_no_character_is_passed_over_for_speed():
    """The plain ranges that are looked at first hold every character that needs terms."""
    every = "".join(map(chr, [*range(0x80, 0xD800), *range(0xE000, 0x110000)]))
    missed = {match[0] for match in patterns().gram_source.finditer(every)}
    assert not [run for run in missed if any(not _may_hold_grams(sign) for sign in run)]


def test_signs_that_are_skipped_for_speed_are_in_no_word():
    """The signs that are skipped at first are no characters of words."""
    every = "".join(map(chr, [*range(0x80, 0xD800), *range(0xE000, 0x110000)]))
    skipped = [sign for sign in every if not _beyond_ascii_and_signs(sign)]
    assert len(skipped) > 100
    assert not [sign for sign in skipped if patterns().word.search(sign)]
