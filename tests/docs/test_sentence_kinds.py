"""The table of the page about sentences says what `sentences` does."""

import re
from pathlib import Path

import pytest

from cleanbreak import sentences

PAGE = Path(__file__).parents[2] / "docs" / "sentences.md"
ROWS = re.findall(r"^\| [^|]+ \| ([a-z]{2}) \| `(.+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("language", "example"), ROWS)
def test_an_example_ends_where_the_page_says(language: str, example: str) -> None:
    """The sign in the example is no part of the text."""
    expected = example.split("‖")
    text = "".join(expected)
    found = [text[start:end].strip() for start, end in sentences(text, language)]
    assert found == [sentence.strip() for sentence in expected]


def test_the_table_was_found() -> None:
    """Every row has an example."""
    assert len(ROWS) > 25
