"""Many sources at once: ordered, bounded, parallel, and unhurt by one that fails."""

import errno
import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.engines import worker as workers_module
from cleanbreak.engines.pool import BATCH_LENGTH, BATCH_SOURCES, IN_FLIGHT
from cleanbreak.engines.worker import CutJob, Worker, answer
from cleanbreak.errors import (
    IndivisibleTextError,
    MeasureError,
    SettingsError,
    SourceEmptyError,
    SplitError,
    TextInvalidError,
    WorkerDiedError,
)
from cleanbreak.processes.child import Child, Service
from waiting import is_alive, wait_until

SPLITTER = cb.BoundarySplitter(chunk_size=12, max_lookback=8, overlap_size=4)
NOT_UNICODE = "half of a pair: \ud800"
everywhere = pytest.mark.parametrize("workers", [0, 1, 2])


class Hook:
    """A splitter that calls a function of these tests with each text it cuts."""

    def __init__(self, call: Callable[[str], None]) -> None:
        self.call = call

    @property
    def recipe(self) -> cb.Recipe:
        return SPLITTER.recipe

    def split(self, source: str | cb.Document) -> list[cb.Chunk]:
        return list(self.stream(source))

    def stream(self, source: str | cb.Document) -> Iterator[cb.Chunk]:
        assert isinstance(source, str)
        self.call(source)
        return SPLITTER.stream(source)


def die_over_bad_text(text: str) -> None:
    if text == "bad":
        os._exit(7)


def die(text: str) -> None:
    os._exit(7)


def fail_over_bad_text(text: str) -> None:
    if text == "bad":
        raise LookupError("a fault of the caller's own")


class NeedsTwoError(Exception):
    """Cannot be unpickled, as many an exception of many a library."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one)


def fail_beyond_pickling(text: str) -> None:
    raise NeedsTwoError("one", "two")


def print_and_read(text: str) -> None:
    print("noise", flush=True)
    os.write(1, b"more noise")
    assert sys.stdin.read() == ""


def stay_busy(text: str) -> None:
    """Write the number of the process to a file, then be busy for as long as the text says."""
    file, seconds = text.split("*")
    Path(file).write_text(str(os.getpid()), encoding="utf-8")
    time.sleep(float(seconds))


@everywhere
def test_results_come_in_order_and_equal_one_by_one(workers: int) -> None:
    """The pool changes where texts are cut and nothing else, ids included."""
    texts = [f"Text {n}. " * (n % 7) for n in range(200)]
    many = list(cb.split_many(texts, SPLITTER, workers=workers))
    assert [SPLITTER.split(text) for text in texts] == many
    assert [[c.id for c in SPLITTER.split(text)] for text in texts[:9]] == [
        [c.id for c in chunks] for chunks in many[:9]
    ]


@everywhere
def test_texts_documents_and_paths(workers: int, tmp_path: Path) -> None:
    """All three kinds of source can be mixed; a path is read where it is cut."""
    file = tmp_path / "note.txt"
    file.write_text("From a file.", encoding="utf-8")
    page = cb.Section("page", "7", 1, cb.Span(0, 4))
    sources = ["A text.", cb.Document("Document.", (page,)), file]
    many = list(cb.split_many(sources, SPLITTER, workers=workers))
    assert [chunks[0].text for chunks in many] == ["A text.", "Document.", "From a file."]
    assert (page,) == many[1][0].sections


@everywhere
def test_string_is_a_text_and_never_a_path(workers: int, tmp_path: Path) -> None:
    """A text that happens to name a file is cut, not opened, with a warning."""
    file = tmp_path / "note.txt"
    file.write_text("secret", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"cleanbreak\.read"):
        (chunks,) = cb.split_many([str(file)], cb.BoundarySplitter(), workers=workers)
    assert str(file) == chunks[0].text


@everywhere
def test_yield_puts_the_error_in_its_place(workers: int) -> None:
    """One bad source does not lose the others, and says which one it was."""
    outcomes = list(
        cb.split_many(["One.", NOT_UNICODE, "Two."], SPLITTER, workers, on_error="yield")
    )
    assert isinstance(outcomes[1], TextInvalidError)
    assert outcomes[1].details["source_number"] == 2
    assert [chunks[0].text for chunks in outcomes[::2]] == ["One.", "Two."]


@everywhere
def test_skip_paired_later_results_with_the_wrong_source(
    workers: int, caplog: pytest.LogCaptureFixture
) -> None:
    """It gives an empty list in its place; the log has its number and code, without its text."""
    many = list(cb.split_many(["One.", NOT_UNICODE, "Two."], SPLITTER, workers, on_error="skip"))
    assert [[chunk.text for chunk in chunks] for chunks in many] == [["One."], [], ["Two."]]
    (record,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert record.getMessage() == "source 2 skipped: TEXT_INVALID"


@everywhere
def test_raise_stops_there(workers: int) -> None:
    """By default the first bad source ends the run, after what came before it."""
    many = cb.split_many(["One.", NOT_UNICODE, "Two."], SPLITTER, workers)
    assert next(many)[0].text == "One."
    with pytest.raises(TextInvalidError) as caught:
        next(many)
    assert caught.value.details["source_number"] == 2


@everywhere
def test_missing_file_is_one_bad_source(workers: int, tmp_path: Path) -> None:
    """Reading fails as cutting does: an outcome, with the file's name and no folder."""
    (error,) = cb.split_many([tmp_path / "gone.txt"], SPLITTER, workers, on_error="yield")
    assert isinstance(error, cb.CleanbreakError)
    assert (error.code, error.details["name"]) == ("SOURCE_MISSING", "gone.txt")
    assert str(tmp_path) not in str(error)


@everywhere
def test_endless_generator_is_taken_only_as_needed(workers: int) -> None:
    """However many sources there are, only a bounded number has been taken at any time."""
    taken = itertools.count()
    source = (f"Text {next(taken)}." for _ in itertools.count())
    many = cb.split_many(source, SPLITTER, workers)
    for given in range(1, 400):
        next(many)
        ahead = next(taken) - given  # asking counts one as well
        assert ahead <= given + IN_FLIGHT * BATCH_SOURCES * max(workers, 1)
    many.close()


def test_long_texts_are_not_gathered() -> None:
    """In flight are few long texts, not as many as there would be short ones."""
    taken = itertools.count()
    source = ("x" * BATCH_LENGTH + str(next(taken)) for _ in itertools.count())
    many = cb.split_many(source, SPLITTER, 2)
    next(many)
    assert next(taken) <= IN_FLIGHT * 2 + 1
    many.close()


def test_nothing_runs_before_the_first_result_is_asked_for() -> None:
    """Building the iterator takes no source."""
    taken: list[str] = []
    cb.split_many((taken.append("x") or "x" for _ in range(3)), SPLITTER, 2)
    assert taken == []


@pytest.mark.parametrize("one", ["one text", Path("book.txt")])
def test_one_source_in_place_of_a_list_is_refused(one: str | Path) -> None:
    """Or each character would be cut as a text."""
    with pytest.raises(SettingsError, match="a list of sources"):
        cb.split_many(one, SPLITTER)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "settings", [{"workers": -1}, {"workers": True}, {"workers": 10**6}, {"on_error": "ignore"}]
)
def test_settings_are_refused_at_once(settings: dict[str, object]) -> None:
    """Not when the first source is cut."""
    with pytest.raises(SettingsError):
        cb.split_many([], SPLITTER, **settings)  # type: ignore[call-overload]


def test_splitter_that_cannot_travel() -> None:
    """A lambda works in this process; asking for workers all the same is refused in words."""
    splitter = Hook(lambda text: None)
    assert len(list(cb.split_many(["One."], splitter))) == 1
    with pytest.raises(SettingsError, match="another process"):
        cb.split_many(["One."], splitter, workers=2)


def test_dead_worker_is_one_bad_source() -> None:
    """A worker that dies takes down the source it died over and no other, though sent together."""
    outcomes = list(
        cb.split_many(["One.", "bad", "Two."], Hook(die_over_bad_text), 2, on_error="yield")
    )
    assert isinstance(outcomes[1], WorkerDiedError)
    assert (outcomes[1].details["status"], outcomes[1].details["source_number"]) == (7, 2)
    assert [chunks[0].text for chunks in outcomes[::2]] == ["One.", "Two."]


def test_worker_that_cannot_be_built_answers_for_every_source() -> None:
    """Each source gets an error, so that nobody waits for an answer that never comes."""
    worker = Worker(pickle.dumps(print)[:-1] + b"?")
    try:
        outcomes = list(worker.ask(["One.", "Two."]))
    finally:
        worker.kill()
        worker.close()
    assert [getattr(outcome, "code", "") for outcome in outcomes] == ["SETTINGS_INVALID"] * 2


def test_dying_workers_end_in_an_error_not_a_hang() -> None:
    """With on_error="raise" the first death is the answer."""
    with pytest.raises(WorkerDiedError):
        list(cb.split_many(["One."] * 100, Hook(die), 2))


@everywhere
def test_callers_own_exception_is_raised_as_it_is(workers: int) -> None:
    """A fault in the caller's function is not taken for a bad source, wherever it ran."""
    many = cb.split_many(["One.", "bad"], Hook(fail_over_bad_text), workers, on_error="skip")
    assert next(many)[0].text == "One."
    with pytest.raises(LookupError):
        next(many)


def test_exception_that_cannot_travel_is_named() -> None:
    """An exception that does not survive pickling still says what it was."""
    with pytest.raises(RuntimeError, match="NeedsTwoError"):
        list(cb.split_many(["One."], Hook(fail_beyond_pickling), 2))


def test_worker_that_prints_or_reads_does_no_harm() -> None:
    """Standard input and output of a worker carry the work; a caller's function cannot touch them."""
    assert len(list(cb.split_many(["One."], Hook(print_and_read), 2))) == 1


def test_error_survives_the_way_home() -> None:
    """Every error of ours has the same message, code and details after pickling."""
    error = IndivisibleTextError("One character is over the limit.", offset=3)
    again = pickle.loads(pickle.dumps(error))
    assert (error.as_dict(), type(error)) == (again.as_dict(), type(again))


def test_closing_early_leaves_nothing_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing the iterator ends its processes and threads, busy or not."""
    started: list[Child] = []

    def counted(service: Service) -> Child:
        started.append(Child(service))
        return started[-1]

    monkeypatch.setattr(workers_module, "Child", counted)
    many = cb.split_many(itertools.repeat("Text."), SPLITTER, 2)
    next(many)
    assert [child.running for child in started] == [True, True]
    many.close()
    assert [child.running for child in started] == [False, False]
    assert not [t for t in threading.enumerate() if t.name.startswith("cleanbreak")]


def test_process_that_cannot_be_started_is_an_error_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the system has no process left the first ones are ended, and no `OSError` leaves."""
    started: list[Child] = []

    def only_one(service: Service) -> Child:
        if started:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        started.append(Child(service))
        return started[0]

    monkeypatch.setattr(workers_module, "Child", only_one)
    with pytest.raises(WorkerDiedError, match="temporarily unavailable") as caught:
        next(cb.split_many(["One."] * 9, SPLITTER, 2))
    assert caught.value.details == {"status": None, "errno": errno.EAGAIN}
    assert not started[0].running


def test_source_that_cannot_travel_is_one_bad_source() -> None:
    """The other sources that would have gone with it are cut."""
    bad = cb.Document("Two.", metadata=cb.Metadata(properties={"lock": threading.Lock()}))
    outcomes = list(cb.split_many(["One.", bad, "Three."], SPLITTER, 2, on_error="yield"))
    assert isinstance(outcomes[1], SettingsError)
    assert outcomes[1].details["source_number"] == 2
    assert [chunks[0].text for chunks in outcomes[::2]] == ["One.", "Three."]


def test_answers_of_a_worker() -> None:
    """The worker's own part, in this process: the job first, then an answer for each source."""
    packed = pickle.dumps(CutJob(Hook(fail_over_bad_text)))
    built, one, two, three = answer(iter([packed, ["One.", "bad"], ["Two."]]))
    assert built is None
    assert isinstance(two, LookupError)
    assert [cut.chunks[0].text for cut in (one, three)] == ["One.", "Two."]
    assert list(answer(iter([b"not a pickle"]))) == ["UnpicklingError"]


FORKED = """
import os, sys, warnings
import cleanbreak as cb
warnings.simplefilter("ignore", DeprecationWarning)  # threads and forks, from Python 3.12 on
many = cb.split_many(["One. Two."] * 500, cb.BoundarySplitter(6), workers=2)
next(many)
pid = os.fork()
if not pid:
    many.close()
    os._exit(0)
os.waitpid(pid, 0)
print(len(list(many)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork_killed_the_workers_of_its_parent() -> None:
    """A forked process that closed its copy of the iterator ended the parent's workers."""
    done = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("499\n", "", 0)


def test_no_bar_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    """progress=True prints nothing into a pipe or a file."""
    assert len(list(cb.split_many(["One.", "Two."], SPLITTER, 1, progress=True))) == 2
    assert capfd.readouterr() == ("", "")


def test_bar_on_a_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it is, on standard error, and the results are the same."""
    monkeypatch.setenv("FORCE_COLOR", "1")  # Rich takes this for a terminal
    assert len(list(cb.split_many(["One.", "Two."], SPLITTER, 1, progress=True))) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "Splitting" in err


UNGUARDED = """
import cleanbreak as cb
print(sum(len(c) for c in cb.split_many(["One. Two."] * 9, cb.BoundarySplitter(6), workers=2)))
"""


def test_script_needs_no_main_guard(tmp_path: Path) -> None:
    """Three lines in a file work as they are written; workers do not run the file again."""
    script = tmp_path / "three_lines.py"
    script.write_text(UNGUARDED, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("18\n", "", 0)


BUSY = """
import sys
sys.path.insert(0, {tests!r})
import cleanbreak as cb
from engines.test_pool import Hook, stay_busy
list(cb.split_many([{text!r}], Hook(stay_busy), workers=2))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.parametrize(("sent", "busy"), [("SIGINT", 300), ("SIGKILL", 1)])
def test_no_worker_outlives_its_parent(sent: str, busy: int, tmp_path: Path) -> None:
    """Ctrl-C ends busy workers at once; those of a killed parent leave after their source."""
    file = tmp_path / "worker"
    program = BUSY.format(tests=str(Path(__file__).parents[1]), text=f"{file}*{busy}")
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) as parent:
        wait_until(lambda: file.exists() and file.read_text(encoding="utf-8") != "")
        worker = int(file.read_text(encoding="utf-8"))
        assert is_alive(worker)
        parent.send_signal(getattr(signal, sent))
        _, complaint = parent.communicate(timeout=30)
    assert ("KeyboardInterrupt" if sent == "SIGINT" else "") in complaint.decode()
    assert b"BrokenPipe" not in complaint
    wait_until(lambda: not is_alive(worker))


def fail_to_segment(text: str) -> list[tuple[int, int]]:
    if "bad" in text:
        raise ValueError("cannot cut: " + text)
    return [(0, len(text))]


def give_nothing(text: str) -> list[tuple[int, int]]:
    return None if "bad" in text else [(0, len(text))]  # type: ignore[return-value]


def fail_to_count(text: str) -> int:
    return len(text) if "bad" not in text else {}["missing"]


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize(
    "splitter",
    [
        cb.SentenceSplitter(max_sentences=1, segmenter=fail_to_segment),
        cb.SentenceSplitter(max_sentences=1, segmenter=give_nothing),
        cb.TokenSplitter(9, fail_to_count),
    ],
)
def test_a_failing_segmenter_or_counter_ended_the_batch(
    workers: int, splitter: cb.SentenceSplitter, caplog: pytest.LogCaptureFixture
) -> None:
    """It is an error of that source, without its text; the others are cut."""
    found = list(cb.split_many(["one", "bad two", "three"], splitter, workers, on_error="yield"))
    assert [isinstance(each, list) for each in found] == [True, False, True]
    error = found[1]
    assert isinstance(error, (SplitError, MeasureError))
    assert "two" not in str(error) + repr(error.details)
    assert "two" not in caplog.text
    lengths = [
        len(each) for each in cb.split_many(["one", "bad"], splitter, workers, on_error="skip")
    ]
    assert lengths == [1, 0]


@pytest.mark.parametrize("workers", [0, 2])
def test_stop_ends_after_what_is_done(workers: int, caplog: pytest.LogCaptureFixture) -> None:
    """No error, nothing of what comes later; the log has the number."""
    splitter = cb.TokenSplitter(9, fail_to_count)
    found = list(cb.split_many(["one", "bad", "three"], splitter, workers, on_error="stop"))
    assert [[chunk.text for chunk in chunks] for chunks in found] == [["one"]]
    assert "source 2" in caplog.text


@everywhere
def test_files_of_an_own_reader_are_read_with_any_number_of_workers(
    workers: int, tmp_path: Path
) -> None:
    """A lambda too, which no worker could have; its errors are those of their source."""
    for name, text in (("a.lamp", "lit"), ("b.lamp", ""), ("c.txt", "dark")):
        (tmp_path / name).write_text(text)
    cb.register_reader(".lamp", lambda data, name: data.decode().upper())
    try:
        sources = sorted(tmp_path.iterdir())
        lit, error, dark = cb.split_many(sources, SPLITTER, workers=workers, on_error="yield")
    finally:
        cb.register_reader(".lamp", None)
    assert isinstance(lit, list)
    assert isinstance(dark, list)
    assert [chunk.text for chunk in (*lit, *dark)] == ["LIT", "dark"]
    assert isinstance(error, SourceEmptyError)
    assert error.details["source_number"] == 2
