"""What docs/worlds.md shows is true."""

import re
from pathlib import Path

import pytest

from cleanbreak.cli.worlds import COMMANDS

PAGE = (Path(__file__).parents[2] / "docs/worlds.md").read_text(encoding="utf-8")


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they stand, one after the other, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(examples) == 2
    exec(compile("\n".join(examples), "docs/worlds.md", "exec"), {})
    assert (tmp_path / "shelf/world.json").exists()


def test_every_command_is_there() -> None:
    """With at least one line that shows it."""
    for command in COMMANDS:
        assert f"cleanbreak {command.__name__} shelf" in PAGE
