"""Child processes: limits kept, crashes coded, one start for many files."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.errors import SourceEncryptedError, SourceLimitError, SourceMalformedError
from cleanbreak.processes.child import Child, ChildDiedError, Service
from cleanbreak.readers import clock, isolate, worker
from cleanbreak.readers.detect import Kind
from cleanbreak.readers.reading import Options
from readers import misbehaving
from readers.epubs import book, page

LINUX = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="memory is limited on Linux"
)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """No child of another test waits for work, and none is left."""
    isolate._close_idle()
    yield
    isolate._close_idle()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Child]:
    """The children that are started."""
    children: list[Child] = []

    def counted(service: Service, *, quiet: bool) -> Child:
        children.append(Child(service, quiet=quiet))
        return children[-1]

    monkeypatch.setattr(isolate, "Child", counted)
    return children


def epub(folder: Path, name: str = "book.epub", body: str = "<p>text</p>") -> Path:
    file = folder / name
    file.write_bytes(book({"a.xhtml": page(body)}))
    return file


@pytest.fixture
def misbehave(monkeypatch: pytest.MonkeyPatch) -> Callable[[Service], None]:
    """Lets children do something else than read."""
    return lambda service: monkeypatch.setattr(worker, "answer", service)


def test_many_files_take_one_start(tmp_path: Path, started: list[Child]) -> None:
    """Starting costs; asking again does not. An error uses no child up."""
    for number in range(5):
        assert cb.read(epub(tmp_path, f"{number}.epub")).text == "text"
        with pytest.raises(SourceMalformedError):
            cb.read(_damaged(tmp_path))
    assert len(started) == 1


def test_read_in_this_process_on_request(tmp_path: Path, started: list[Child]) -> None:
    """A caller with limits of its own needs no child; the document is the same."""
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


def test_time_is_limited(tmp_path: Path, misbehave: Callable[[Service], None]) -> None:
    """A reader that never ends is ended."""
    misbehave(misbehaving.too_slow)
    with pytest.raises(SourceLimitError) as caught:
        cb.read(epub(tmp_path), limits=cb.Limits(max_seconds=1))
    assert caught.value.details == {"name": "book.epub", "limit": "max_seconds", "allowed": 1}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such timer")
def test_time_in_which_other_programs_ran_does_not_count(
    tmp_path: Path, misbehave: Callable[[Service], None]
) -> None:
    """An honest book took 28 s on a busy machine and 2.4 s on a quiet one."""
    misbehave(misbehaving.waiting)
    with pytest.raises(SourceLimitError) as caught:
        cb.read(epub(tmp_path), limits=cb.Limits(max_seconds=1))
    assert caught.value.details["limit"] == "max_memory_bytes"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such timer")
def test_time_grows_with_pages_in_a_child_only() -> None:
    """A thousand pages may take as long as a whole file; nothing goes beyond the time by the clock."""
    child = Child(misbehaving.time_left_after_pages, quiet=True)
    assert [child.ask((cb.Limits(max_seconds=10), pages)) for pages in (0, 500, 1000, 10**6)] == [
        10, 15, 20, 100,
    ]  # fmt: skip
    child.close()
    clock.allow_for(1000)
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_processor_time_is_counted_without_timers_of_the_system(
    tmp_path: Path, misbehave: Callable[[Service], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has none; there time by the clock refused honest books on busy machines."""
    monkeypatch.setattr(clock, "_HAS_TIMERS", False)
    misbehave(misbehaving.too_slow_without_timers)
    with pytest.raises(SourceLimitError) as caught:
        cb.read(epub(tmp_path), limits=cb.Limits(max_seconds=1))
    assert caught.value.details["limit"] == "max_seconds"
    child = Child(misbehaving.grows_without_timers, quiet=True)
    assert [child.ask((cb.Limits(max_seconds=10), pages)) for pages in (0, 500, 10**6)] == [
        10,
        15,
        100,
    ]
    child.close()


def test_longest_time_allowed_overflowed_the_timer(tmp_path: Path) -> None:
    """Timers have a limit of their own; above it there was no limit, and an error in a thread."""
    assert cb.read(epub(tmp_path), limits=cb.Limits(max_seconds=1 << 40)).text == "text"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no such alarm")
def test_child_of_a_killed_parent_does_not_read_for_ever(tmp_path: Path) -> None:
    """The parent stops a slow child; without a parent the child stops itself, a little later."""
    child = Child(misbehaving.too_slow_for_itself, quiet=True)
    request = worker.Request(
        str(epub(tmp_path)), Kind.EPUB, Options(limits=cb.Limits(max_seconds=1))
    )
    with pytest.raises(ChildDiedError) as caught:
        child.ask(request)
    assert caught.value.status == -signal.SIGALRM


@LINUX
def test_grown_child_is_not_asked_again(
    tmp_path: Path, started: list[Child], misbehave: Callable[[Service], None]
) -> None:
    """Memory that was freed is seldom given back to the system."""
    misbehave(misbehaving.grown)
    for _ in range(2):
        cb.read(epub(tmp_path))
    assert len(started) == 2
    assert isolate._idle == []


@LINUX
def test_memory_is_limited(tmp_path: Path, misbehave: Callable[[Service], None]) -> None:
    """A reader that needs too much gets an error, and the child lives."""
    misbehave(misbehaving.too_large)
    with pytest.raises(SourceLimitError) as caught:
        cb.read(epub(tmp_path), limits=cb.Limits(max_memory_bytes=100 << 20))
    assert caught.value.details["limit"] == "max_memory_bytes"


def test_crash_is_an_error_of_the_file(
    tmp_path: Path, misbehave: Callable[[Service], None]
) -> None:
    """A fault in a C library ends the child alone."""
    misbehave(misbehaving.crash)
    with pytest.raises(SourceMalformedError) as caught:
        cb.read(epub(tmp_path))
    assert "exit_status" in caught.value.details


def test_unforeseen_failure_is_coded_and_silent(
    tmp_path: Path, misbehave: Callable[[Service], None]
) -> None:
    """The error says where the reader failed, and not what it read."""
    misbehave(misbehaving.bug)
    with pytest.raises(SourceMalformedError) as caught:
        cb.read(epub(tmp_path))
    assert caught.value.details["cause"] == "KeyError"
    assert "secret" not in f"{caught.value} {caught.value.details}"


def test_child_that_died_idle_is_replaced(tmp_path: Path, started: list[Child]) -> None:
    """Something killed it between two files."""
    cb.read(epub(tmp_path))
    started[0].kill()
    started[0]._process.wait()
    assert cb.read(epub(tmp_path)).text == "text"
    assert len(started) == 2


def test_no_process_to_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is read without limits, and a warning says so."""

    def refuse(*_: object, **__: object) -> Child:
        raise OSError

    monkeypatch.setattr(isolate, "Child", refuse)
    document = cb.read(epub(tmp_path))
    assert [warning.code for warning in document.warnings] == ["READ_WITHOUT_LIMITS"]


def test_interrupt_leaves_no_child_midway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C the next file gets a new child and not an old answer."""

    def interrupted(child: Child, request: worker.Request) -> None:
        child.send(request)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Child, "ask", interrupted)
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
        "assert isolate._idle[0].running == bool(pid)\n"
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


def test_worker_answers_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker's own part, in this process: a document or an error for each request."""
    monkeypatch.setattr(worker, "_RETIRE_ABOVE", sys.maxsize)  # other tests made this one large
    good = worker.Request(str(epub(tmp_path)), Kind.EPUB, Options())
    bad = worker.Request(str(_damaged(tmp_path)), Kind.EPUB, Options())
    replies = list(worker.answer(iter([good, bad, good])))
    assert isinstance(replies[1].outcome, SourceMalformedError)
    assert [reply.outcome.text for reply in replies[::2]] == ["text", "text"]  # type: ignore[union-attr]


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
