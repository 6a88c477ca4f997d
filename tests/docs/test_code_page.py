"""The table of docs/code.md has every language."""

import re
from pathlib import Path

from cleanbreak.core.code.languages import GRAMMARS

PAGE = (Path(__file__).parents[2] / "docs" / "code.md").read_text("utf-8")


def test_the_table_has_every_language_and_suffix():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|$", PAGE, re.MULTILINE))
    found = {name: set(re.findall(r"\.[\w+]+", cell)) for name, cell in rows.items()}
    found["cpp"].remove(".h")
    assert found == {name: set(grammar.suffixes) for name, grammar in GRAMMARS.items()}
