"""The examples of docs/frameworks.md run with the real frameworks, and print what they show."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cleanbreak as cb

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "frameworks.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)

pytestmark = pytest.mark.slow


def test_every_block_shows_its_output():
    """So that none goes untried."""
    assert len(EXAMPLES) == PAGE.count("```python")


@pytest.mark.parametrize(("code", "output"), EXAMPLES)
def test_an_example_prints_what_the_page_shows(code, output, tmp_path):
    """In a folder with the samples and a world named shelf."""
    shutil.copytree(PROJECT / "samples", tmp_path / "samples")
    cb.World.create(tmp_path / "shelf").ingest([tmp_path / "samples/the-keeper-of-sand-point.pdf"])
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "HAYSTACK_TELEMETRY_ENABLED": "False"},
    )
    assert (done.returncode, done.stdout) == (0, output), done.stderr
