"""Stages: a list that everything goes through, so that a new one is one object and no other change."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, record_of, without_index, write_books
from cleanbreak import errors
from cleanbreak.cli.app import app
from cleanbreak.storage.files import Files
from cleanbreak.worlds import Problem, Progress, Session
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import manifest_or_none

OTHER = {"chunk_size": 60, "max_lookback": 30, "overlap_size": 0}


class Stamp:
    """A stage that does nothing with the chunks but note how many it has seen, two at a time."""

    name = "stamp"
    needs: tuple[str, ...] = ("chunks",)

    def __init__(self, *, broken: Callable[[Book], None] = lambda _: None) -> None:
        self.broken = broken
        self.ran: list[int] = []
        self.discarded: list[int] = []

    def progress(self, book: Book, session: Session) -> Progress:
        manifest = manifest_or_none(book)
        total = manifest.total_chunks if manifest else None
        try:
            stamp = json.loads(self._file(book).read_bytes())
        except (OSError, ValueError):
            return Progress(0, total)
        fits = manifest and stamp["chunks_sha256"] == manifest.chunks_sha256
        return Progress(stamp["done"] if fits else 0, total)

    def run(self, book: Book, session: Session) -> None:
        self.ran.append(book.number)
        self.broken(book)
        manifest = manifest_or_none(book)
        assert manifest
        assert manifest.complete
        done = self.progress(book, session).done
        while done < manifest.total_chunks:
            done = min(done + 2, manifest.total_chunks)
            stamp = {"chunks_sha256": manifest.chunks_sha256, "done": done}
            session.files.write(self._file(book), json.dumps(stamp).encode())
            session.report(done)
            session.check_stop()

    def verify(self, book: Book, session: Session) -> Iterator[Problem]:
        if self._file(book).exists() and not self.progress(book, session).done:
            yield Problem("STAMP_WRONG", "The stamp is not that of the chunks.", book.number)

    def discard(self, book: Book, session: Session) -> None:
        self.discarded.append(book.number)
        session.files.remove(self._file(book))

    def _file(self, book: Book) -> Path:
        return book.folder / f"{self.name}.json"


def stamp_of(root: Path, number: int) -> Path:
    return root / f"books/book-{number:04d}/stamp.json"


def run_state(root: Path) -> str:
    """As ``world.json`` says, without what a reader makes of it."""
    state: str = json.loads((root / "world.json").read_bytes())["run"]["state"]
    return state


# --- one object, everywhere ----------------------------------------------------------------------


def test_a_new_stage_shows_everywhere_and_nothing_else_knows_of_it(
    root: Path, books: list[Path]
) -> None:
    """In ingest, status, verify, resume, re-ingest and remove, and in ``status --json``."""
    stamp = Stamp()
    world = cb.World.create(root, settings=SETTINGS, stages=[stamp])
    seen: list[cb.worlds.RunProgress] = []
    assert world.ingest(books, on_progress=seen.append).state == "completed"
    assert [(p.book_number, p.completed_chunks == p.total_chunks) for p in seen][-1] == (3, True)
    assert {"chunks", "stamp"} == {progress.stage for progress in seen}
    everything = dict.fromkeys(("chunks", "fulltext", "stamp"), "complete")
    assert everything == world.status().stages
    assert world.verify().ok

    stamp_of(root, 2).write_text('{"chunks_sha256": "other", "done": 1}')
    assert everything | {"stamp": "partial"} == world.status().stages
    assert [p.code for p in world.verify().problems] == ["STAMP_WRONG"]
    stamp.ran.clear()
    assert [book.book_number for book in world.resume().books] == [2]
    assert stamp.ran == [2]
    assert world.verify().ok

    world.reingest(settings=OTHER)
    assert stamp.discarded == [1, 2, 3]
    assert everything == world.status().stages
    world.remove(3)
    assert stamp.discarded == [1, 2, 3, 3]
    assert not stamp_of(root, 3).exists()

    done = CliRunner().invoke(app, ["status", str(root), "--json"])
    assert json.loads(done.stdout)["stages"] == everything | {"stamp": "unavailable"}


def test_no_other_file_names_the_stages() -> None:
    """What goes through the list names no stage but the two that are built in."""
    source = Path(cb.worlds.__file__).parent
    for name in ("status.py", "removal.py", "recovery.py"):
        code = (source / name).read_text(encoding="utf-8")
        assert "fulltext" not in code.lower()


def test_each_book_says_how_far_each_stage_is(root: Path, books: list[Path]) -> None:
    """Counted by the stage, from the disk."""
    world = cb.World.create(root, settings=SETTINGS, stages=[Stamp()])
    world.ingest(books[0])
    stamp_of(root, 1).unlink()
    total = len(cb.split(SEA, **SETTINGS))
    (book,) = world.status().books
    assert book.stages == {
        "chunks": Progress(total, total),
        "fulltext": Progress(total, total),
        "stamp": Progress(0, total),
    }
    assert json.dumps(world.status().as_dict())


# --- a world that asks for a stage ---------------------------------------------------------------


def test_a_run_is_complete_only_with_every_stage(root: Path, books: list[Path]) -> None:
    """Chunks alone do not complete a run whose world asks for more."""
    idle = Stamp()
    idle.run = lambda *_: None  # type: ignore[method-assign]
    world = cb.World.create(root, settings=SETTINGS, stages=[idle])
    report = world.ingest(books)
    assert (report.state, report.failures) == ("paused", ())
    assert world.status().stages["stamp"] == "partial"
    again = cb.World.open(root, stages=[Stamp()])
    assert again.resume().state == "completed"
    assert again.status().stages["stamp"] == "complete"


def test_a_stage_that_is_not_handed_in_keeps_the_run_paused_and_is_named(
    root: Path, books: list[Path]
) -> None:
    """What a world asks for is not forgotten because a program does not know it."""
    cb.World.create(root, settings=SETTINGS, stages=[Stamp()])
    world = cb.World.open(root)
    report = world.ingest(books)
    assert (report.state, report.unavailable_stages) == ("paused", ("stamp",))
    assert report.as_dict()["unavailable_stages"] == ["stamp"]
    assert world.status().stages["stamp"] == "unavailable"
    before = record_of(root), (root / "world.json").read_bytes()
    again = world.resume()
    assert (again.run_id, again.state, again.unavailable_stages) == (None, "paused", ("stamp",))
    assert before == (record_of(root), (root / "world.json").read_bytes())
    done = CliRunner().invoke(app, ["resume", str(root)])
    assert (done.exit_code, "stamp" in done.stderr) == (0, True)
    assert "every book is complete" not in done.stdout
    assert cb.World.open(root, stages=[Stamp()]).resume().state == "completed"


def test_a_stage_can_be_added_to_a_world_that_exists(
    world: cb.World, root: Path, books: list[Path]
) -> None:
    """It was accepted, never run, and the world said to be complete."""
    chunks = {path: path.stat().st_mtime_ns for path in root.glob("books/*/chunks/*")}
    stamp = Stamp()
    wider = cb.World.open(root, stages=[stamp])
    assert wider.status().stages["stamp"] == "partial"
    assert wider.verify().ok  # what was never made is not lost
    seen: list[cb.worlds.RunProgress] = []
    report = wider.resume(on_progress=seen.append)
    assert (report.state, stamp.ran) == ("completed", [1, 2, 3])
    assert {"sea.txt", "hill.txt", "town.txt"} == {progress.filename for progress in seen}
    assert [book.chunks_written for book in report.books] == [0, 0, 0]
    assert chunks == {path: path.stat().st_mtime_ns for path in root.glob("books/*/chunks/*")}
    assert json.loads((root / "world.json").read_bytes())["stages"] == ["chunks", "stamp"]
    assert cb.World.open(root).status().stages["stamp"] == "unavailable"
    stamp.ran.clear()
    assert wider.resume().run_id is None
    assert stamp.ran == []


def test_a_reingest_adds_a_stage_as_well(world: cb.World, root: Path) -> None:
    """It is recorded before the staging, and runs on the new chunks."""
    stamp = Stamp()
    assert cb.World.open(root, stages=[stamp]).reingest(settings=OTHER).state == "completed"
    assert stamp.ran == [1, 2, 3]
    assert json.loads((root / "world.json").read_bytes())["stages"] == ["chunks", "stamp"]


def test_an_empty_world_takes_the_stage_with_its_first_book(root: Path, books: list[Path]) -> None:
    """Handed in when opened, and not when made."""
    cb.World.create(root, settings=SETTINGS)
    assert cb.World.open(root, stages=[Stamp()]).ingest(books[0]).state == "completed"
    assert stamp_of(root, 1).exists()
    assert cb.World.open(root).status().stages["stamp"] == "unavailable"


def test_a_lost_output_is_seen_from_the_disk_and_made_again(root: Path, books: list[Path]) -> None:
    """The last run completed; that says nothing of what is there now."""
    world = cb.World.create(root, settings=SETTINGS, stages=[Stamp()])
    world.ingest(books)
    before = record_of(root)
    stamp_of(root, 1).unlink()
    assert run_state(root) == "completed"
    assert world.status().stages["stamp"] == "partial"
    problems = [(problem.code, problem.book_number) for problem in world.verify().problems]
    assert problems == [("STAGE_INCOMPLETE", 1)]
    assert world.resume().state == "completed"
    assert before == record_of(root)


# --- stages that fail ----------------------------------------------------------------------------


def fails_for(number: int, error: BaseException) -> Callable[[Book], None]:
    def broken(book: Book) -> None:
        if book.number == number:
            raise error

    return broken


@pytest.mark.parametrize(
    "error", [RuntimeError("secret 7319"), ConnectionError("secret 7319"), ValueError("x")]
)
def test_a_stage_that_raises_fails_its_book_and_no_other(
    error: Exception, root: Path, books: list[Path]
) -> None:
    """It stopped the run, raw, and left it active."""
    stamp = Stamp(broken=fails_for(2, error))
    world = cb.World.create(root, settings=SETTINGS, stages=[stamp])
    report = world.ingest(books)
    assert (report.state, run_state(root)) == ("paused", "paused")
    assert [book.book_number for book in report.books] == [1, 3]
    (failure,) = report.failures
    assert (failure.name, failure.book_number) == ("hill.txt", 2)
    assert failure.error.code == "STAGE_FAILED"
    kind = type(error).__name__
    assert failure.error.details == {"stage": "stamp", "kind": kind, "book_number": 2}
    assert "secret" not in json.dumps(report.as_dict()) + str(failure.error)
    assert [hit.source_name for hit in world.search("hill", limit=1)] == ["hill.txt"]
    stamp.broken = lambda _: None
    assert world.resume().state == "completed"


def test_an_error_of_ours_keeps_its_code(root: Path, books: list[Path]) -> None:
    """A stage may say more than that it failed."""
    broken = fails_for(1, errors.MeasureError("The server gave no count."))
    world = cb.World.create(root, settings=SETTINGS, stages=[Stamp(broken=broken)])
    report = world.ingest(books)
    assert [failure.error.code for failure in report.failures] == ["MEASURE_FAILED"]
    assert [book.book_number for book in report.books] == [2, 3]


@pytest.mark.parametrize(
    "error", [errors.DiskFullError("Full."), errors.SettingsError("key", None, "given")]
)
def test_what_holds_for_every_book_ends_the_run_paused(
    error: cb.CleanbreakError, root: Path, books: list[Path]
) -> None:
    """A full disk, wrong settings: the next book would fare no better."""
    stamp = Stamp(broken=fails_for(1, error))
    world = cb.World.create(root, settings=SETTINGS, stages=[stamp])
    with pytest.raises(type(error)):
        world.ingest(books)
    assert (stamp.ran, run_state(root)) == ([1], "paused")


def test_a_run_that_is_broken_off_is_paused(root: Path, books: list[Path]) -> None:
    """By what is no error at all: only a kill leaves a run active."""
    stamp = Stamp(broken=fails_for(1, KeyboardInterrupt()))
    world = cb.World.create(root, settings=SETTINGS, stages=[stamp])
    with pytest.raises(KeyboardInterrupt):
        world.ingest(books)
    assert run_state(root) == "paused"


@pytest.mark.parametrize("method", ["progress", "verify", "discard"])
def test_no_method_of_a_stage_lets_a_raw_exception_out(
    method: str, root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading continues without it; a removal that it stops is finished once it works."""

    def broken(*_: object) -> None:
        raise RuntimeError("secret 7319")

    world = cb.World.create(root, settings=SETTINGS, stages=[Stamp()])
    world.ingest(books)
    with monkeypatch.context() as patch:
        patch.setattr(Stamp, method, broken)
        status = world.status()
        assert status.stages["stamp"] == ("partial" if method == "progress" else "complete")
        found = {problem.code for problem in world.verify().problems}
        assert found == (set() if method == "discard" else {"STAGE_FAILED"})
        if method == "discard":
            with pytest.raises(errors.StageError):
                world.remove(1)
        else:
            report = world.resume()
            failed = [failure.error.code for failure in report.failures]
            assert failed == (["STAGE_FAILED"] * 3 if method == "progress" else [])
    if method == "discard":
        assert world.search("storm") == []
        world.resume()
        assert not (root / "books/book-0001").exists()
    assert world.resume().state == "completed"


def test_a_stage_waits_for_what_it_needs(root: Path, books: list[Path]) -> None:
    """One that needs another which fails for a book is not run for it."""
    first, second = Stamp(broken=fails_for(2, RuntimeError())), Stamp()
    second.name, second.needs = "second", ("stamp",)
    world = cb.World.create(root, settings=SETTINGS, stages=[first, second])
    world.ingest(books)
    assert second.ran == [1, 3]
    # Handed in alone: it waits for a stage that cannot be run now.
    stamp_of(root, 1).unlink()
    alone = Stamp()
    alone.name, alone.needs = "second", ("stamp",)
    assert cb.World.open(root, stages=[alone]).resume().state == "paused"
    assert alone.ran == []


# --- stopping and crashing -----------------------------------------------------------------------


def test_a_stop_is_heard_inside_a_stage(root: Path, books: list[Path]) -> None:
    """The group at work is finished, and resume continues from it."""
    world = cb.World.create(root, settings=SETTINGS, stages=[Stamp()])
    seen: list[cb.worlds.RunProgress] = []
    with pytest.raises(errors.RunInterruptedError) as caught:
        world.ingest(books, on_progress=seen.append, stop=lambda: seen[-1].stage == "stamp")
    assert caught.value.details["completed_chunks"] == 2
    assert caught.value.details["total_chunks"] == len(cb.split(SEA, **SETTINGS))
    assert json.loads(stamp_of(root, 1).read_bytes())["done"] == 2
    assert run_state(root) == "paused"
    assert world.resume().state == "completed"


def test_a_reingest_runs_later_stages_on_the_new_chunks(root: Path, books: list[Path]) -> None:
    """After the swap; a stage that fails then leaves the new chunks and a run to resume."""
    stamp = Stamp()
    world = cb.World.create(root, settings=SETTINGS, stages=[stamp])
    world.ingest(books)
    stamp.broken = fails_for(2, RuntimeError())
    report = world.reingest(settings=OTHER)
    assert [book.book_number for book in report.books] == [1, 3]
    assert [failure.error.code for failure in report.failures] == ["STAGE_FAILED"]
    assert (report.state, run_state(root)) == ("paused", "paused")
    assert world.settings.settings["chunk_size"] == 60
    assert max(len(hit.text) for hit in world.search("storm", limit=50)) > 40
    stamp.broken = lambda _: None
    resumed = world.resume()
    assert (resumed.state, resumed.run_id) == ("completed", report.run_id)
    assert world.verify().ok


STAGED: dict[str, Callable[[cb.World, Path], object]] = {
    "ingest": lambda world, folder: world.ingest([folder / "in"]),
    "reingest": lambda world, folder: world.reingest(settings=OTHER),
    "remove": lambda world, folder: world.remove(1),
}


@pytest.mark.slow
@pytest.mark.parametrize("work", STAGED)
def test_a_crash_at_any_step_of_a_stage_loses_nothing(
    work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fail at step 1, 2, 3 …: resume gives the world that was never interrupted."""
    without_index(monkeypatch)
    monkeypatch.setattr("os.fsync", lambda _: None)
    write_books(tmp_path / "in", sea=SEA[:160], hill="A hill. " * 8)

    def opened(root: Path, observer: Callable[[str, Path], None] | None = None) -> cb.World:
        return cb.World.open(root, stages=[Stamp()], files=Files(observer, group_size=3))

    def make(root: Path, observer: Callable[[str, Path], None] | None = None) -> None:
        cb.World.create(root, name=root.name, settings=SETTINGS, stages=[Stamp()])
        if work != "ingest":
            opened(root).ingest(tmp_path / "in")
        STAGED[work](opened(root, observer), tmp_path)

    steps: list[str] = []
    make(tmp_path / "whole", lambda step, _: steps.append(step))
    assert steps
    for limit in range(1, len(steps) + 1):
        root, taken = tmp_path / f"w{limit}", []

        def fail(step: str, _: Path, limit: int = limit, taken: list[str] = taken) -> None:
            taken.append(step)
            if len(taken) == limit:
                raise OSError(5, "injected")

        with pytest.raises(errors.StoreError):
            make(root, fail)
        world = opened(root)
        assert [p for p in world.verify().problems if not p.code.endswith("_MISSING")] == []
        world.resume()
        if work == "ingest" or json.loads((root / "world.json").read_bytes())["run"] is None:
            world.ingest(tmp_path / "in")
        elif work == "reingest" and world.settings.settings["chunk_size"] != 60:
            world.reingest(settings=OTHER)
        elif work == "remove" and world.status().books[0].state != "removed":
            world.remove(1)
        assert world.status().stages == dict.fromkeys(("chunks", "stamp"), "complete")
        assert world.verify().ok
        stamped = {path.parent.name for path in root.glob("books/*/stamp.json")}
        assert stamped == ({"book-0002"} if work == "remove" else {"book-0001", "book-0002"})


# --- what is handed in ---------------------------------------------------------------------------


def named(name: str, *needs: str) -> Stamp:
    stamp = Stamp()
    stamp.name, stamp.needs = name, needs
    return stamp


@pytest.mark.parametrize(
    "stages",
    [
        [object()],
        [Stamp],
        [named("chunks")],
        [named("fulltext")],
        [named("one"), named("one")],
        [named("one", "two")],
        [named("one", "two"), named("two")],
    ],
)
def test_what_is_no_stage_is_refused(stages: list[Stamp], root: Path, world: cb.World) -> None:
    """Not one, a name that is taken, or before what it needs."""
    with pytest.raises(errors.SettingsError):
        cb.World.open(root, stages=stages)
    with pytest.raises(errors.SettingsError):
        cb.World.draft(root.with_name("new"), stages=stages)


@pytest.mark.parametrize("paths", [None, 5, b"secret 7319", [b"secret 7319"], [None], {3: 4}])
def test_what_is_no_path_is_refused(paths: object, world: cb.World, root: Path) -> None:
    """It was a raw TypeError."""
    before = record_of(root)
    for use in (
        lambda: world.ingest(paths),  # type: ignore[arg-type]
        lambda: world.plan(paths),  # type: ignore[arg-type]
        lambda: world.reingest(replace=paths),  # type: ignore[arg-type]
        lambda: cb.World.draft(root.with_name("new")).ingest(paths),  # type: ignore[arg-type]
    ):
        with pytest.raises(errors.SettingsError) as caught:
            use()
        assert "secret" not in str(caught.value)
    assert before == record_of(root)


def test_books_that_are_no_numbers_are_refused(world: cb.World) -> None:
    """One number where several are wanted was a raw TypeError."""
    with pytest.raises(errors.SettingsError):
        world.reingest(2)  # type: ignore[arg-type]


@pytest.mark.parametrize("which", ["on_progress", "stop"])
def test_a_callback_that_raises_ends_the_run_paused(
    which: str, root: Path, books: list[Path]
) -> None:
    """As an error of ours, without its text; what was written is durable."""

    def broken(*_: object) -> bool:
        raise RuntimeError("secret 7319")

    world = cb.World.create(root, settings=SETTINGS)
    with pytest.raises(errors.SettingsError, match=which) as caught:
        world.ingest(books, **{which: broken})  # type: ignore[arg-type]
    assert "secret" not in str(caught.value) + json.dumps(caught.value.as_dict())
    assert run_state(root) == "paused"
    assert world.verify().ok
    assert world.resume().state == "completed"
