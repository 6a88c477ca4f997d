"""Runs: one writer at a time, stopping between groups, complete only with every stage."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS
from cleanbreak import errors
from cleanbreak.storage.files import Files
from cleanbreak.storage.lock import is_held, writing
from cleanbreak.worlds import Progress, stoppable
from cleanbreak.worlds.layout import Book, Layout
from cleanbreak.worlds.records import Manifest

HOLDER = """
import sys, time
from pathlib import Path
from cleanbreak.worlds.layout import Layout
from cleanbreak.storage.lock import writing
with writing(Layout(Path(sys.argv[1])).lock):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_writer_is_told_who_holds_the_world(world: cb.World, root: Path) -> None:
    """WORLD_LOCKED with process, host and since when."""
    with writing(Layout(root).lock), pytest.raises(errors.WorldLockedError) as caught:
        world.resume()
    assert os.getpid() == caught.value.details["pid"]
    assert {"pid", "host", "since"} == caught.value.details.keys()
    assert str(os.getpid()) in str(caught.value)


def test_readers_do_not_wait(world: cb.World, root: Path) -> None:
    """Status, verify and search work while another holds the world."""
    with writing(Layout(root).lock):
        assert world.status().being_written
        assert world.verify().being_written
        assert world.search("storm")
    assert not is_held(Layout(root).lock)


def test_readers_do_not_take_each_other_for_writers(world: cb.World, root: Path) -> None:
    """Many look at once whether somebody writes, and nobody does."""
    found: list[bool] = []

    def look() -> None:
        found.extend(is_held(Layout(root).lock) for _ in range(50))

    readers = [threading.Thread(target=look) for _ in range(8)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert {False} == set(found)


def test_a_dead_holder_is_taken_over(world: cb.World, root: Path) -> None:
    """A lock belongs to a process and dies with it (case I15)."""
    command = [sys.executable, "-c", HOLDER, str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(errors.WorldLockedError) as caught:
            world.resume()
        assert holder.pid == caught.value.details["pid"]
        holder.kill()
    assert world.resume().state == "completed"


def test_stopping_finishes_the_group_and_pauses(root: Path, books: list[Path]) -> None:
    """What the last manifest counts is on the disk, the run is paused, and resume completes it."""
    world = cb.World.create(root, settings=SETTINGS, files=Files(group_size=4))
    seen: list[Progress] = []
    with pytest.raises(errors.RunInterruptedError) as caught:
        world.ingest(books, on_progress=seen.append, stop=lambda: len(seen) == 2)
    assert (caught.value.details["book_number"], caught.value.details["completed_chunks"]) == (1, 8)
    assert len(list((root / "books/book-0001/chunks").iterdir())) == 8
    status = world.status()
    assert status.run
    assert status.run.state == "paused"
    assert [book.state for book in status.books] == ["partial", "waiting", "waiting"]
    report = world.resume()
    assert (status.run.run_id, "completed") == (report.run_id, report.state)
    assert world.verify().ok


def test_progress_tells_books_and_chunks(root: Path, books: list[Path]) -> None:
    """Every group is told, and the last one of a book is its total."""
    seen: list[Progress] = []
    cb.World.create(root, settings=SETTINGS, files=Files(group_size=4)).ingest(
        books, on_progress=seen.append
    )
    last = {progress.book_number: progress for progress in seen}
    assert [(p.books_done, p.books) for p in last.values()] == [(0, 3), (1, 3), (2, 3)]
    assert all(p.completed_chunks == p.total_chunks for p in last.values())
    assert sorted(seen, key=lambda p: (p.book_number, p.completed_chunks)) == seen


@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_asks_once_and_kills_twice(number: signal.Signals) -> None:
    """Inside, the first signal only asks; afterwards everything is as before."""
    before = signal.getsignal(number)
    with stoppable() as stop:
        assert not stop()
        os.kill(os.getpid(), number)
        assert stop()
        assert before == signal.getsignal(number)
    assert before == signal.getsignal(number)


def test_outside_the_main_thread_signals_are_left_alone() -> None:
    """Python allows handlers in the main thread only."""
    found: list[bool] = []

    def look() -> None:
        with stoppable() as stop:
            found.append(stop())

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [False]


# --- stages --------------------------------------------------------------------------------------


class Embedding:
    """A later stage that does one book a call, and may be broken."""

    name = "embedding"

    def __init__(self, *, works: bool = True) -> None:
        self.works = works

    def is_complete(self, book: Book, manifest: Manifest) -> bool:
        return (book.folder / "embeddings.json").exists()

    def advance(self, book: Book, manifest: Manifest) -> None:
        if self.works:
            (book.folder / "embeddings.json").write_text("{}")


def test_a_run_is_complete_only_with_every_stage(root: Path, books: list[Path]) -> None:
    """Chunks alone do not complete a run whose world asks for more."""
    broken = Embedding(works=False)
    world = cb.World.create(root, settings=SETTINGS, stages=[broken])
    assert world.ingest(books).state == "paused"
    assert world.status().stages == {"chunks": "complete", "embedding": "partial"}
    broken.works = True
    assert world.resume().state == "completed"
    assert world.status().stages == {"chunks": "complete", "embedding": "complete"}


def test_a_stage_that_is_not_handed_in_keeps_the_run_paused(root: Path, books: list[Path]) -> None:
    """What a world asks for is not forgotten because a program does not know it."""
    cb.World.create(root, settings=SETTINGS, stages=[Embedding()])
    assert cb.World.open(root).ingest(books).state == "paused"
    assert cb.World.open(root, stages=[Embedding()]).resume().state == "completed"


# --- concurrency ---------------------------------------------------------------------------------


INGEST = """
import sys
import cleanbreak as cb
from cleanbreak.errors import WorldLockedError
try:
    cb.World.open(sys.argv[1]).ingest(sys.argv[2:])
except WorldLockedError as error:
    print(error.code)
"""


def test_two_ingests_at_once(root: Path, tmp_path: Path) -> None:
    """One may be told to wait; nothing is doubled or lost."""
    books = [tmp_path / f"{name}.txt" for name in "ab"]
    for book in books:
        book.write_text(book.name + SEA * 10)
    cb.World.create(root, settings=SETTINGS)
    running = [
        subprocess.Popen([sys.executable, "-c", INGEST, str(root), str(book)]) for book in books
    ]
    assert [process.wait() for process in running] == [0, 0]
    world = cb.World.open(root)
    world.ingest(books)
    assert [book.state for book in world.status().books] == ["complete", "complete"]
    assert world.verify().ok


@pytest.mark.slow
def test_ten_readers_and_a_verify_during_a_write(root: Path, tmp_path: Path) -> None:
    """While books come in and are rebuilt, every reader sees whole books and no false alarm."""
    book = tmp_path / "sea.txt"
    book.write_text(SEA * 4)
    more = tmp_path / "more.txt"
    more.write_text(SEA * 5)
    world = cb.World.create(root, settings=SETTINGS, files=Files(group_size=8))
    world.ingest(book)
    done = threading.Event()
    found: list[str] = []

    def read() -> None:
        while not done.is_set():
            reader = cb.World.open(root)
            problems = [p for p in reader.verify().problems if p.code != "INDEX_BEHIND"]
            found.extend(f"{p.code} {p.book_number} {p.chunk_number}" for p in problems)
            try:
                hits = reader.search("storm")
            except errors.CleanbreakError as error:
                found.append(error.code)
            else:
                found.extend("torn" for hit in hits if "storm" not in hit.text)
            time.sleep(0.001)

    readers = [threading.Thread(target=read) for _ in range(10)]
    for reader in readers:
        reader.start()
    try:
        world.ingest(more)
        world.reingest(settings=SETTINGS | {"chunk_size": 50})
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert found == []
    assert world.verify().ok


def test_a_world_that_another_is_making_is_locked_and_not_there_already(tmp_path: Path) -> None:
    """Two first ingests of one world: the slower one was told WORLD_EXISTS."""
    book = tmp_path / "sea.txt"
    book.write_text("The sea was calm.", encoding="utf-8")
    slower = cb.World.draft(tmp_path / "world")
    quicker = cb.World.draft(tmp_path / "world")
    refusals = []

    def meanwhile(_progress: object) -> None:
        with pytest.raises(errors.WorldLockedError) as caught:
            slower.ingest(book)
        refusals.append(caught.value.code)

    quicker.ingest(book, on_progress=meanwhile)
    assert set(refusals) == {"WORLD_LOCKED"}


def test_a_draft_whose_world_was_made_meanwhile_adds_to_it(tmp_path: Path) -> None:
    """It takes the world as it is, uuid and all."""
    for name in ("sea", "bay"):
        (tmp_path / f"{name}.txt").write_text(f"The {name} was calm.", encoding="utf-8")
    slower = cb.World.draft(tmp_path / "world")
    quicker = cb.World.draft(tmp_path / "world")
    quicker.ingest(tmp_path / "sea.txt")
    slower.ingest(tmp_path / "bay.txt")
    assert slower.uuid == quicker.uuid
    assert [book.source_filename for book in cb.World.open(tmp_path / "world").status().books] == [
        "sea.txt",
        "bay.txt",
    ]
    assert cb.World.open(tmp_path / "world").verify().ok
