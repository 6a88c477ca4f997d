"""`cleanbreak split` by sentences, over folders, in several processes."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cleanbreak as cb

pytestmark = pytest.mark.slow  # each test starts a process

TEXT = "Ann sat down. Bo came, saw, and went. Cy hid well. Di won big, at last. Ed lost. "


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder of three books in two folders, and a file of a kind that is not read."""
    folder = tmp_path / "library"
    (folder / "deep").mkdir(parents=True)
    for name in ("b.txt", "a.txt", "deep/c.md"):
        (folder / name).write_text(TEXT * 3 + name, encoding="utf-8", newline="")
    (folder / "cover.jpg").write_bytes(b"\xff\xd8")
    return folder


def cleanbreak(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cleanbreak", *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )


def records(done: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_by_sentences_with_every_option(tmp_path: Path) -> None:
    """The options mean what the splitter's settings mean."""
    book = tmp_path / "book.txt"
    book.write_text(TEXT * 3, encoding="utf-8", newline="")
    limits = ("--max-sentences", 5, "--max-tokens", 12, "--overlap", 20, "--language", "en")
    done = cleanbreak("split", "--by", "sentences", *limits, "--format", "jsonl", book)
    chunks = cb.SentenceSplitter(5, 12, 20, "en").split(TEXT * 3)
    assert [(c.text, c.overlap_text) for c in chunks] == [
        (record["chunk_text"], record["overlap_text"]) for record in records(done)
    ]


@pytest.mark.parametrize(
    "wrong", [(), ("--max-sentences", 0), ("--max-tokens", 9, "--language", "?")]
)
def test_wrong_settings_are_wrong_usage(wrong: tuple[object, ...], tmp_path: Path) -> None:
    """No limit, or one out of its range, is exit code 2, before a file is looked for."""
    done = cleanbreak("split", "--by", "sentences", *wrong, tmp_path / "none.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert "SETTINGS_INVALID" in done.stderr


def test_soft_wraps(tmp_path: Path) -> None:
    """The boundary splitter's treatment of wrapped lines can be asked for."""
    book = tmp_path / "book.txt"
    lines = "The tide went out at noon, and the boats lay down. Nobody had\nexpected it. "
    book.write_text(lines * 40, encoding="utf-8", newline="")
    ways = [
        cleanbreak("split", book, "--soft-wraps", way, "--chunk-size", 300, "--json").stdout
        for way in ("never", "auto")
    ]
    assert ways[0] != ways[1]


def test_workers_change_nothing_but_the_time(library: Path) -> None:
    """Files come in the order of their names, whoever cut them."""
    words = ("split", library, "--chunk-size", 60, "--format", "jsonl")
    here, there = cleanbreak(*words), cleanbreak(*words, "--workers", 2)
    skipped = "1 file skipped, as it is of a kind that is not read: 1 .jpg.\n"
    assert (here.stdout, 0, skipped) == (there.stdout, there.returncode, there.stderr)
    names = list(dict.fromkeys(record["source_filename"] for record in records(here)))
    assert names == ["a.txt", "b.txt", "c.md"]


@pytest.mark.parametrize("workers", [0, 2])
def test_rows_of_two_files_of_one_name_can_be_told_apart(library: Path, workers: int) -> None:
    """By the path inside the folder that was named, and the digest of the file."""
    (library / "deep" / "a.txt").write_text("Another text.", encoding="utf-8")
    files = (library, library / "b.txt")
    done = cleanbreak("split", *files, "--workers", workers, "--format", "jsonl")
    sources = {(row["source_path"], row["source_filename"]): row for row in records(done)}
    assert list(sources) == [
        ("a.txt", "a.txt"),
        ("b.txt", "b.txt"),
        ("deep/a.txt", "a.txt"),
        ("deep/c.md", "c.md"),
    ]
    for (path, _), row in sources.items():
        digest = hashlib.sha256((library / str(path)).read_bytes()).hexdigest()
        assert row["source_sha256"] == digest


@pytest.mark.parametrize("workers", [0, 2])
def test_bad_file_ends_the_run(library: Path, workers: int) -> None:
    """Without `--keep-going`, the first file that cannot be used is the end: exit code 1."""
    (library / "b.txt").write_bytes(b"")
    done = cleanbreak("split", library, "--workers", workers, "--format", "jsonl")
    assert (1, {"a.txt"}) == (done.returncode, {str(r["source_filename"]) for r in records(done)})
    assert done.stderr.count("error:") == 1
    assert "SOURCE_EMPTY" in done.stderr


@pytest.mark.parametrize("workers", [0, 2])
def test_keep_going_loses_no_other_file(library: Path, workers: int) -> None:
    """The bad file is reported, the others are all there, and the exit code still says so."""
    (library / "b.txt").write_bytes(b"")
    done = cleanbreak("split", library, "--workers", workers, "-k", "--format", "jsonl")
    assert {"a.txt", "c.md"} == {str(record["source_filename"]) for record in records(done)}
    assert "b.txt" in done.stderr
    assert done.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_ctrl_c_leaves_nothing_running(tmp_path: Path) -> None:
    """Interrupted, it says so in one line, with its own exit code, and takes its workers along."""
    for number in range(12):
        path = tmp_path / f"{number:02}.txt"
        path.write_text(f"{number} words of many. " * 200_000, encoding="utf-8")
    command = [sys.executable, "-m", "cleanbreak", "split", tmp_path, "--workers", "2", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        parent.stdout.read(100)  # by now the workers are at work
        children = _children(parent.pid)
        parent.send_signal(signal.SIGINT)
        _, complaint = parent.communicate(timeout=60)
    assert (parent.returncode, complaint) == (130, b"interrupted\n")
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _children(process: int) -> list[str]:
    """Known on Linux only; elsewhere the test still checks how the parent ends."""
    path = Path(f"/proc/{process}/task/{process}/children")
    return path.read_text().split() if path.exists() else []
