"""Hyphens at line ends: the rules, in their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.readers.pdf.hyphens import resolve
from cleanbreak.readers.pdf.line import BREAK


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("well|known is wellknown", "wellknown is wellknown"),
        ("(Infor|mation) on information.", "(Information) on information."),
        ("tea|room in a “tea-room”", "tea-room in a “tea-room”"),
        ("vracht|en verzendkosten", "vracht- en verzendkosten"),
        ("Jean|Paul", "Jean-Paul"),
        ("INFOR|MATION", "INFORMATION"),
        ("7|B and A|4", "7-B and A-4"),
        ("good|ness", "goodness"),
        ("a self|taught, strong|minded goat", "a self-taught, strong-minded goat"),
        ("light|house", "lighthouse"),
        ("made on-the|fly", "made on-the-fly"),
        ("its self-govern|ment", "its self-government"),
        ("a network|mounted disk: network, mounted", "a network-mounted disk: network, mounted"),
        ("it was under|taken under this name, taken", "it was undertaken under this name, taken"),
        ("some|one and some of one", "someone and some of one"),
        ("|mation and infor|", "-mation and infor-"),
    ],
)
def test_rules(text, expected):
    """The document's own words come first, then what mostly stands between such halves."""
    assert resolve(text.replace("|", BREAK)).text == expected


def test_a_document_that_breaks_no_words_keeps_its_hyphens():
    """Word processors break at hyphens only; their habit decides where nothing else does."""
    habit = "drawing|room and drawing-room, dining|room and dining-room, "
    assert resolve((habit + "re|kindled").replace("|", BREAK)).text.endswith("re-kindled")
    assert resolve("re|kindled".replace("|", BREAK)).text == "rekindled"


@given(st.text("aB7- ,é" + BREAK))
def test_offsets_follow_the_text(text):
    """What stands at an offset stands at its new one, and nothing but hyphens came or went."""
    resolved = resolve(text)
    assert BREAK not in resolved.text
    for offset, char in enumerate(text):
        if char != BREAK:
            assert resolved.text[resolved.offset(offset)] == char
    assert resolved.offset(len(text)) == len(resolved.text)


def test_half_a_million_letters_without_a_space_take_no_longer_than_they_are():
    """Each hyphen is looked at within a few letters, however long the word."""
    text = ("a" * 500 + BREAK) * 1000
    assert resolve(text).text == "a" * 500_000 + "-"
