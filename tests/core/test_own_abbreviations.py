"""A caller's own abbreviations: of one call, and as a setting of the splitter."""

import pickle

import pytest

import cleanbreak as cb
from cleanbreak.errors import SettingsError

TEXT = "See Qux. Nine for it. He left. Then the pos. was lost. It ended."


def found(text: str, language: str, abbreviations: object) -> list[str]:
    spans = cb.sentences(text, language, abbreviations=abbreviations)  # type: ignore[arg-type]
    return [text[start:end].strip() for start, end in spans]


def test_a_full_stop_after_one_ends_no_sentence() -> None:
    """In every language, and before every word."""
    kept = ["See Qux. Nine for it.", "He left.", "Then the pos. was lost.", "It ended."]
    for language in ("en", "de", "xx", "auto"):
        assert found(TEXT, language, ["Qux", "pos"]) == kept
    assert len(found(TEXT, "en", [])) == 6


@pytest.mark.parametrize("word", ["Qux", "Qux."])
def test_the_full_stop_may_be_written_or_not(word: str) -> None:
    """As people write abbreviations either way."""
    assert cb.SentenceSplitter(1, abbreviations=[word]).abbreviations == ("Qux",)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("z. Hd.", "Der Brief z. Hd. Frau Klee kam."),
        ("k.u.k", "Die k.u.k. Armee zog ab."),
        ("zugl.abt", "Die zugl.abt. Nord zog ab."),
    ],
)
def test_stops_inside_an_abbreviation(word: str, text: str) -> None:
    """With spaces after them or without."""
    assert len(found(text, "de", [word])) == 1


def test_a_capital_in_the_list_demands_one_in_the_text() -> None:
    """As in the lists of the languages: "Mass" is a state, "mass" a word."""
    text = "The Mass. Coast is far. It has mass. The end."
    assert len(found(text, "xx", ["Mass"])) == 3
    assert len(found(text, "xx", ["mass"])) == 2


def test_a_paragraph_still_ends_after_one() -> None:
    """A blank line needs no proof."""
    assert len(found("See Qux.\n\nNine.", "en", ["Qux"])) == 2


@pytest.mark.parametrize(
    "wrong", ["Fig", ["et al"], [""], ["."], [3], 3, None, ["a\nb"], ["x" * 40], [b"Fig"]]
)
def test_what_is_no_word_is_refused(wrong: object) -> None:
    """One string would count as its letters."""
    with pytest.raises(SettingsError, match="abbreviations"):
        found(TEXT, "en", wrong)
    with pytest.raises(SettingsError, match="abbreviations"):
        cb.SentenceSplitter(max_sentences=1, abbreviations=wrong)  # type: ignore[arg-type]


def test_the_splitter_is_a_frozen_value_with_them() -> None:
    """The order in which they are given says nothing; the recipe holds them, if there are any."""
    first = cb.SentenceSplitter(1, abbreviations=["pos", "Qux."])
    second = cb.SentenceSplitter(1, abbreviations={"Qux", "pos"})
    assert first == second
    assert hash(first) == hash(second)
    assert first.recipe.settings["abbreviations"] == ("Qux", "pos")
    assert first.recipe.lockable
    assert first.recipe != cb.SentenceSplitter(1).recipe
    assert "abbreviations" not in cb.SentenceSplitter(1).recipe.settings
    assert pickle.loads(pickle.dumps(first)).split(TEXT) == first.split(TEXT)
    assert next(chunk.text for chunk in first.split(TEXT)) == "See Qux. Nine for it. "


def test_worker_processes_know_them() -> None:
    """They travel with the splitter."""
    splitter = cb.SentenceSplitter(1, abbreviations=["Qux", "pos"])
    here, there = (list(cb.split_many([TEXT], splitter, workers=workers)) for workers in (0, 2))
    assert here == there
    assert [len(chunks) for chunks in here] == [4]
