"""One suite that every splitter runs: a new one is added to `BUILD`, or the first test fails."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak import Document, Section, Span
from cleanbreak.core.splitters import SPLITTERS, Splitter, make_splitter, splitter_for
from cleanbreak.errors import SettingsError
from laws import assert_laws
from strategies import texts

BUILD = {
    "boundary": {"chunk_size": 20, "max_lookback": 12, "overlap_size": 6},
    "sentences": {"max_tokens": 20, "overlap_percent": 20, "measure": "characters"},
    "markdown": {"chunk_size": 20, "overlap_size": 6},
    "tokens": {"max_tokens": 20, "overlap_tokens": 6, "measure": "characters"},
}
TEXT = "One fine day. “Two!” he said.\r\n\r\n# Three\n\ne\u0301 🇫🇷 3.14, and so on; four.\n" * 4

every = pytest.mark.parametrize("by", sorted(SPLITTERS))


def build(by: str) -> Splitter:
    return make_splitter(by, **BUILD[by])


def test_every_splitter_is_tried_here():
    assert set(SPLITTERS) <= set(BUILD)


@every
@given(text=texts)
def test_laws(by, text):
    """Laws 1 to 6, for any text."""
    assert_laws(
        text,
        build(by).split(text),
        limit=20,
        overlap_limit=20 if by == "sentences" else 6,
        blank_is_content=by == "boundary",
    )


@every
def test_stream_gives_what_split_gives_and_holds_one(by):
    stream = build(by).stream(TEXT)
    assert iter(stream) is stream
    assert list(stream) == build(by).split(TEXT)


@every
def test_a_document_and_its_text_are_cut_alike(by):
    cut = [(chunk.start, chunk.end) for chunk in build(by).split(TEXT)]
    assert cut == [(chunk.start, chunk.end) for chunk in build(by).split(Document(TEXT))]


@every
def test_pages_are_told(by):
    half = len(TEXT) // 2
    pages = (
        Section("page", "1", 1, Span(0, half)),
        Section("page", "2", 1, Span(half, len(TEXT))),
    )
    for chunk in build(by).split(Document(TEXT, pages)):
        touched = [p for p in pages if p.span.start < chunk.end and p.span.end > chunk.start]
        assert [s for s in chunk.sections if s.kind == "page"] == touched


@every
def test_a_recipe_names_the_splitter_and_rebuilds_it(by):
    recipe = build(by).recipe
    assert recipe.splitter == by
    again = splitter_for(recipe)
    assert again.recipe == recipe
    assert again.split(TEXT) == build(by).split(TEXT)
    assert recipe == pickle.loads(pickle.dumps(recipe))


@every
def test_empty_text_has_no_chunks(by):
    assert build(by).split("") == []


@every
def test_white_space_alone_is_content_only_where_characters_rule(by):
    assert bool(build(by).split(" \n\n ")) == (by == "boundary")


@every
@pytest.mark.parametrize("setting", ["no_such_setting"])
def test_unknown_settings_are_refused(by, setting):
    with pytest.raises(SettingsError):
        make_splitter(by, **BUILD[by], **{setting: 1})


@every
@given(value=st.sampled_from([0, -3, True, 1.5, float("nan"), "9", 10**12]))
def test_wrong_limits_are_refused_when_built(by, value):
    limit = next(iter(BUILD[by]))
    with pytest.raises(SettingsError) as caught:
        make_splitter(by, **{**BUILD[by], limit: value})
    assert caught.value.details["field"] == limit


@every
def test_only_texts_and_documents_are_taken(by):
    for wrong in (b"bytes", None, 3):
        with pytest.raises(SettingsError):
            build(by).split(wrong)
