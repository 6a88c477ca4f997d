"""Sinks: chunks written as they are cut, all or nothing."""

import json
import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

import cleanbreak as cb
from bookshelf import SEA
from cleanbreak import errors
from cleanbreak.export import sqlite
from cleanbreak.export.row import ExportRow, RowSource, export_row
from cleanbreak.export.sink import open_sink

Rows = list[dict[str, Any]]


def read_jsonl(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_sqlite(path: Path) -> Rows:
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM chunks ORDER BY rowid")]
    connection.close()
    for row in rows:
        row["oversize"] = bool(row["oversize"])
        for name in ("sections", "pages", "chapters"):
            row[name] = json.loads(row[name])
    return rows


def read_parquet(path: Path) -> Rows:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows: Rows = parquet.read_table(path).to_pylist()
    return rows


READERS = {"jsonl": read_jsonl, "sqlite": read_sqlite, "parquet": read_parquet}


def document() -> cb.Document:
    sections = (
        cb.Section("page", "1", 1, cb.Span(0, 100)),
        cb.Section("page", "2", 1, cb.Span(100, len(SEA))),
        cb.Section("chapter", "Storm", 1, cb.Span(20, len(SEA))),
        cb.Section("heading", "Sea", 1, cb.Span(50, len(SEA))),
    )
    return cb.Document(SEA, sections, source=cb.Source("sea.txt", "text/plain", "ab12"))


@pytest.mark.parametrize("suffix", READERS)
def test_what_is_written_is_what_was_cut(suffix: str, tmp_path: Path) -> None:
    """Every field of every chunk, in order, from two sources of the same name."""
    target = tmp_path / f"chunks.{suffix}"
    chunks = cb.split(document(), chunk_size=60)
    sources = [RowSource("sea.txt", f"{folder}/sea.txt", folder * 4) for folder in ("a", "b")]
    with open_sink(target) as write:
        for source in sources:
            for chunk in chunks:
                write(chunk, source)
        assert not target.exists()
    expected = [
        {**chunk.as_dict(), "source_path": source.path, "source_sha256": source.sha256}
        for source in sources
        for chunk in chunks
    ]
    assert expected == READERS[suffix](target)
    assert [target] == list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", READERS)
def test_the_columns_are_the_fields_of_a_row(suffix: str, tmp_path: Path) -> None:
    """In their order, and with what a chunk itself knows of its source."""
    target = tmp_path / f"chunks.{suffix}"
    with open_sink(target) as write:
        write(cb.split(document())[0])
    (row,) = READERS[suffix](target)
    assert tuple(row) == ExportRow.__struct_fields__
    assert (row["source_filename"], row["source_path"]) == ("sea.txt", "sea.txt")


@pytest.mark.parametrize("suffix", READERS)
def test_a_file_name_with_half_characters_stops_no_export(suffix: str, tmp_path: Path) -> None:
    """Such names come from disks with another encoding; they cannot be written as they are."""
    target = tmp_path / f"chunks.{suffix}"
    source = cb.Source("caf\udce9.txt", "text/plain", "ab12")
    with open_sink(target) as write:
        write(cb.split(cb.Document(SEA, source=source))[0])
    assert READERS[suffix](target)[0]["source_filename"] == "caf\ufffd.txt"


def test_a_row_is_read_again_as_it_was() -> None:
    """From JSON, to the same value."""
    row = export_row(cb.split(document(), chunk_size=60)[1])
    assert row == msgspec.json.decode(msgspec.json.encode(row), type=ExportRow)


@pytest.mark.parametrize("suffix", READERS)
def test_a_path_may_be_a_string(suffix: str, tmp_path: Path) -> None:
    """As everywhere else."""
    target = tmp_path / f"chunks.{suffix}"
    with open_sink(str(target)) as write:
        write(cb.split(SEA)[0])
    assert len(READERS[suffix](target)) == 1


@pytest.mark.parametrize("suffix", READERS)
def test_a_failure_leaves_the_old_file(suffix: str, tmp_path: Path) -> None:
    """If cutting fails, the target is as it was and nothing is left beside it."""
    target = tmp_path / f"chunks.{suffix}"
    target.write_text("old")

    def fail_midway() -> None:
        with open_sink(target, overwrite=True) as write:
            write(cb.split(SEA)[0])
            raise errors.SplitError("stopped")

    with pytest.raises(errors.SplitError):
        fail_midway()
    assert target.read_text() == "old"
    assert [target] == list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", READERS)
def test_no_chunks_give_an_empty_file_of_the_kind(suffix: str, tmp_path: Path) -> None:
    """A blank document has none, and that is no error."""
    target = tmp_path / f"chunks.{suffix}"
    with open_sink(target):
        pass
    assert READERS[suffix](target) == []


@pytest.mark.parametrize("suffix", READERS)
def test_a_folder_that_is_not_there(suffix: str, tmp_path: Path) -> None:
    """The error says so, without the folder's name, before anything is cut."""
    target = tmp_path / "secret-folder" / f"chunks.{suffix}"
    with pytest.raises(errors.WriteFailedError, match="folder does not exist") as caught:
        open_sink(target).__enter__()
    assert "secret-folder" not in str(caught.value)


@pytest.mark.parametrize("suffix", READERS)
def test_a_place_that_cannot_be_written(suffix: str, tmp_path: Path) -> None:
    """An export cannot be resumed, so the advice is another one than a world's."""
    target = tmp_path / f"chunks.{suffix}"
    target.mkdir()
    with pytest.raises(errors.WriteFailedError, match="run again") as caught, open_sink(target):
        pass
    assert "resume" not in str(caught.value)
    assert [target] == list(tmp_path.iterdir())


def make_database(path: Path, *statements: str) -> bytes:
    connection = sqlite3.connect(path)
    for statement in ("CREATE TABLE diary (entry)", *statements):
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path.read_bytes()


@pytest.mark.parametrize("statement", [(), ("PRAGMA application_id = 7",)])
def test_split_output_does_not_destroy_a_database_of_the_user(
    statement: tuple[str, ...], tmp_path: Path
) -> None:
    """It gets a table, and keeps all that it held; the next export replaces that table only."""
    target = tmp_path / "mine.db"
    make_database(target, *statement)
    for count in (2, 1):
        with open_sink(target) as write:
            for _ in range(count):
                write(cb.split(SEA)[0])
        assert len(read_sqlite(target)) == count
        with closing(sqlite3.connect(target)) as connection:
            assert connection.execute("SELECT count(*) FROM diary").fetchone() == (0,)
    assert [target] == list(tmp_path.iterdir())


def test_an_export_that_fails_leaves_the_tables_of_a_database(tmp_path: Path) -> None:
    """The earlier export too: a table is replaced in one transaction."""
    target = tmp_path / "mine.db"
    make_database(target)
    with open_sink(target) as write:
        write(cb.split(SEA)[0])

    def fail_midway() -> None:
        with open_sink(target):
            raise errors.SplitError("stopped")

    with pytest.raises(errors.SplitError):
        fail_midway()
    assert len(read_sqlite(target)) == 1


def test_a_table_of_that_name_of_somebody_else_is_kept(tmp_path: Path) -> None:
    """Unless it is to be overwritten."""
    target = tmp_path / "mine.db"
    before = make_database(target, "CREATE TABLE chunks (x)")
    with pytest.raises(errors.WriteFailedError, match="'chunks'"), open_sink(target):
        pass
    assert before == target.read_bytes()
    with open_sink(target, overwrite=True):
        pass
    assert read_sqlite(target) == []


@pytest.mark.parametrize("suffix", READERS)
@pytest.mark.parametrize(
    "held", ["Dear diary", '{"diary": 1}\n', "SQLite format 3\0 or so", "PAR1"]
)
def test_a_file_that_cleanbreak_did_not_write_is_kept(
    held: str, suffix: str, tmp_path: Path
) -> None:
    """Of the same kind or another; `overwrite` replaces it."""
    target = tmp_path / f"chunks.{suffix}"
    target.write_text(held)
    with pytest.raises(errors.StoreError), open_sink(target) as write:
        write(cb.split(SEA)[0])
    assert target.read_text() == held
    assert [target] == list(tmp_path.iterdir())
    if not (suffix == "sqlite" and held.startswith("SQLite")):  # a damaged database
        with open_sink(target, overwrite=True) as write:
            write(cb.split(SEA)[0])
        assert len(READERS[suffix](target)) == 1


@pytest.mark.parametrize("suffix", READERS)
def test_an_export_is_replaced_by_the_next(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"chunks.{suffix}"
    for count in (2, 1):
        with open_sink(target) as write:
            for _ in range(count):
                write(cb.split(SEA)[0])
    assert len(READERS[suffix](target)) == 1


def test_a_search_index_is_no_export(tmp_path: Path) -> None:
    """It is ours, but a world or vault needs it."""
    place = tmp_path / "world"
    cb.World.create(place).ingest([write_sea(tmp_path)])
    with pytest.raises(errors.WriteFailedError), open_sink(place / "index.sqlite"):
        pass


def write_sea(folder: Path) -> Path:
    path = folder / "sea.txt"
    path.write_text(SEA, encoding="utf-8")
    return path


def test_a_database_that_another_program_writes_is_not_waited_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says what to do; afterwards it gets its table."""
    monkeypatch.setattr(sqlite, "_WAITS_SECONDS", 0.05)
    target = tmp_path / "chunks.db"
    make_database(target)
    with closing(sqlite3.connect(target, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(errors.WriteFailedError, match="close it"), open_sink(target):
            pass
    with open_sink(target):
        pass
    assert read_sqlite(target) == []


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    """By name or by suffix, before anything is written."""
    for arguments in ((tmp_path / "chunks.xlsx",), (tmp_path / "chunks.jsonl", "xml")):
        with pytest.raises(errors.SettingsError), open_sink(*arguments):
            pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["jsonl", "sqlite"])
def test_memory_stays_the_same_however_many_chunks(suffix: str, tmp_path: Path) -> None:
    """Written as they come: ten times the chunks do not take more room."""

    def peak(count: int) -> int:
        chunk = cb.split(SEA)[0]
        tracemalloc.start()
        with open_sink(tmp_path / f"{count}.{suffix}") as write:
            for _ in range(count):
                write(chunk)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(10_000) < peak(1_000) + 100_000


def test_parquet_without_the_extra_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of the extra is in the sentence."""
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with (
        pytest.raises(errors.DependencyMissingError, match=r"cleanbreak\[parquet\]"),
        open_sink(tmp_path / "chunks.parquet"),
    ):
        pass
