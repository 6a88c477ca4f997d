"""The page on reading names what readers say."""

import contextlib
import dataclasses
import io
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


def test_example_of_an_own_reader_runs() -> None:
    """It prints what the page says."""
    section = PAGE.partition("## Own readers")[2]
    code, shown = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", section, re.DOTALL)[0]
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, {})
    finally:
        cb.register_reader(".play", None)
    assert printed.getvalue() == shown
