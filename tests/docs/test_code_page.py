"""docs/code.md: its example prints what it shows, and its table has every language."""

import re
import subprocess
import sys
from pathlib import Path

from cleanbreak.core.code.languages import GRAMMARS

PAGE = (Path(__file__).parents[2] / "docs" / "code.md").read_text("utf-8")


def test_the_example_prints_what_is_shown():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout == shown


def test_the_table_has_every_language_and_suffix():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|$", PAGE, re.MULTILINE))
    found = {name: set(re.findall(r"\.[\w+]+", cell)) for name, cell in rows.items()}
    found["cpp"].remove(".h")
    assert found == {name: set(grammar.suffixes) for name, grammar in GRAMMARS.items()}
