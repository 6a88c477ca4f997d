"""Docs are tried as written: every Python block and every command of the README runs."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )


@pytest.mark.parametrize("code", blocks("python"))
def test_python_blocks_run(code, tmp_path):
    shutil.copytree(PROJECT / "samples", tmp_path / "samples")
    done = run(["-c", code], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_output_is_what_the_example_prints(tmp_path):
    """A block of text behind a Python block is its output."""
    shown = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)
    assert shown
    shutil.copytree(PROJECT / "samples", tmp_path / "samples")
    for code, output in shown:
        assert run(["-c", code], tmp_path).stdout == output


@pytest.mark.slow
def test_the_commands_run_in_the_order_they_are_told(tmp_path):
    shutil.copytree(PROJECT / "samples", tmp_path / "samples")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Some note.md").write_text("# Lamp\n\nA lighthouse. #idea\n", encoding="utf-8")
    (notes / "Other.md").write_text("See [[Some note]].\n", encoding="utf-8")
    commands = [line.partition("#")[0].strip() for line in "".join(blocks("sh")).splitlines()]
    commands = [command for command in commands if command.startswith("cleanbreak ")]
    assert len(commands) > 5
    for command in commands:
        done = run(["-m", *shlex.split(command)], tmp_path)
        assert done.returncode == 0, (command, done.stderr)
        assert done.stdout.strip() or "-o" in command, command
