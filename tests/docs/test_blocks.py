"""Every Python block of every page of the documentation runs, and prints what the page shows.

Each runs in a folder with the samples, a book `book.epub`, notes, and a world `shelf` of one book.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cleanbreak as cb

PROJECT = Path(__file__).parents[2]
SAMPLES = PROJECT / "samples"
BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
BLOCKS = [
    pytest.param(*found, id=f"{page.stem}-{number}")
    for page in sorted((PROJECT / "docs").glob("*.md"))
    for number, found in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), 1)
]


@pytest.fixture
def folder(tmp_path):
    """What the examples work on."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    shutil.copy(SAMPLES / "the-keeper-of-sand-point.epub", tmp_path / "book.epub")
    cb.World.create(tmp_path / "shelf").ingest([SAMPLES / "the-keeper-of-sand-point.pdf"])
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Lamp.md").write_text("# Lamp\n\nIt burns [[Oil]]. #light\n", encoding="utf-8")
    (notes / "Home.md").write_text("# Home\n\n- [[Lamp]]\n", encoding="utf-8")
    (notes / "Oil.md").write_text("# Oil\n\nFrom whales, once.\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("code", "output"), BLOCKS)
def test_a_block_prints_what_the_page_shows(code, output, folder):
    """A block of text behind it is its output."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "HAYSTACK_TELEMETRY_ENABLED": "False"},
    )
    assert done.returncode == 0, done.stderr
    assert not output or done.stdout == output
