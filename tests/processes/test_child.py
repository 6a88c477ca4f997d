"""The contract of a child process: it answers, and its death, the parent's and Ctrl-C do no harm."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cleanbreak.processes.child import Child, ChildDiedError, NotPicklableError, Service, pack
from processes import services
from waiting import is_alive, wait_until

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
Start = Callable[..., Child]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts children that are ended with the test."""
    with contextlib.ExitStack() as stack:

        def started(service: Service, *, quiet: bool = False) -> Child:
            child = Child(service, quiet=quiet)
            stack.callback(child.close)
            stack.callback(child.kill)
            return child

        yield started


def test_each_request_is_answered(start: Start) -> None:
    """Any value makes the way there and back, in the order of the requests."""
    child = start(services.echo)
    values = [None, "text", {"key": [1, 2.5]}, b"\0" * 300_000]
    assert [child.ask(value) for value in values] == values


def test_one_request_may_have_many_answers(start: Start) -> None:
    """They are received one by one, while the child works on."""
    child = start(services.square_each)
    child.send([1, 2, 3])
    assert [child.receive() for _ in range(3)] == [1, 4, 9]
    assert child.ask([5]) == 25


def test_modules_are_found_where_the_parent_finds_them(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that was put on `sys.path` while the program ran is there as well."""
    (tmp_path / "late_service.py").write_text("def serve(requests):\n    yield 'late'\n")
    monkeypatch.syspath_prepend(tmp_path)
    import late_service  # type: ignore[import-not-found,unused-ignore]

    assert start(late_service.serve).ask(None) == "late"


def test_closing_ends_the_child(start: Start) -> None:
    """The end of its input is its order to exit, and it obeys with status 0."""
    child = start(services.echo)
    assert child.running
    assert child.close() == 0
    assert not child.running
    assert child.close() == 0  # twice is fine


def test_death_is_noticed_with_its_status(start: Start) -> None:
    """Between answers."""
    child = start(services.exit_with)
    assert child.ask(0) is None
    with pytest.raises(ChildDiedError) as caught:
        child.ask(7)
    assert caught.value.status == 7
    assert not child.running


def test_death_within_an_answer_is_a_death(start: Start) -> None:
    """Half of an answer is none, and no error of pickle."""
    with pytest.raises(ChildDiedError) as caught:
        start(services.die_within_an_answer).ask(None)
    assert caught.value.status == 7


def test_death_before_the_request_is_noticed(start: Start) -> None:
    """A child that something else killed is found dead by the next request."""
    child = start(services.echo)
    assert child.ask("a") == "a"
    child.kill()
    with pytest.raises(ChildDiedError):
        child.ask("b")
    other = start(services.sleep)
    other.kill()
    with pytest.raises(ChildDiedError):  # and by a request that fills the pipe
        other.ask("x" * 1_000_000)


def test_exception_in_the_service_ends_the_child(
    start: Start, capfd: pytest.CaptureFixture[str]
) -> None:
    """A quiet child does not print it, as it may quote a source; another one does."""
    for quiet in (True, False):
        with pytest.raises(ChildDiedError) as caught:
            start(services.fail, quiet=quiet).ask(None)
        assert caught.value.status == 1
        out, err = capfd.readouterr()
        assert out == ""
        assert ("LookupError" in err) is not quiet


def test_kill_frees_the_thread_that_waits(start: Start) -> None:
    """Another thread ends the child in the middle of its work."""
    child = start(services.sleep)
    child.ask(0)
    timer = threading.Timer(0.1, child.kill)
    timer.start()
    with pytest.raises(ChildDiedError) as caught:
        child.ask(300)
    timer.join()
    if sys.platform != "win32":
        assert caught.value.status == -signal.SIGKILL


def test_what_a_child_prints_is_no_answer(start: Start, capfd: pytest.CaptureFixture[str]) -> None:
    """Its standard streams are not the pipes: it reads nothing and prints to standard error."""
    child = start(services.print_and_read)
    assert [child.ask(number) for number in (1, 2)] == [(1, ""), (2, "")]
    child.close()
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("printed") == err.count("written") == 2


MAIN = """
import sys
sys.path.insert(0, {tests!r})
from cleanbreak.processes.child import Child, NotPicklableError
from processes import services

class Mine: pass
def mine(requests): yield from requests

child = Child(services.echo)
for value in (mine, Mine, Mine(), [Mine()]):
    try: child.ask(value)
    except NotPicklableError: print("refused")
try: Child(mine)
except NotPicklableError: print("refused")
print(child.ask("still there"), child.close())
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = program.replace("{tests!r}", repr(str(Path(__file__).parents[1])))
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_what_the_main_module_defines_is_refused() -> None:
    """A child does not run that module. It has seen nothing of the request and answers the next."""
    done = run(MAIN)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["refused"] * 5 + ["still there 0"]


@pytest.mark.parametrize("value", [lambda: None, threading.Lock(), (x for x in "a")])
def test_what_cannot_be_pickled_is_refused(value: object) -> None:
    """With one error for all the errors of `pickle`."""
    with pytest.raises(NotPicklableError):
        pack(value)


WITHOUT_STDERR = """
import os, sys
sys.path.insert(0, {tests!r})
os.close(2)
sys.stderr = None  # as Python starts where there is none
from cleanbreak.processes.child import Child
from processes import services
child = Child(services.print_and_read)
print(child.ask("a"), child.close())
"""


def test_program_without_standard_error_has_children_all_the_same() -> None:
    """Programs with windows and services have none to share."""
    assert run(WITHOUT_STDERR).stdout == "('a', '') 0\n"


def test_no_process_to_be_had_is_an_os_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller decides what to do without one."""
    monkeypatch.setattr(sys, "executable", str(Path(sys.executable).parent / "no such python"))
    with pytest.raises(OSError, match=r"."):
        Child(services.echo)


REPORT = """
import sys
sys.path.insert(0, {tests!r})
from cleanbreak.processes.child import Child
from processes import services
Child(services.report_to_a_file).ask((sys.argv[1], float(sys.argv[2])))
"""


@POSIX
@pytest.mark.parametrize(("sent", "busy"), [("SIGKILL", "1"), ("SIGTERM", "1")])
def test_child_of_a_killed_parent_ends(sent: str, busy: str, tmp_path: Path) -> None:
    """It leaves after its request, and does not complain that nobody reads its answer."""
    file = tmp_path / "child"
    code = REPORT.replace("{tests!r}", repr(str(Path(__file__).parents[1])))
    with subprocess.Popen(
        [sys.executable, "-c", code, str(file), busy], stderr=subprocess.PIPE
    ) as parent:
        wait_until(lambda: file.exists() and file.read_text(encoding="utf-8") != "")
        child = int(file.read_text(encoding="utf-8"))
        assert is_alive(child)
        parent.send_signal(getattr(signal, sent))
        _, complaint = parent.communicate(timeout=30)  # until the child has closed it as well
    wait_until(lambda: not is_alive(child))
    assert complaint == b""


@POSIX
def test_ctrl_c_does_not_reach_the_child(start: Start) -> None:
    """It is in a process group of its own, and ignores the signal besides."""
    child = start(services.echo)
    assert child.ask("a") == "a"
    assert os.getpgid(child.pid) != os.getpgrp()
    os.kill(child.pid, signal.SIGINT)
    assert child.ask("b") == "b"


FORK = """
import os, sys
sys.path.insert(0, {tests!r})
from cleanbreak.processes.child import Child
from processes import services

child = Child(services.echo)
child.ask("before")
pid = os.fork()
if not pid:
    assert not child.running
    child.kill()
    child.close()
    own = Child(services.echo)
    assert own.ask("own") == "own"
    sys.exit(own.close())
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
print(child.ask("after"), child.close())
"""


@FORKS
def test_forked_process_leaves_the_children_of_its_parent_alone() -> None:
    """Two processes on one pipe would read each other's answers; one could kill the other's child."""
    done = run(FORK)
    assert (done.stdout, done.stderr) == ("after 0\n", "")


FORK_WHILE_WAITING = """
import os, sys, threading, warnings
sys.path.insert(0, {tests!r})
warnings.simplefilter("ignore", DeprecationWarning)  # threads and forks, from Python 3.12 on
from cleanbreak.processes.child import Child
from processes import services

child = Child(services.sleep)
child.ask(0)
answers = []
waiting = threading.Thread(target=lambda: answers.append(child.ask(1)))
waiting.start()
pid = os.fork()
if not pid:
    child.close()
    sys.exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
waiting.join()
print(answers, child.close())
"""


@FORKS
def test_fork_while_a_thread_waits_for_an_answer_does_not_hang() -> None:
    """That thread holds the lock of the pipe's buffer, and is not there in the new process."""
    done = run(FORK_WHILE_WAITING)
    assert (done.stdout, done.stderr) == ("[None] 0\n", "")
