"""``cleanbreak split -o FOLDER/`` as a person uses it."""

import json
import os
import subprocess
import sys

import pytest

BOOK = "The sea was calm. Then it rose.\n" * 40


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cleanbreak", *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )


@pytest.fixture
def shelf(tmp_path):
    """Three books, one of them twice, and a picture."""
    folder = tmp_path / "shelf"
    (folder / "deep").mkdir(parents=True)
    (folder / "one.txt").write_text(BOOK, encoding="utf-8")
    (folder / "deep" / "two.txt").write_text("Two. " + BOOK, encoding="utf-8")
    (folder / "deep" / "copy.txt").write_text(BOOK, encoding="utf-8")
    (folder / "cover.jpg").write_bytes(b"no text")
    return folder


def test_a_folder_gets_files_and_a_summary(shelf, tmp_path):
    """A line at the end says what was done."""
    done = run(
        "split", shelf, "-o", f"{tmp_path / 'out'}/", "--format", "jsonl", "--chunk-size", "200"
    )
    assert done.returncode == 0
    assert "3 sources cut" in done.stderr
    assert "1 file skipped" in done.stderr
    assert "in 1 file of out (see _summary.json)" in done.stderr
    rows = (tmp_path / "out" / "part-00001.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(row)["source_path"] for row in rows} == {
        "one.txt",
        "deep/two.txt",
        "deep/copy.txt",
    }


def test_a_folder_that_is_there_needs_no_slash(shelf, tmp_path):
    """And holds Parquet unless another format is named."""
    (tmp_path / "out").mkdir()
    assert run("split", shelf, "-o", tmp_path / "out").returncode == 0
    assert (tmp_path / "out" / "part-00001.parquet").exists()


def test_json_is_the_summary(shelf, tmp_path):
    """With the name of the folder; the exit code says that a source failed."""
    (shelf / "bad.pdf").write_bytes(b"no PDF")
    done = run(
        "split",
        shelf,
        "-o",
        f"{tmp_path / 'out'}/",
        "--format",
        "jsonl",
        "--skip-duplicates",
        "--json",
    )
    assert done.returncode == 1
    said = json.loads(done.stdout)
    assert said["output"] == "out"
    assert said["sources"] == {
        "read": 2,
        "kept": 0,
        "duplicates": 1,
        "failed": 1,
        "skipped": 1,
    }
    assert said["failed"]["bad.pdf"]["code"] == "SOURCE_MALFORMED"


def test_a_log_for_programs(shelf, tmp_path):
    """One line of JSON for each source and each file, and no other line before them."""
    done = run("split", shelf, "-o", f"{tmp_path / 'out'}/", "--format", "jsonl", "--log-json")
    events = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert [event["event"] for event in events] == ["read", "read", "read", "file"]
    assert sum(event["chunks"] for event in events[:-1]) == events[-1]["chunks"]


def test_other_settings_are_refused(shelf, tmp_path):
    """With what to do."""
    folder = f"{tmp_path / 'out'}/"
    assert run("split", shelf, "-o", folder, "--format", "jsonl").returncode == 0
    done = run("split", shelf, "-o", folder, "--format", "jsonl", "--chunk-size", "300")
    assert done.returncode == 1
    assert "--overwrite" in done.stderr
    assert run("split", shelf, "-o", folder, "--chunk-size", "300", "--overwrite").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "x.jsonl", "--skip-duplicates"], "needs a folder"),
        (["-o", "x.jsonl", "--log-json"], "needs a folder"),
        (["-o", "out/", "--format", "sqlite"], "'jsonl', 'parquet'"),
        (["-o", "out/", "--rows-per-file", "0"], "rows"),
    ],
)
def test_what_does_not_go_together_is_refused(shelf, tmp_path, monkeypatch, arguments, said):
    """By the names of the options."""
    monkeypatch.chdir(tmp_path)
    done = run("split", shelf, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
