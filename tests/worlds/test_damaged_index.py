"""The index is derived: whatever happens to its file, searches get the right answer or an error."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SEA, SETTINGS, write_books
from cleanbreak import errors
from cleanbreak.storage.files import Files
from cleanbreak.stores.fulltext import SourceWriter

QUERIES = ("storm", "the", "town*")


def answers(world: cb.World) -> list[list[tuple[str, int]]]:
    return [
        [(hit.source_key, hit.number) for hit in world.search(query, limit=50)] for query in QUERIES
    ]


def damages(data: bytes, seed: int) -> bytes:
    """One of several kinds of damage."""
    rng = random.Random(seed)
    torn = bytearray(data)
    kind = seed % 10
    place = rng.randrange(len(data))
    if kind == 0:
        torn[place] ^= 1 << rng.randrange(8)
    elif kind == 1:
        for here in range(place % 3000, len(data), 3000):
            torn[here] ^= 0xFF
    elif kind == 2:
        del torn[place:]
    elif kind == 3:
        start = place // 4096 * 4096
        torn[start : start + 4096] = bytes(min(4096, len(data) - start))
    elif kind == 4:
        torn[:100] = rng.randbytes(100)
    elif kind == 5:
        torn = bytearray(rng.randbytes(len(data)))
    elif kind == 6:
        torn.clear()
    elif kind == 7:
        found = data.find(b"book-0001")
        torn[found + 3 if found >= 0 else place] ^= 0x80
    elif kind == 8:
        one, two = (rng.randrange(1, len(data) // 4096) * 4096 for _ in range(2))
        torn[one : one + 4096], torn[two : two + 4096] = (
            data[two : two + 4096],
            data[one : one + 4096],
        )
    else:
        for _ in range(200):
            torn[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(torn)


def test_a_hundred_damaged_indexes_give_no_raw_error_and_are_rebuilt(
    world: cb.World, root: Path
) -> None:
    """By search, status, verify and resume; after a reindex the answer is the right one again."""
    right = answers(world)
    path = root / "index.sqlite"
    sqlite3.connect(path).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    data = path.read_bytes()
    assert right[0]
    for seed in range(100):
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        path.write_bytes(damages(data, seed))
        opened = cb.World.open(root)
        opened.status()
        opened.verify()
        for found, expected in zip(answers(opened), right, strict=True):
            assert set(found) <= set(expected)  # what the files do not prove is no hit
        assert opened.resume().state == "completed"
        opened.reindex()
        assert answers(opened) == right, seed


def test_text_that_is_not_utf_8_is_damage(world: cb.World, root: Path) -> None:
    """SQLite reports it without an error code, which ended in an AttributeError."""
    path = root / "index.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE sources SET title = CAST(x'80ff' AS TEXT)")
        connection.execute("UPDATE chunks SET sections = CAST(x'80ff' AS TEXT)")
    connection.close()
    assert {hit.source_key for hit in world.search("storm")} == {"book-0001"}
    assert world.verify().ok


@pytest.mark.parametrize(
    "change", ["chunk_text = x'00'", "sections = '{'", "break_level = 7", "line = 'no number'"]
)
def test_a_column_of_another_type_is_damage(change: str, world: cb.World, root: Path) -> None:
    """The index is rebuilt, and the search answers."""
    with sqlite3.connect(root / "index.sqlite") as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(f"UPDATE chunks SET {change}")
    connection.close()
    assert {hit.source_key for hit in world.search("storm", context=1)} == {"book-0001"}


# --- behind --------------------------------------------------------------------------------------


@contextmanager
def while_filling(look: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Call `look` before each group of chunks that enters an index."""
    add = SourceWriter.add

    def add_and_look(self: SourceWriter, chunks: object) -> None:
        look()  # type: ignore[operator]
        add(self, chunks)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(SourceWriter, "add", add_and_look)
        yield


def test_a_search_during_reindex_has_the_whole_answer(
    world: cb.World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old index is there until the new one takes its place."""
    right = answers(world)
    seen: list[object] = []

    def look() -> None:
        other = cb.World.open(root)
        seen.append(answers(other) == right and other.search("the").complete)

    with while_filling(look, monkeypatch):
        assert world.reindex() == 3
    assert seen == [True] * len(seen)
    assert seen
    assert answers(world) == right


def test_a_reindex_that_fails_or_is_stopped_leaves_the_index(
    world: cb.World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk it said that the index keeps what it held, and had deleted it."""
    right, before = answers(world), sorted(path.name for path in root.iterdir())

    def fail() -> None:
        raise errors.DiskFullError("It is full.")

    with while_filling(fail, monkeypatch), pytest.raises(errors.DiskFullError):
        world.reindex()
    with pytest.raises(errors.RunInterruptedError):
        world.reindex(stop=lambda: True)
    assert sorted(path.name for path in root.iterdir()) == before
    assert answers(world) == right


def test_a_search_that_cannot_be_brought_up_to_date_says_so(
    world: cb.World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gave an empty list without a word."""
    for path in root.glob("index.sqlite*"):
        path.unlink()

    def fail() -> None:
        raise errors.DiskFullError("It is full.")

    with while_filling(fail, monkeypatch):
        found = world.search("storm")
    assert (list(found), found.complete, found.behind) == ([], False, (1, 2, 3))
    found = world.search("storm")
    assert found
    assert found.complete


def test_a_search_names_the_books_that_are_not_finished(root: Path, books: list[Path]) -> None:
    """A paused world is searched as far as it is complete; before its first chunk it has no hits."""
    world = cb.World.create(root, settings=SETTINGS, files=Files(group_size=4))
    assert world.search("storm").complete
    with pytest.raises(errors.RunInterruptedError):
        world.ingest(books, stop=lambda: True)
    found = world.search("storm")
    assert (list(found), found.complete, found.unfinished) == ([], False, (1, 2, 3))


@pytest.mark.parametrize(
    "column",
    ["chunk_text", "overlap_text", "character_start_offset", "chunk_id", "sections", "break_level"],
)
def test_a_row_that_says_something_else_than_the_file_is_damage(
    column: str, world: cb.World, root: Path
) -> None:
    """The hit showed what the index held: only the number of the chunk was proved."""
    before = world.search("storm", context=1)
    values = {
        "character_start_offset": "character_start_offset + 1",
        "chunk_id": "chunk_id || 'x'",
        "sections": """'[{"kind":"page","title":"9","level":1,"character_start_offset":0,"""
        """"character_end_offset":9}]'""",
        "break_level": "'line'",
    }
    change = values.get(column, f"{column} || ' altered'")
    with closing(sqlite3.connect(root / "index.sqlite")) as connection:
        for (trigger,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(f"UPDATE chunks SET {column} = {change}")
        connection.commit()
    assert world.search("storm", context=1) == before
    assert world.search("altered") == []


def test_a_world_that_was_stopped_before_its_first_chunk_is_searched(tmp_path: Path) -> None:
    """Nothing is found, and the book is named as not finished; it raised INDEX_MISSING."""
    world = cb.World.create(tmp_path / "world", settings=SETTINGS)
    with pytest.raises(errors.RunInterruptedError):
        world.ingest(write_books(tmp_path / "in", sea=SEA), stop=lambda: True)
    shutil.rmtree(tmp_path / "world/books", ignore_errors=True)
    found = cb.World.open(tmp_path / "world").search("storm")
    assert (list(found), found.complete, found.unfinished) == ([], False, (1,))
