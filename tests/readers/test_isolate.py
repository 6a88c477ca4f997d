"""Child processes: limits kept, crashes coded, one start for many files."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.errors import SourceEncryptedError, SourceLimitError, SourceMalformedError
from cleanbreak.readers import isolate, worker
from cleanbreak.readers.detect import Kind
from cleanbreak.readers.reading import Options
from readers.epubs import book, page

LINUX = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="memory is limited on Linux"
)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """No child of another test waits for work, and none is left."""
    isolate._end_idle()
    yield
    isolate._end_idle()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the children that are started."""
    ids: list[int] = []
    begin = isolate._Child.__init__

    def counted(child: isolate._Child) -> None:
        begin(child)
        ids.append(child._process.pid)

    monkeypatch.setattr(isolate._Child, "__init__", counted)
    return ids


def epub(folder: Path, name: str = "book.epub", body: str = "<p>text</p>") -> Path:
    file = folder / name
    file.write_bytes(book({"a.xhtml": page(body)}))
    return file


def misbehaving(monkeypatch: pytest.MonkeyPatch, action: str) -> None:
    """Let children do `action` in place of reading."""
    code = isolate._BOOT.replace(
        "serve()", f"import cleanbreak.readers.worker as w\ndef read_here(*_): {action}\n"
    ).replace("; import cleanbreak.readers.worker", "\nimport cleanbreak.readers.worker")
    monkeypatch.setattr(isolate, "_BOOT", code + "w.read_here = read_here\nw.serve()\n")


def test_many_files_take_one_start(tmp_path: Path, started: list[int]) -> None:
    """Starting costs; asking again does not. An error uses no child up."""
    for number in range(5):
        assert cb.read(epub(tmp_path, f"{number}.epub")).text == "text"
        with pytest.raises(SourceMalformedError):
            cb.read(_damaged(tmp_path))
    assert len(started) == 1


def test_read_in_this_process_on_request(tmp_path: Path, started: list[int]) -> None:
    """Whoever has limits of their own needs none of ours; the document is the same."""
    file = epub(tmp_path)
    assert cb.read(file, isolate=False) == cb.read(file)
    assert len(started) == 1


def test_relative_paths_are_those_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that was started elsewhere reads what the caller means."""
    cb.read(epub(tmp_path))
    (tmp_path / "deeper").mkdir()
    epub(tmp_path / "deeper", "other.epub", "<p>other</p>")
    monkeypatch.chdir(tmp_path / "deeper")
    assert cb.read("other.epub").text == "other"


def test_threads_get_a_child_each(tmp_path: Path) -> None:
    """Readers that are not thread-safe need not be."""
    files = [epub(tmp_path, f"{n}.epub", f"<p>text {n}</p>" * 200) for n in range(4)]
    texts: dict[int, str] = {}

    def read(number: int) -> None:
        texts[number] = cb.read(files[number]).text

    threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(texts[number].startswith(f"text {number}") for number in range(4))


def test_time_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that never ends is ended."""
    misbehaving(monkeypatch, "import time; time.sleep(60)")
    with pytest.raises(SourceLimitError) as caught:
        cb.read(epub(tmp_path), limits=cb.Limits(max_seconds=1))
    assert caught.value.details == {"name": "book.epub", "limit": "max_seconds", "allowed": 1}


@LINUX
def test_memory_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that wants too much gets an error, and the child goes on."""
    misbehaving(monkeypatch, "return bytearray(300 << 20)")
    with pytest.raises(SourceLimitError) as caught:
        cb.read(epub(tmp_path), limits=cb.Limits(max_memory_bytes=100 << 20))
    assert caught.value.details["limit"] == "max_memory_bytes"


def test_crash_is_an_error_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in a C library ends the child alone."""
    misbehaving(monkeypatch, "import os; os.abort()")
    with pytest.raises(SourceMalformedError) as caught:
        cb.read(epub(tmp_path))
    assert "exit_status" in caught.value.details


def test_unforeseen_failure_is_coded_and_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the reader failed is told, and not what it read."""
    misbehaving(monkeypatch, "raise KeyError('secret words of the source')")
    with pytest.raises(SourceMalformedError) as caught:
        cb.read(epub(tmp_path))
    assert caught.value.details["cause"] == "KeyError"
    assert "secret" not in f"{caught.value} {caught.value.details}"


def test_child_that_died_idle_is_replaced(tmp_path: Path, started: list[int]) -> None:
    """Something killed it between two files."""
    cb.read(epub(tmp_path))
    os.kill(started[0], 9)
    isolate._idle[0]._process.wait()
    assert cb.read(epub(tmp_path)).text == "text"
    assert len(started) == 2


def test_no_process_to_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading goes on without limits, and says so."""

    def refuse(child: isolate._Child) -> None:
        raise OSError

    monkeypatch.setattr(isolate._Child, "__init__", refuse)
    document = cb.read(epub(tmp_path))
    assert [warning.code for warning in document.warnings] == ["READ_WITHOUT_LIMITS"]


def test_interrupt_leaves_no_child_midway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C the next file gets a new child and not an old answer."""

    def interrupted(child: isolate._Child, request: worker.Request) -> None:
        child._send(request)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(isolate._Child, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cb.read(epub(tmp_path))
    assert isolate._idle == []
    assert cb.read(epub(tmp_path)).text == "text"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_forked_process_has_children_of_its_own(tmp_path: Path) -> None:
    """Two processes on one pipe would read each other's answers."""
    code = (
        "import os, sys, cleanbreak as cb\n"
        "from cleanbreak.readers import isolate\n"
        "cb.read(sys.argv[1])\n"
        "pid = os.fork()\n"
        "assert len(isolate._idle) == (1 if pid else 0)\n"
        "assert cb.read(sys.argv[1]).text == 'text'\n"
        "if pid: sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, os.fspath(epub(tmp_path))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_script_without_a_main_guard(tmp_path: Path) -> None:
    """A child never runs the caller's script again, and nothing is left at the end."""
    script = tmp_path / "script.py"
    script.write_text(f"import cleanbreak as cb\nprint(cb.read({str(epub(tmp_path))!r}).text)\n")
    done = subprocess.run(
        [sys.executable, "-W", "error", os.fspath(script)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("text\n", "")


def test_worker_answers_in_turn(tmp_path: Path) -> None:
    """The worker's own part, in this process: a document or an error for each request."""
    good = worker.Request(str(epub(tmp_path)), Kind.EPUB, Options())
    bad = worker.Request(str(_damaged(tmp_path)), Kind.EPUB, Options())
    assert worker._answer(good).outcome.text == "text"  # type: ignore[union-attr]
    assert isinstance(worker._answer(bad).outcome, SourceMalformedError)


def test_errors_come_home_whole(tmp_path: Path) -> None:
    """Class, code and details survive the way between processes."""
    file = tmp_path / "book.epub"
    data = bytearray(book({"a.xhtml": page("<p>a</p>")}))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(mark, at + 1)
    file.write_bytes(data)
    with pytest.raises(SourceEncryptedError) as caught:
        cb.read(file)
    assert caught.value.details == {"name": "book.epub"}


def _damaged(folder: Path) -> Path:
    file = folder / "damaged.epub"
    file.write_bytes(b"PK\x03\x04 and no more")
    return file
