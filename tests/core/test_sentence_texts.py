"""Whole texts in many languages, as fixtures/sentences.txt has them: one sentence a line."""

import textwrap
from pathlib import Path

import pytest

from cleanbreak import sentences

FIXTURES = Path(__file__).parent / "fixtures" / "sentences.txt"
# Languages that put no space between sentences.
UNSPACED = {"zh", "ja"}


def cases() -> list[tuple[str, list[str]]]:
    """The language and the sentences of each text."""
    found = []
    language = ""
    for block in FIXTURES.read_text("utf-8").split("\n\n")[1:]:
        lines = block.strip().splitlines()
        if lines[0].startswith("language: "):
            language = lines.pop(0).removeprefix("language: ")
        found.append((language, lines))
    return found


def found_in(text: str, language: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in sentences(text, language)]


@pytest.mark.parametrize(("language", "expected"), cases())
def test_sentences_of_whole_texts(language: str, expected: list[str]) -> None:
    """The language may be named or detected."""
    text = ("" if language in UNSPACED else " ").join(expected)
    assert found_in(text, language) == expected
    assert found_in(text, "auto") == expected


@pytest.mark.parametrize(
    ("language", "expected"), [case for case in cases() if case[0] not in UNSPACED]
)
def test_sentences_of_wrapped_texts(language: str, expected: list[str]) -> None:
    """A line end of hard-wrapped text is a space."""
    text = textwrap.fill(" ".join(expected), 44, break_on_hyphens=False)
    assert found_in(text, language) == expected


def test_the_fixtures_are_found() -> None:
    """Many languages, and the sentences of each text are more than one."""
    assert len({language for language, _ in cases()}) > 10
    assert all(len(lines) > 1 for _, lines in cases())


def test_a_low_opening_quote_may_close_with_either_sign() -> None:
    """German closes „ with “, Swedish and Polish with ”; the sentence goes on behind both."""
    for closing in "“”":
        text = f"Er rief „Komm. Schnell{closing} und ging."
        assert found_in(text, "de") == [text]


def test_a_footnote_sign_before_lower_case_ends_no_sentence() -> None:
    """The sentence continues after the sign."""
    assert found_in("“Well done!” *he said. Then she went.", "en") == [
        "“Well done!” *he said.",
        "Then she went.",
    ]
