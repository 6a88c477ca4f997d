"""What docs/worlds.md shows is true."""

from pathlib import Path

from cleanbreak.cli.worlds import COMMANDS

PAGE = (Path(__file__).parents[2] / "docs/worlds.md").read_text(encoding="utf-8")


def test_every_command_is_there() -> None:
    """With at least one line that shows it."""
    for command in COMMANDS:
        assert f"cleanbreak {command.__name__} shelf" in PAGE
