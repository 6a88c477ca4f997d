"""`read` hands on what its caller asks, and loads no parser before it is needed."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.errors import SettingsError
from cleanbreak.readers.detect import Kind
from cleanbreak.readers.reading import Options
from pdf_maker import column, drawn, pdf

PARSERS = ("chardet", "lxml", "selectolax", "pypdfium2", "pyromark", "yaml")


def test_running_heads_are_left_out_when_asked(tmp_path: Path) -> None:
    """They are kept if so asked."""
    lines = [f"Line {number} of the page says something else." for number in range(9)]
    pages = [
        drawn([(72, 810, "THE GOAT LOG"), *column([f"{n} {line}" for line in lines], y=700)])
        for n in range(1, 9)
    ]
    file = tmp_path / "book.pdf"
    file.write_bytes(pdf(pages))
    assert "THE GOAT LOG" in cb.read(file, furniture="keep").text
    dropped = cb.read(file)
    assert "THE GOAT LOG" not in dropped.text
    assert "RUNNING_HEAD" in {warning.code for warning in dropped.warnings}


@pytest.mark.parametrize("wrong", [None, b"secret", io.BytesIO(b"secret"), 3])
def test_what_is_neither_path_nor_named_bytes_is_refused(wrong: object) -> None:
    """As one error of ours, which shows its type only."""
    with pytest.raises(SettingsError, match="source is") as refused:
        cb.read(wrong)  # type: ignore[arg-type]
    assert "secret" not in f"{refused.value} {refused.value.details}"


@pytest.mark.parametrize("statement", ["import cleanbreak", "import cleanbreak as cb; cb.read(P)"])
def test_parsers_are_loaded_when_needed(statement: str, tmp_path: Path) -> None:
    """Neither importing the package nor reading plain UTF-8 loads one."""
    file = tmp_path / "book.txt"
    file.write_text("text")
    code = f"import sys; P = sys.argv[1]; {statement}; print(set({PARSERS}) & sys.modules.keys())"
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


@pytest.mark.parametrize(
    ("given", "variable", "used"),
    [(None, None, None), ("a", None, "a"), (None, "b", "b"), ("a", "b", "a")],
)
def test_password_comes_from_the_caller_or_the_environment(
    given: str | None,
    variable: str | None,
    used: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A password that is not typed is seen by nobody, and a resumed run has it again."""
    asked: list[str | None] = []

    def read_here(path: Path, kind: Kind, options: Options) -> cb.Document:
        asked.append(options.password)
        return cb.Document("text")

    monkeypatch.setattr("cleanbreak.readers.reading.read_here", read_here)
    monkeypatch.delenv("CLEANBREAK_PDF_PASSWORD", raising=False)
    if variable is not None:
        monkeypatch.setenv("CLEANBREAK_PDF_PASSWORD", variable)
    file = tmp_path / "book.pdf"
    file.write_bytes(b"%PDF-1.7")
    cb.read(file, password=given, isolate=False)
    assert [used] == asked
