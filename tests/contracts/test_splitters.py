"""One suite that every splitter runs: a new one is added to `BUILD`, or the first test fails."""

import dataclasses
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak import Document, Section, Span, split_many
from cleanbreak.core.splitters import (
    SPLITTERS,
    Splitter,
    make_splitter,
    settings_of,
    splitter_for,
    tokens,
)
from cleanbreak.errors import IndivisibleTextError, SettingsError
from laws import assert_laws
from strategies import texts

BUILD = {
    "boundary": {"chunk_size": 20, "max_lookback": 12, "overlap_size": 6},
    "code": {"max_size": 20, "overlap_size": 6, "language": "python"},
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
    chunks = build(by).split(Document(TEXT, pages))
    assert len(chunks) > 2
    for chunk in chunks:
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


# --- frozen values -------------------------------------------------------------------------------

# Another value for one setting of each splitter.
CHANGE = {
    "boundary": {"soft_wraps": "never"},
    "sentences": {"overlap_percent": 21},
    "code": {"language": "rust"},
    "markdown": {"merge_small": 3},
    "tokens": {"oversize": "emit"},
}


@every
def test_settings_cannot_be_assigned(by):
    """Not one of them: the recipe, and the ids that are made of it, would lie."""
    splitter = build(by)
    before = splitter.recipe
    for field in dataclasses.fields(splitter):
        with pytest.raises(AttributeError):
            setattr(splitter, field.name, getattr(splitter, field.name))
        with pytest.raises(AttributeError):
            delattr(splitter, field.name)
    assert splitter.recipe == before


@every
def test_equal_settings_are_equal_and_hash_alike(by):
    """Whether a setting was given or is the default; and another value makes another splitter."""
    one, two, other = build(by), build(by), make_splitter(by, **BUILD[by] | CHANGE[by])
    assert one == two
    assert hash(one) == hash(two)
    assert one != other
    assert one.recipe.digest != other.recipe.digest
    assert len({one, two, other}) == 2


@every
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_splitter_is_equal_and_cuts_alike(by, protocol):
    splitter = build(by)
    again = pickle.loads(pickle.dumps(splitter, protocol))
    assert again == splitter
    assert hash(again) == hash(splitter)
    assert again.split(TEXT) == splitter.split(TEXT)
    with pytest.raises(AttributeError):
        setattr(again, settings_of(by)[0], 1)


def test_every_splitter_cuts_alike_in_another_process():
    """Also one that imported nothing but what the pickles need, and under another hash seed."""
    splitters = [build(by) for by in sorted(SPLITTERS)]
    code = (
        "import pickle, sys; splitters, text = pickle.load(sys.stdin.buffer); "
        "sys.stdout.buffer.write(pickle.dumps([s.split(text) for s in splitters]))"
    )
    there = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps((splitters, TEXT)),
        capture_output=True,
        check=True,
    )
    assert pickle.loads(there.stdout) == [splitter.split(TEXT) for splitter in splitters]


@every
def test_worker_processes_cut_alike(by):
    """Texts and documents; every field of every chunk is the same without and with workers."""
    sources = [
        TEXT,
        "",
        book(*map(len, TALES)),
        "# A\n\ndef f():\n    return 1\n" * 3,
        "中文。" * 30,
    ]
    here, there = (list(split_many(sources, build(by), workers)) for workers in (0, 2))
    assert there == here == [build(by).split(source) for source in sources]


@every
def test_the_recipe_holds_every_setting(by):
    """So that a new field cannot be forgotten in it; the measure stands apart, by its name."""
    recipe = build(by).recipe
    names = [*recipe.settings, *(["measure"] if "measure" in settings_of(by) else [])]
    assert sorted([*names, *SPLITTERS[by].LATER]) == sorted(settings_of(by))
    fields = {field.name for field in dataclasses.fields(SPLITTERS[by])}
    assert fields == {*settings_of(by), *SPLITTERS[by].FUNCTIONS}


@pytest.mark.parametrize(
    ("by", "function"), [("boundary", "find_split_point"), ("sentences", "segmenter")]
)
def test_a_function_of_the_callers_is_part_of_the_value_but_no_setting(by, function):
    """The recipe names it, which keeps it from being locked, and the stored form is as it was."""
    splitter = make_splitter(by, **BUILD[by], **{function: len})
    assert splitter != build(by)
    assert splitter == make_splitter(by, **BUILD[by], **{function: len})
    recipe = splitter.recipe
    assert (recipe.functions, recipe.lockable) == ((function,), False)
    assert recipe.measure == "characters"
    assert recipe.as_dict() == {**build(by).recipe.as_dict(), "measure": None}
    assert pickle.loads(pickle.dumps(recipe)) == recipe
    with pytest.raises(SettingsError, match=f"{function} is a function") as caught:
        splitter_for(recipe)
    assert caught.value.details["field"] == function
    with pytest.raises(SettingsError, match=function):
        make_splitter(by, **BUILD[by], **{function: "no function"})


# --- settings that are refused -------------------------------------------------------------------


@every
def test_an_unknown_setting_is_refused_with_those_that_there_are(by):
    known = settings_of(by)
    with pytest.raises(SettingsError) as caught:
        make_splitter(by, **BUILD[by], no_such_setting=1)
    assert str(caught.value) == (
        f"The {by} splitter has no setting no_such_setting; it has {', '.join(known)}."
    )
    assert caught.value.details["field"] == "no_such_setting"
    assert caught.value.details["allowed"] == known


@every
def test_a_misspelt_setting_is_refused_with_the_one_that_was_meant(by):
    """One letter left out of any name."""
    for name in settings_of(by):
        with pytest.raises(SettingsError) as caught:
            make_splitter(by, **BUILD[by], **{name[:3] + name[4:]: 1})
        assert caught.value.details["suggestion"] == name
        assert str(caught.value).endswith(f"Did you mean {name}?")


def test_a_fault_of_ours_is_not_taken_for_a_wrong_setting(monkeypatch):
    """A TypeError inside a constructor is a bug, and is seen as one."""

    def fail(_measure):
        raise TypeError("a bug")

    monkeypatch.setattr(tokens, "as_measure", fail)
    with pytest.raises(TypeError, match="a bug"):
        make_splitter("tokens", max_tokens=3, measure="words")


def test_an_unknown_splitter_is_refused_with_those_that_there_are():
    with pytest.raises(SettingsError) as caught:
        make_splitter("sentence")
    assert str(caught.value) == (
        "by is 'sentence', but it must be one of 'boundary', 'code', 'markdown', 'sentences', 'tokens'. "
        "Did you mean sentences?"
    )


class Index:
    """A whole number that is no ``int``, as those of NumPy are."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


@every
def test_a_whole_number_of_another_type_is_taken(by):
    """And becomes an ``int``: the recipe must be JSON."""
    limit = next(iter(BUILD[by]))
    splitter = make_splitter(by, **{**BUILD[by], limit: Index(BUILD[by][limit])})
    assert splitter == build(by)
    assert splitter.recipe.digest == build(by).recipe.digest


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


# --- chapters ------------------------------------------------------------------------------------

TALES = [
    "The storm came. Oak held fast.\n\n",
    "  \n",
    "e\u0301tude and ink; more of it. The end.\n",
    "Last one.",
]


def book(*lengths: int) -> Document:
    """A document of chapters of so many characters."""
    text, sections, start = "".join(TALES), [], 0
    for number, length in enumerate(lengths, 1):
        sections.append(Section("chapter", f"Tale {number}", 1, Span(start, start + length)))
        start += length
    return Document(text, tuple(sections))


@every
def test_a_chunk_held_the_end_of_one_chapter_and_the_start_of_the_next(by):
    """Every splitter cuts there; blank chapters go with what stands before them."""
    document = book(*map(len, TALES))
    chunks = make_splitter(by, **BUILD[by]).split(document)
    assert_laws(document, chunks, limit=20, blank_is_content=by == "boundary")
    first, third = len(TALES[0]) + len(TALES[1]), len("".join(TALES[:3]))
    starts = {chunk.start: chunk for chunk in chunks}
    assert {first, third} <= set(starts)
    assert starts[first].overlap_text == starts[third].overlap_text == ""
    levels = {chunk.end: chunk.break_level for chunk in chunks}
    assert levels[first] == levels[third] == "chapter"
    assert any(chunk.overlap_text for chunk in chunks)


@every
def test_chapters_may_be_crossed(by):
    """Then the document is cut as its text is."""
    splitter = make_splitter(by, **BUILD[by], cross_chapters=True)
    spans = [
        [(c.start, c.end, c.overlap_text) for c in splitter.split(source)]
        for source in (book(*map(len, TALES)), "".join(TALES))
    ]
    assert spans[0] == spans[1]
    assert splitter.recipe != build(by).recipe
    assert splitter_for(splitter.recipe) == splitter


@every
@given(text=texts, cuts=st.lists(st.integers(0, 60), max_size=4))
def test_laws_with_chapters_anywhere(by, text, cuts):
    """Also inside a character, before blank text, or twice at one place."""
    chapters = [Section("chapter", "x", 1, Span(min(at, len(text)), len(text))) for at in cuts]
    document = Document(text, tuple(chapters))
    chunks = build(by).split(document)
    assert_laws(document, chunks, limit=20, blank_is_content=by == "boundary")


@every
def test_a_world_that_was_locked_before_chapters_counted_has_the_same_recipe(by):
    """A setting that came later is left out of the recipe at its default."""
    assert not SPLITTERS[by].LATER.keys() & build(by).recipe.settings.keys()
    for name, value in SPLITTERS[by].LATER.items():
        assert getattr(build(by), name) == value


@every
@pytest.mark.parametrize("text", ["\ufeff", "\u200b", " \ufeff\n"])
def test_a_text_that_shows_nothing_was_a_chunk(by, text):
    """A byte order mark or a zero width space alone is no content."""
    assert bool(build(by).split(text)) == (by == "boundary")


def test_an_error_in_a_later_chapter_names_the_offset_in_the_document():
    """Each chapter is cut alone, but offsets are those of the document."""
    text = "ab 👍🏽"
    document = Document(text, (Section("chapter", "2", 1, Span(3, 5)),))
    with pytest.raises(IndivisibleTextError, match="at offset 3 alone") as caught:
        make_splitter("tokens", max_tokens=3, measure=lambda t: len(t.encode())).split(document)
    assert caught.value.details["offset"] == 3


@every
def test_text_without_spaces_was_cut_inside_a_clause(by):
    """Where a script has no spaces, a clause mark is the best place below the sentence."""
    text = "他走进屋子，放下行李，看了看四周，觉得一切都没有变，窗户仍然半开着，风从外面吹进来。"
    chunks = build(by).split(text)
    assert all(chunk.text[-1] in "，。" for chunk in chunks)
