"""Output in an encoding that lacks some of the characters, as a pipe on Windows has it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cleanbreak as cb

pytestmark = pytest.mark.slow  # each test starts a process

TEXT = "Привет, мир 🙂. The café is “open”.\n"


def cleanbreak(encoding: str, *words: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "cleanbreak", *map(str, words)],
        capture_output=True,
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONIOENCODING": encoding, "COLUMNS": "200"},
    )


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "мир.txt"
    path.write_text(TEXT, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("words", [("--json",), ("--format", "json"), ("--format", "jsonl")])
def test_json_is_utf_8(book: Path, encoding: str, words: tuple[str, ...]) -> None:
    """Programs read it, and JSON has one encoding."""
    done = cleanbreak(encoding, "split", book, *words)
    record = json.loads(done.stdout.decode("utf-8").strip().removeprefix("[").removesuffix("]"))
    assert (done.returncode, record["chunk_text"]) == (0, TEXT)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("form", ["text", "table"])
def test_a_character_that_the_output_lacks_is_escaped(book: Path, encoding: str, form: str) -> None:
    """It once ended the run with a traceback."""
    done = cleanbreak(encoding, "split", book, "--format", form)
    assert (done.returncode, done.stderr) == (0, b"")
    out = done.stdout.decode(encoding)
    assert r"\u043c\u0438\u0440" in out
    assert (r"caf\xe9" if encoding == "ascii" else "café") in out


def test_search_answers_in_any_encoding(book: Path, tmp_path: Path) -> None:
    """As a citation and a passage, and as JSON."""
    cb.World.create(tmp_path / "shelf").ingest(book)
    done = cleanbreak("cp1252", "search", tmp_path / "shelf", "открыто OR café")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "**café**".encode("cp1252") in done.stdout
    done = cleanbreak("cp1252", "search", tmp_path / "shelf", "café", "--json")
    assert json.loads(done.stdout.decode("utf-8"))[0]["source_filename"] == "мир.txt"


def test_errors_are_written_in_any_encoding(tmp_path: Path) -> None:
    """For a person and for a program."""
    done = cleanbreak("cp1252", "split", tmp_path / "нет.txt")
    assert (done.returncode, rb"'\u043d\u0435\u0442.txt'" in done.stderr) == (1, True)
    done = cleanbreak("cp1252", "split", tmp_path / "нет.txt", "--json")
    assert json.loads(done.stderr.decode("utf-8"))["error"]["details"]["name"] == "нет.txt"


def test_help_is_written_in_any_encoding() -> None:
    """Its frames too."""
    done = cleanbreak("cp1252", "split", "-h")
    assert (done.returncode, done.stderr) == (0, b"")
