"""The page on reading names what readers say."""

import dataclasses
import re
from pathlib import Path

import cleanbreak as cb
from cleanbreak.readers.messages import MESSAGES

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs/readers.md").read_text("utf-8")
SOURCES = [file.read_text("utf-8") for file in (PROJECT / "src/cleanbreak/readers").rglob("*.py")]


def test_every_warning_is_explained_and_no_other() -> None:
    """The table of warnings and the code agree."""
    raised = {
        code
        for source in SOURCES
        for code in re.findall(r'(?:SourceWarning\(|warn\(|add\(|code = )\s*"([A-Z_]+)"', source)
    } | MESSAGES.keys()
    table = PAGE.partition("## Warnings")[2]
    documented = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", table))
    assert raised <= documented
    assert documented <= {word for source in SOURCES for word in re.findall(r"[A-Z_]{8,}", source)}


def test_every_limit_is_explained() -> None:
    """The table of limits has the fields of `Limits`."""
    table = PAGE.partition("## Limits")[2].partition("## Errors")[0]
    rows = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert [field.name for field in dataclasses.fields(cb.Limits)] == rows
