"""Sinks: chunks written as they are cut, all or nothing."""

import json
import sqlite3
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import cleanbreak as cb
from bookshelf import SEA
from cleanbreak import errors
from cleanbreak.core.record import chunk_record
from cleanbreak.export import sinks

Rows = list[dict[str, Any]]


def read_jsonl(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_sqlite(path: Path) -> Rows:
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        rows = [dict(row) for row in connection.execute("SELECT * FROM chunks ORDER BY rowid")]
    connection.close()
    for row in rows:
        row["sections"] = json.loads(row["sections"])
        row["oversize"] = bool(row["oversize"])
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
        cb.Section("heading", "Sea", 1, cb.Span(50, len(SEA))),
    )
    return cb.Document(SEA, sections)


@pytest.mark.parametrize("suffix", READERS)
def test_what_is_written_is_what_was_cut(suffix: str, tmp_path: Path) -> None:
    """Every field of every chunk, in order, from two sources."""
    target = tmp_path / f"chunks.{suffix}"
    chunks = cb.split(document(), chunk_size=60)
    with sinks.open_sink(target) as write:
        for name in ("a.txt", "b.txt"):
            for chunk in chunks:
                write(name, chunk)
        assert not target.exists()
    expected = [
        {"source_filename": name, **chunk_record(chunk)}
        for name in ("a.txt", "b.txt")
        for chunk in chunks
    ]
    assert expected == READERS[suffix](target)
    assert [target] == list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", READERS)
def test_a_failure_leaves_the_old_file(suffix: str, tmp_path: Path) -> None:
    """Whatever goes wrong while cutting, the target is as it was and nothing is left beside it."""
    target = tmp_path / f"chunks.{suffix}"
    target.write_text("old")

    def fail_midway() -> None:
        with sinks.open_sink(target) as write:
            write("a.txt", cb.split(SEA)[0])
            raise errors.SplitError("stopped")

    with pytest.raises(errors.SplitError):
        fail_midway()
    assert target.read_text() == "old"
    assert [target] == list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", READERS)
def test_no_chunks_give_an_empty_file_of_the_kind(suffix: str, tmp_path: Path) -> None:
    """A blank document has none, and that is no error."""
    target = tmp_path / f"chunks.{suffix}"
    with sinks.open_sink(target):
        pass
    assert READERS[suffix](target) == []


@pytest.mark.parametrize("suffix", READERS)
def test_a_place_that_cannot_be_written(suffix: str, tmp_path: Path) -> None:
    """One error of ours, without the folder."""
    target = tmp_path / "secret-folder" / f"chunks.{suffix}"
    with pytest.raises(errors.WriteFailedError) as caught, sinks.open_sink(target):
        pass
    assert "secret-folder" not in str(caught.value)


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    """By name or by suffix, before anything is written."""
    for arguments in ((tmp_path / "chunks.xlsx",), (tmp_path / "chunks.jsonl", "xml")):
        with pytest.raises(errors.SettingsError), sinks.open_sink(*arguments):
            pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["jsonl", "sqlite"])
def test_memory_stays_the_same_however_many_chunks(suffix: str, tmp_path: Path) -> None:
    """Written as they come: ten times the chunks do not take more room."""

    def peak(count: int) -> int:
        chunk = cb.split(SEA)[0]
        tracemalloc.start()
        with sinks.open_sink(tmp_path / f"{count}.{suffix}") as write:
            for _ in range(count):
                write("a.txt", chunk)
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
        sinks.open_sink(tmp_path / "chunks.parquet"),
    ):
        pass
