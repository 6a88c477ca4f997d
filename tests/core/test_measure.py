"""Measures: what stands for one, who loads it, and that it is the same one after pickling."""

import pickle
import subprocess
import sys

import pytest

from cleanbreak import TokenSplitter
from cleanbreak.core.measures.measure import CHARACTERS, WORDS, FunctionMeasure, as_measure
from cleanbreak.errors import SettingsError


def count_vowels(text: str) -> int:
    return sum(letter in "aeiou" for letter in text)


@pytest.mark.parametrize("measure", [CHARACTERS, WORDS])
def test_a_built_in_measure_is_one_object_after_pickling_too(measure):
    """A worker that asks "is it characters?" must get the answer that this process gets."""
    assert pickle.loads(pickle.dumps(measure)) is measure
    assert as_measure(measure.name) is measure


def test_a_function_of_ones_own_is_equal_after_pickling():
    """Whether or not it has a name, even one of ours."""
    for name in (None, "vowels", "characters"):
        measure = FunctionMeasure(count_vowels, name)
        assert pickle.loads(pickle.dumps(measure)) == measure
    assert FunctionMeasure(count_vowels, "characters") != CHARACTERS


def test_loaders_are_given_and_asked_in_order():
    """What one of them knows is taken; what none knows is a function, or refused."""
    asked = []

    def nothing(spec):
        asked.append(spec)

    def vowels(spec):
        return FunctionMeasure(count_vowels, "vowels") if spec == "vowels" else None

    assert as_measure("vowels", (nothing, vowels)).name == "vowels"
    assert as_measure(count_vowels, (nothing, vowels)) == FunctionMeasure(count_vowels)
    assert asked == ["vowels", count_vowels]
    with pytest.raises(SettingsError):
        as_measure("vowels", ())


def test_a_tokenizer_is_found_though_only_the_core_was_imported():
    """Nothing has to be registered first by importing another module."""
    code = (
        "import sys; from cleanbreak.core.splitters import TokenSplitter; "
        "assert 'cleanbreak.tokenizers' not in sys.modules; "
        "print(TokenSplitter(64, 'tiktoken:cl100k_base').recipe.measure)"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout.strip() == "tiktoken:cl100k_base"


@pytest.mark.parametrize(
    ("spec", "end"),
    [
        (None, "or a function from a string to a number."),
        (3, "or a function from a string to a number."),
        ("word", "Did you mean words?"),
        ("tiktoken:cl100k", "Did you mean tiktoken:cl100k_base?"),
    ],
)
def test_what_is_no_measure_is_refused_with_what_may_be_given(spec, end):
    """A missing one is asked for, and a misspelt one guessed."""
    with pytest.raises(SettingsError) as caught:
        TokenSplitter(64, spec)
    assert str(caught.value).startswith(
        "Give measure: " if spec is None else f"measure is {spec!r}"
    )
    assert str(caught.value).endswith(end)


@pytest.mark.parametrize("folder", ["/home/secret/", "C:\\secret\\", "~/secret/"])
def test_a_misspelt_path_is_refused_without_its_folder(folder):
    with pytest.raises(SettingsError, match=r"measure is 'tokenizer\.jsn'") as caught:
        TokenSplitter(64, f"{folder}tokenizer.jsn")
    assert "secret" not in f"{caught.value} {caught.value.details}"
