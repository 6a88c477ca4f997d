"""Why a chunk ends where it does: what the packers say of their own cuts."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cleanbreak as cb
from cleanbreak.core.document import Document, Section, Span
from cleanbreak.core.packing import trace
from cleanbreak.core.splitters import build_splitter

STORY = (
    "The lamp was lit. Nobody came, and nobody would; the road lay under snow.\n\n"
    'In the morning a man stood there! He had walked all night. "Come in," she said.\n'
    "He came in.\n\n\n"
    "Then the wind rose again, and the window, which was old, fell out of its frame.\n\n"
) * 4
NOTE = (
    "# Tea\n\nHot. Strong.\n\n- one\n- two and three\n\n## Green\n\nBitter, they say. "
    + "Leaf. " * 30
)
CODE = Path(trace.__file__).read_text("utf-8")

CASES = [
    (STORY, "boundary", {"chunk_size": 90, "max_lookback": 60}),
    (STORY, "boundary", {"chunk_size": 7, "max_lookback": 3}),
    (STORY.replace("\n", "\r\n"), "boundary", {"chunk_size": 90, "max_lookback": 60}),
    (STORY, "sentences", {"max_sentences": 2}),
    (STORY, "sentences", {"max_tokens": 9, "overlap_percent": 20}),
    (STORY, "sentences", {"max_sentences": 3, "max_tokens": 20}),
    (STORY, "tokens", {"max_tokens": 15, "measure": "words"}),
    (STORY, "tokens", {"max_tokens": 5, "measure": "characters"}),
    (NOTE, "markdown", {"chunk_size": 60}),
    (NOTE, "markdown", {"chunk_size": 12, "measure": "words"}),
    (CODE, "code", {"max_size": 300, "language": "python"}),
    (CODE, "code", {"max_size": 40, "language": "python"}),
]
every_splitter = pytest.mark.parametrize(("text", "by", "settings"), CASES)


@every_splitter
def test_an_explanation_is_of_the_cut_that_is_made(text, by, settings):
    """With a trace a packer cuts as it does without one."""
    splitter = build_splitter(by, settings)
    chunks = splitter.split(text)
    assert len(chunks) > 3
    for chunk in chunks:
        found = splitter.explain(text, chunk.number)
        assert (found.character_start_offset, found.character_end_offset) == (
            chunk.start,
            chunk.end,
        )
        assert found.break_level == chunk.break_level
        assert chunk.token_count in (None, found.count)


@every_splitter
def test_the_place_that_was_taken_is_a_candidate_of_its_level(text, by, settings):
    """Or only blank text lies between the two."""
    splitter = build_splitter(by, settings)
    looked = 0
    for chunk in splitter.split(text):
        found = splitter.explain(text, chunk.number)
        if found.rule not in {"cleanest", "whole"}:
            continue
        looked += 1
        named = [one for one in found.candidates if one.break_level == found.break_level]
        content = chunk.start + len(chunk.text.rstrip())
        assert any(
            content <= at <= chunk.end for one in named or found.candidates for at in one.offsets
        )
        assert found.window_start <= chunk.end
    assert looked


@every_splitter
def test_no_candidate_lies_outside_the_window(text, by, settings):
    splitter = build_splitter(by, settings)
    for chunk in splitter.split(text)[:12]:
        found = splitter.explain(text, chunk.number)
        for one in found.candidates:
            assert len(one.offsets) <= one.total
            for at in one.offsets:
                assert found.window_start < at <= found.window_end or at == chunk.end


@given(st.text(alphabet="ab. \n", min_size=1, max_size=200), st.integers(2, 30))
def test_the_words_of_a_window_are_those_of_the_text(text, size):
    """Counted by a pattern of the test's own."""
    splitter = cb.BoundarySplitter(size, max_lookback=size, overlap_size=0, soft_wraps="never")
    for chunk in splitter.split(text):
        found = splitter.explain(text, chunk.number)
        if found.candidates:
            words = next(one for one in found.candidates if one.break_level == "word")
            low, high = found.window_start, found.window_end
            expected = [low + at.end() for at in re.finditer(r"[ \n]", text[low:high])]
            assert set(words.offsets) - {chunk.end} == set(expected) - {chunk.end}


def test_a_chapter_is_the_reason_where_one_starts():
    document = Document("One. Two. Three. Four.", (Section("chapter", "B", 1, Span(10, 22)),))
    splitter = cb.BoundarySplitter(6, max_lookback=5, overlap_size=0)
    rules = {c.end: splitter.explain(document, c.number).rule for c in splitter.split(document)}
    assert rules[10] == "chapter"
    assert rules[22] == "end"


def test_offsets_after_the_first_chapter_are_those_of_the_document():
    document = Document("One. Two. Three. Four. Five.", (Section("chapter", "B", 1, Span(10, 28)),))
    splitter = cb.BoundarySplitter(8, max_lookback=7, overlap_size=0)
    cut = next(chunk for chunk in splitter.split(document) if chunk.start == 10)
    found = splitter.explain(document, cut.number)
    assert (found.window_start, found.window_end) == (11, 18)


def test_a_cut_without_a_break_is_hard():
    found = cb.BoundarySplitter(5, overlap_size=0).explain("abcdefghijkl", 1)
    assert (found.rule, found.break_level) == ("hard", "grapheme")
    assert all(one.total == 0 for one in found.candidates)


def test_a_function_of_the_caller_is_the_reason_where_it_chose():
    splitter = cb.BoundarySplitter(5, find_split_point=lambda text, size, back: min(4, len(text)))
    assert splitter.explain("ab cd ef gh", 1).rule == "function"


def test_a_chunk_that_is_not_there_is_refused():
    with pytest.raises(cb.CleanbreakError) as caught:
        cb.BoundarySplitter().explain("One.", 2)
    assert caught.value.code == "SETTINGS_INVALID"


def test_an_explanation_holds_no_text():
    found = cb.BoundarySplitter(20, max_lookback=19).explain("Zanzibar " * 9, 2)
    assert "Zanzibar" not in repr(found.as_dict())
