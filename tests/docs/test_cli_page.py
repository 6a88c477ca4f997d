"""The commands and their page stay in step, and every command keeps the common promises."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
import typer

from cleanbreak.cli.app import app

PROJECT = Path(__file__).parents[2]


def maker() -> Any:
    spec = importlib.util.spec_from_file_location("maker", PROJECT / "tools" / "make_cli_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMMANDS: dict[str, Any] = maker().commands(typer.main.get_command(app))

# Servers: what they print is a protocol of their own.
SERVERS = {"mcp"}

every = pytest.mark.parametrize("name", sorted(COMMANDS))


def test_the_page_says_what_the_commands_say():
    """After a change, run tools/make_cli_docs.py."""
    page = (PROJECT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == maker().page()


@every
def test_help_has_an_example(name):
    assert f"Example: `cleanbreak {name} " in " ".join(COMMANDS[name].help.split())


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - SERVERS))
def test_every_command_speaks_json(name):
    assert "--json" in {word for option in COMMANDS[name].params for word in option.opts}


@every
def test_every_option_is_explained(name):
    options = [p for p in COMMANDS[name].params if p.param_type_name == "option"]
    assert [option.name for option in options if not option.help] == []
