"""The examples in docstrings run as written, and give what they say."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"
MODULES = [
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCES.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, tmp_path, monkeypatch):
    """In a folder of their own, in case they write."""
    monkeypatch.chdir(tmp_path)
    tried = doctest.testmod(import_module(name))
    assert tried.attempted > 0
    assert tried.failed == 0
