"""`cleanbreak split` as a person and a pipe use it: real processes, real exit codes."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pdf_maker import column, drawn, pdf

TEXT = "First one here. Second one here.\n\nA [not markup] paragraph.\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text(TEXT, encoding="utf-8", newline="")
    return path


def cleanbreak(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cleanbreak", *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **environment},
    )


def test_json_is_one_document_that_holds_the_whole_text(book):
    done = cleanbreak("split", book, "--chunk-size", 20, "--json")
    chunks = json.loads(done.stdout)
    assert "".join(chunk["chunk_text"] for chunk in chunks) == TEXT
    assert chunks[0]["source_filename"] == "book.txt"
    assert (done.returncode, done.stderr) == (0, "")


def test_jsonl_is_one_record_a_line(book):
    done = cleanbreak("split", book, "--chunk-size", 20, "--format", "jsonl")
    numbers = [json.loads(line)["chunk_number"] for line in done.stdout.splitlines()]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_table_shows_brackets_as_they_are(book):
    done = cleanbreak("split", book, COLUMNS="200")
    assert "[not markup]" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "SOURCE_MISSING"), (b"", "SOURCE_EMPTY"), (b" \n\t", "SOURCE_EMPTY")],
)
def test_a_source_that_cannot_be_used_is_one_line_and_exit_1(tmp_path, content, code):
    path = tmp_path / "poem.txt"
    if content is not None:
        path.write_bytes(content)
    done = cleanbreak("split", path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert code in done.stderr
    assert str(tmp_path) not in done.stderr


def test_with_json_an_error_is_json_too(tmp_path):
    done = cleanbreak("split", tmp_path / "poem.txt", "--json")
    error = json.loads(done.stderr)["error"]
    assert (error["code"], error["details"]["name"]) == ("SOURCE_MISSING", "poem.txt")
    assert done.stdout == ""


def test_json_before_a_failed_file_is_still_json(book, tmp_path):
    done = cleanbreak("split", book, tmp_path / "missing.txt", "--json")
    assert done.returncode == 1
    assert "".join(chunk["chunk_text"] for chunk in json.loads(done.stdout)) == TEXT


def test_json_says_what_was_saved(book, tmp_path):
    done = cleanbreak("split", book, "-o", tmp_path / "chunks.jsonl", "--json")
    assert json.loads(done.stdout) == {"output": "chunks.jsonl", "chunks": 1}


def test_a_folder_is_no_source_for_split_of_one_file(tmp_path):
    (tmp_path / "empty").mkdir()
    assert cleanbreak("split", tmp_path / "empty").returncode != 0


@pytest.mark.parametrize(
    "words",
    [["split"], ["split", "--chunk-size", "many", "a.txt"], ["no-such-command"], ["split", "--no"]],
)
def test_wrong_usage_is_exit_2(words):
    done = cleanbreak(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "option",
    [("--chunk-size", 0), ("--max-lookback", -1), ("--by", "magic"), ("--max-tokens", 5)],
)
def test_a_wrong_setting_is_named_and_exit_2(book, option):
    done = cleanbreak("split", book, *option)
    assert done.returncode == 2
    assert "SETTINGS_INVALID" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_no_error(book):
    book.write_text(TEXT * 20_000, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "cleanbreak", "split", str(book), "--format", "jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_help_has_an_example():
    done = cleanbreak("split", "--help")
    assert "Example" in done.stdout
    assert done.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["jsonl", "sqlite", "parquet"])
def test_output_is_saved_whole(book, tmp_path, suffix):
    target = tmp_path / f"chunks.{suffix}"
    done = cleanbreak("split", book, "--chunk-size", 20, "-o", target)
    assert (done.returncode, done.stdout) == (0, "")
    assert target.stat().st_size
    failed = cleanbreak("split", book, tmp_path / "missing.txt", "-o", target)
    assert failed.returncode == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.txt", target.name]


def test_a_database_of_another_program_gets_a_table(book, tmp_path):
    """It may be a person's diary, which was destroyed once."""
    target = tmp_path / "mine.db"
    with closing(sqlite3.connect(target)) as connection:
        connection.execute("CREATE TABLE diary (entry)")
    assert cleanbreak("split", book, "-o", target).returncode == 0
    with closing(sqlite3.connect(target)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert tables == {"chunks", "diary"}


def test_formats_that_are_files_need_one(book, tmp_path):
    done = cleanbreak("split", book, "--format", "sqlite")
    assert (done.returncode, "--format sqlite needs --output" in done.stderr) == (2, True)
    done = cleanbreak("split", book, "-o", tmp_path / "chunks.xls")
    assert (done.returncode, "'chunks.xls' does not end in .jsonl" in done.stderr) == (2, True)
    done = cleanbreak("split", book, "--format", "xls")
    assert (done.returncode, "--format is 'xls'" in done.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_encoding_that_is_named_is_used(tmp_path, workers):
    """With workers too, though they detect encodings by themselves."""
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes("Žluťoučký kůň.".encode("iso8859-2"))
    done = cleanbreak(
        "split", tmp_path, "--encoding", "latin2", "--workers", workers, "--format", "text"
    )
    assert done.stdout.count("Žluťoučký kůň.") == 2
    wrong = cleanbreak("split", tmp_path, "--encoding", "no-such", "--workers", workers)
    assert (wrong.returncode, "SETTINGS_INVALID" in wrong.stderr) == (2, True)


@pytest.mark.slow
def test_running_heads_are_kept_only_if_asked(tmp_path):
    """`--furniture` reaches the reader of PDFs."""
    path = tmp_path / "a.pdf"
    lines = [column([f"{name} went on", "and on"]) for name in "abc"]
    path.write_bytes(pdf([drawn([(72, 810, "THE GOAT LOG"), *page]) for page in lines]))
    assert "THE GOAT LOG" not in cleanbreak("split", path, "--format", "text").stdout
    asked = cleanbreak("split", path, "--format", "text", "--furniture", "keep", "--workers", 2)
    assert "THE GOAT LOG" in asked.stdout
    assert "a went on" in asked.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="such a name cannot be given elsewhere")
@pytest.mark.parametrize("name", [b"esc\x1b[31m.txt", b"half\xff.txt"])
@pytest.mark.parametrize("how", ["text", "json", "sqlite", "missing", "guessed"])
def test_a_name_that_is_no_text_reaches_neither_terminal_nor_store(tmp_path, name, how):
    """Escape sequences write to terminals as they like; half characters stop encoders."""
    path = tmp_path / os.fsdecode(name)
    if how != "missing":
        path.write_bytes(b"caf\xe9 \xe0 la carte" if how == "guessed" else TEXT.encode())
    words = ("-o", tmp_path / "chunks.sqlite") if how == "sqlite" else ("--format", "text")
    done = cleanbreak("split", path, *(("--json",) if how == "json" else words))
    assert done.returncode == (1 if how == "missing" else 0)
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_a_warning_says_where(tmp_path):
    """Which pages need OCR is what a person needs to know."""
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf([drawn(column(["Some words."])), b"0 0 9 9 re f", b"0 0 9 9 re f"]))
    assert "(PAGE_WITHOUT_TEXT, 2 times, pages 2-3)" in cleanbreak("split", path).stderr


@pytest.mark.parametrize("workers", [0, 2])
def test_standard_input_was_taken_for_a_file_that_is_missing(workers, book):
    """A dash is what comes through the pipe, read as a text file is; files may stand beside it."""
    done = subprocess.run(
        [sys.executable, "-m", "cleanbreak", "split", "-", book, "--json", f"--workers={workers}"],
        input="Größe.\n\nEnd.".encode("latin-1"),
        capture_output=True,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    chunks = json.loads(done.stdout)
    assert [chunk["source_filename"] for chunk in chunks] == ["stdin.txt", "book.txt"]
    assert chunks[0]["chunk_text"] == "Größe.\n\nEnd."
    assert done.returncode == 0


def test_empty_standard_input_is_an_error_that_names_it():
    done = subprocess.run(
        [sys.executable, "-m", "cleanbreak", "split", "-"], input=b"", capture_output=True
    )
    assert done.returncode == 1
    assert b"stdin.txt" in done.stderr
