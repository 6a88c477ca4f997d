"""docs/meaning.md and docs/meaning-in-code.md: what they show is what happens.

The commands of the first page fetch the model; see `tests/providers/test_meaning_commands.py`.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cleanbreak.worlds import MODES

DOCS = Path(__file__).parents[2] / "docs"
PERSON = (DOCS / "meaning.md").read_text("utf-8")
DEVELOPER = (DOCS / "meaning-in-code.md").read_text("utf-8")


def test_the_example_prints_what_is_shown():
    pytest.importorskip("numpy", reason="the extra vectors is not installed")
    (code,) = re.findall(r"```python\n(.*?)```", DEVELOPER, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", DEVELOPER, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == (shown, "")


def test_every_mode_is_described():
    assert sorted(re.findall(r"^\| `(\w+)` \|", PERSON, re.MULTILINE)[:4]) == sorted(MODES)
    for mode in MODES:
        assert f'`"{mode}"`' in DEVELOPER
