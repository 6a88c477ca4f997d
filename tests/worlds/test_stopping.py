"""A request to stop is heard within two seconds in every part of a run."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS, record_of
from cleanbreak import errors, readers
from cleanbreak.core.chunk import Chunk
from cleanbreak.storage.files import Files
from cleanbreak.worlds import RunProgress, session

LONGEST_WAIT_SECONDS = 2.0


@pytest.fixture
def slow_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A reader that needs minutes for each file, and ends with the test."""
    ended = threading.Event()

    def read(path: Path, **_options: object) -> cb.Document:
        ended.wait(60)
        return cb.Document("A text.")

    monkeypatch.setattr(readers, "read", read)
    yield ended
    ended.set()


def heard_after(work: object, start: float) -> float:
    """How long after `start` seconds of work a stop is heard."""
    began = time.monotonic()
    with pytest.raises(errors.RunInterruptedError):
        work(lambda: time.monotonic() - began > start)  # type: ignore[operator]
    return time.monotonic() - began - start


@pytest.mark.usefixtures("slow_reader")
def test_a_stop_is_heard_inside_one_long_read_of_a_plan(root: Path, books: list[Path]) -> None:
    draft = cb.World.draft(root)
    waited = heard_after(lambda stop: draft.ingest(books, stop=stop), 0.1)
    assert waited < LONGEST_WAIT_SECONDS
    assert not root.exists()


def test_a_stop_is_heard_inside_one_long_read_of_a_stored_source(
    world: cb.World, root: Path, slow_reader: threading.Event
) -> None:
    """The book stays as it was, and the next run repairs it."""
    before = record_of(root)
    (root / "books/book-0001/chunks/000002.json").unlink()
    assert heard_after(lambda stop: world.resume(stop=stop), 0.1) < LONGEST_WAIT_SECONDS
    slow_reader.set()
    assert world.status().run is not None
    assert before.keys() - record_of(root).keys() == {"books/book-0001/chunks/000002.json"}


def test_a_stop_is_heard_while_a_long_text_is_cut(
    root: Path, books: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All cuts are found before the first chunk is written."""
    stream = cb.BoundarySplitter.stream

    def slowly(splitter: cb.BoundarySplitter, document: cb.Document) -> Iterator[Chunk]:
        for chunk in stream(splitter, document):
            time.sleep(0.2)
            yield chunk

    monkeypatch.setattr(cb.BoundarySplitter, "stream", slowly)
    monkeypatch.setattr(session, "ASKS_EVERY_SECONDS", 0.3)
    world = cb.World.create(root, settings=SETTINGS)
    assert heard_after(lambda stop: world.ingest(books, stop=stop), 0.1) < LONGEST_WAIT_SECONDS


def test_a_stop_is_heard_inside_one_long_copy(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the blocks; no part of a copy stays."""
    book = tmp_path / "long.txt"
    book.write_bytes(b"A line of a long book.\n" * 200_000)
    monkeypatch.setattr(session, "ASKS_EVERY_SECONDS", 0)
    blocks: list[str] = []
    files = Files(lambda step, _: blocks.append(step))
    world = cb.World.create(root, settings=SETTINGS, files=files)
    with pytest.raises(errors.RunInterruptedError) as caught:
        world.ingest(book, stop=lambda: "write_block" in blocks)
    assert blocks.count("write_block") == 1
    assert caught.value.details["not_stored"] == ["long.txt"]
    assert [path for path in root.rglob("*") if ".cb-" in path.name] == []


def test_verify_hears_a_stop_and_says_where_it_is(
    world: cb.World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was silent for half a minute in a large world."""
    seen: list[RunProgress] = []
    world.verify(on_progress=seen.append)
    assert [(event.stage, event.books_done, event.books) for event in seen] == [
        ("verify", number, 3) for number in range(3)
    ]
    assert [event.filename for event in seen] == ["sea.txt", "hill.txt", "town.txt"]
    monkeypatch.setattr(session, "ASKS_EVERY_SECONDS", 0)
    with pytest.raises(errors.RunInterruptedError):
        world.verify(stop=lambda: True)


def test_a_proof_hears_a_stop(world: cb.World, monkeypatch: pytest.MonkeyPatch) -> None:
    """To prove a world is to read all of it."""
    monkeypatch.setattr(session, "ASKS_EVERY_SECONDS", 0)
    with pytest.raises(errors.RunInterruptedError):
        world.resume(stop=lambda: True)


def test_a_plan_says_where_it_is(root: Path, books: list[Path]) -> None:
    """The bar showed nothing while a shelf was read; progress of the stages is as before."""
    planned: list[RunProgress] = []
    events: list[RunProgress] = []
    cb.World.draft(root).ingest(books, on_plan=planned.append, on_progress=events.append)
    assert [(event.filename, event.books_done, event.books) for event in planned] == [
        (book.name, number, 3) for number, book in enumerate(books)
    ]
    assert {event.stage for event in planned} == {"plan"}
    assert "plan" not in {event.stage for event in events}
    again: list[RunProgress] = []
    cb.World.open(root).plan(books, on_progress=again.append)
    assert len(again) == 3
