"""A folder of shards: every source once, whatever stops a run, for any number of workers."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.engines.files import LocalFile, distinct, list_remote
from cleanbreak.engines.shards import Event, ShardReport, in_processes, split_to_shards
from cleanbreak.errors import StateConflictError, WriteFailedError
from cleanbreak.export import places
from cleanbreak.export.shard_folder import SUMMARY, ShardFolder
from cleanbreak.export.shard_formats import SHARD_FORMATS
from cleanbreak.readers.listing import list_files

SPLITTER = cb.BoundarySplitter(60, 20, 0)
FORMATS = ["jsonl", "parquet"]


@pytest.fixture
def shelf(tmp_path) -> Path:
    """Nine books in two folders, two of one name and two of one text."""
    for folder in ("a", "b"):
        for number in range(4):
            path = tmp_path / "shelf" / folder / f"{number}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            text = f"Book {folder}{number}. " + "The sea was calm. Then it rose. " * (5 + number)
            path.write_text(text, encoding="utf-8")
    copy = tmp_path / "shelf" / "c.txt"
    copy.write_bytes((tmp_path / "shelf" / "a" / "1.txt").read_bytes())
    return tmp_path / "shelf"


def run(source: Path, output: object, file_format: str = "jsonl", **options: object) -> ShardReport:
    """One run over a folder of sources, with 10 rows a file."""
    overwrite = bool(options.pop("overwrite", False))
    splitter = options.pop("splitter", SPLITTER)
    suffix = SHARD_FORMATS[file_format].suffix
    folder = ShardFolder(
        output, splitter.recipe, file_format, suffix, reading={}, overwrite=overwrite
    )
    files = [LocalFile(file.path, file.relative) for file in list_files([source]).files]
    do = options.pop("do", in_processes(options.pop("workers", 0)))
    return split_to_shards(
        files, splitter, folder, file_format=file_format, rows_per_file=10, do=do, **options
    )


def contents(output: Path) -> dict[str, bytes]:
    """Every file but the summary, which holds the time that the run took."""
    return {
        path.relative_to(output).as_posix(): path.read_bytes()
        for path in sorted(output.rglob("*"))
        if path.is_file() and path.name != SUMMARY
    }


def rows(output: Path) -> list[dict[str, object]]:
    """All rows of a folder of JSON Lines."""
    parts = sorted(output.glob("part-*.jsonl"))
    return [json.loads(line) for part in parts for line in part.read_text("utf-8").splitlines()]


def texts(output: Path) -> dict[str, str]:
    """The text of each source, joined from its rows."""
    joined: dict[str, str] = {}
    for row in rows(output):
        joined[row["source_path"]] = joined.get(row["source_path"], "") + row["chunk_text"]
    return joined


def expected(shelf: Path) -> dict[str, str]:
    """The text of each file of the shelf."""
    return {p.relative_to(shelf).as_posix(): p.read_text("utf-8") for p in shelf.rglob("*.txt")}


def test_every_source_is_whole_in_one_file(shelf, tmp_path):
    """A file is finished with the source that fills it."""
    report = run(shelf, tmp_path / "out")
    assert texts(tmp_path / "out") == expected(shelf)
    files = sorted((tmp_path / "out").glob("part-*.jsonl"))
    held = [{json.loads(line)["source_path"] for line in f.read_text().splitlines()} for f in files]
    assert len(files) == report.files > 2
    assert sum(map(len, held)) == len(set().union(*held)) == 9
    assert all(len(f.read_text().splitlines()) >= 10 for f in files[:-1])
    summary = json.loads((tmp_path / "out" / SUMMARY).read_text())
    assert summary["state"] == "complete"
    assert summary["sources"]["read"] == 9
    assert summary["chunks"] == len(rows(tmp_path / "out"))


@pytest.mark.slow
@pytest.mark.parametrize("file_format", FORMATS)
def test_the_folder_is_the_same_for_any_number_of_workers(shelf, tmp_path, file_format):
    """Byte for byte."""
    run(shelf, tmp_path / "one", file_format, workers=0)
    run(shelf, tmp_path / "two", file_format, workers=3)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_parquet_holds_the_rows_of_json_lines(shelf, tmp_path):
    """And is read as one data set, without our own files."""
    from pyarrow import dataset

    run(shelf, tmp_path / "lines")
    run(shelf, tmp_path / "columns", "parquet")
    found = dataset.dataset(tmp_path / "columns", format="parquet").to_table().to_pylist()
    assert found == rows(tmp_path / "lines")


def test_a_second_run_reads_nothing(shelf, tmp_path):
    """And changes nothing."""
    run(shelf, tmp_path / "out")
    before = contents(tmp_path / "out")
    report = run(shelf, tmp_path / "out")
    assert (report.read, report.kept) == (0, 9)
    assert contents(tmp_path / "out") == before


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_run_killed_at_any_step_is_completed_by_the_next(
    shelf, tmp_path, monkeypatch, file_format
):
    """To the very same files: nothing is lost, and nothing is there twice."""
    run(shelf, tmp_path / "whole", file_format)
    steps = 0
    limit = [10**9]

    def counted(name):
        original = getattr(places.LocalPlace, name)

        def step(*arguments):
            nonlocal steps
            steps += 1
            if steps > limit[0]:
                raise Killed
            return original(*arguments)

        monkeypatch.setattr(places.LocalPlace, name, step)

    for name in ("write", "put", "remove"):
        counted(name)
    run(shelf, tmp_path / "counted", file_format)
    total = steps
    assert total > 6
    for stop in range(total):
        output = tmp_path / f"killed-{stop}"
        steps, limit[0] = 0, stop
        with pytest.raises(Killed):
            run(shelf, output, file_format)
        limit[0] = 10**9
        assert run(shelf, output, file_format).state == "complete"
        assert contents(output) == contents(tmp_path / "whole"), stop


@pytest.mark.slow
def test_a_killed_process_loses_nothing(shelf, tmp_path):
    """With workers, at moments that chance chooses."""
    for number in range(150):
        text = f"Book {number}. " + "The wind blew from the west. " * 400
        (shelf / f"more-{number}.txt").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "cleanbreak", "split", str(shelf), "-o", "out/"]
    command += ["--format", "jsonl", "--rows-per-file", "300", "--workers", "2"]
    chance = random.Random(7)
    for _ in range(6):
        process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.4, 1.4))
        process.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        process.wait()
    subprocess.run(command, cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    assert texts(tmp_path / "out") == expected(shelf)
    subprocess.run(
        [*command[:5], "-o", "again/", *command[7:]],
        cwd=tmp_path,
        check=True,
        stderr=subprocess.DEVNULL,
    )
    assert contents(tmp_path / "out") == contents(tmp_path / "again")


def test_ctrl_c_keeps_what_was_cut(shelf, tmp_path):
    """The file that was open is finished; the next run goes on after it."""
    seen: list[Event] = []

    def stop_at_the_fourth(event):
        seen.append(event)
        if len([each for each in seen if each.kind == "read"]) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(shelf, tmp_path / "out", on_event=stop_at_the_fourth)
    assert json.loads((tmp_path / "out" / SUMMARY).read_text())["state"] == "stopped"
    report = run(shelf, tmp_path / "out")
    assert (report.kept, report.read) == (4, 5)
    assert texts(tmp_path / "out") == expected(shelf)


def test_a_changed_source_is_cut_again(shelf, tmp_path):
    """With those that share its file; no row of the old text stays."""
    run(shelf, tmp_path / "out")
    (shelf / "a" / "2.txt").write_text("All new.", encoding="utf-8")
    report = run(shelf, tmp_path / "out")
    assert 1 <= report.read < 9
    assert texts(tmp_path / "out") == expected(shelf)


def test_a_failed_source_is_in_the_summary_and_tried_again(shelf, tmp_path):
    """The others go on."""
    (shelf / "bad.pdf").write_bytes(b"no PDF")
    report = run(shelf, tmp_path / "out")
    assert report.failed["bad.pdf"]["code"] == "SOURCE_MALFORMED"
    assert report.read == 9
    summary = json.loads((tmp_path / "out" / SUMMARY).read_text())
    assert summary["failed"].keys() == {"bad.pdf"}
    (shelf / "bad.pdf").unlink()
    (shelf / "bad.txt").write_text("Good now.", encoding="utf-8")
    report = run(shelf, tmp_path / "out")
    assert (report.read, len(report.failed)) == (1, 0)


def test_duplicates_are_left_out_on_request(shelf, tmp_path):
    """The first is kept; a second run knows it still."""
    report = run(shelf, tmp_path / "out", skip_duplicates=True)
    assert report.duplicates == {"c.txt": "a/1.txt"}
    wanted = expected(shelf)
    del wanted["c.txt"]
    assert texts(tmp_path / "out") == wanted
    assert run(shelf, tmp_path / "out", skip_duplicates=True).kept == 9


def test_other_settings_are_refused_until_started_again(shelf, tmp_path):
    """Rows of two recipes in one folder would mislead."""
    run(shelf, tmp_path / "out")
    other = cb.BoundarySplitter(80, 20, 0)
    with pytest.raises(StateConflictError, match="--overwrite"):
        run(shelf, tmp_path / "out", splitter=other)
    run(shelf, tmp_path / "out", splitter=other, overwrite=True)
    run(shelf, tmp_path / "fresh", splitter=other)
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")


def test_a_folder_of_somebody_else_is_left_alone(shelf, tmp_path):
    """Also with overwrite."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "part-00001.jsonl").write_text("diary")
    for overwrite in (False, True):
        with pytest.raises(WriteFailedError, match="did not write"):
            run(shelf, mine, overwrite=overwrite)
    assert (mine / "part-00001.jsonl").read_text() == "diary"


def test_a_damaged_record_is_our_error(shelf, tmp_path):
    """And names the folder, not its path."""
    run(shelf, tmp_path / "out")
    record = tmp_path / "out" / "_cleanbreak" / "part-00001.json"
    record.write_bytes(record.read_bytes()[:20])
    with pytest.raises(WriteFailedError, match="damaged") as caught:
        run(shelf, tmp_path / "out")
    assert str(tmp_path) not in str(caught.value)


def test_files_of_one_relative_path_get_paths_of_their_own(tmp_path):
    """Two folders are named, and each has an `x.txt`."""
    files = [LocalFile(tmp_path / name / "x.txt", "x.txt") for name in ("a", "b", "c")]
    assert [file.relative for file in distinct(files)] == ["x.txt", "b/x.txt", "c/x.txt"]


def test_a_folder_on_another_file_system(shelf, tmp_path):
    """By the addresses of fsspec; the files are those of a local folder."""
    fsspec = pytest.importorskip("fsspec")
    address = f"memory://{tmp_path.name}/out"
    run(shelf, address)
    assert run(shelf, address).kept == 9
    run(shelf, tmp_path / "out")
    system = fsspec.filesystem("memory")
    root = f"/{tmp_path.name}/out"
    held = {path[len(root) + 1 :]: system.cat_file(path) for path in system.find(root)}
    held.pop(SUMMARY)
    assert held == contents(tmp_path / "out")


def test_sources_of_another_file_system(shelf, tmp_path):
    """Give the rows of the same files on this machine."""
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    root = f"/in-{tmp_path.name}"
    for path, text in expected(shelf).items():
        system.pipe_file(f"{root}/{path}", text.encode())
    system.pipe_file(f"{root}/picture.jpg", b"no text")
    system.pipe_file(f"{root}/.hidden/x.txt", b"hidden")
    folder = ShardFolder(tmp_path / "out", SPLITTER.recipe, "jsonl", ".jsonl", reading={})
    files = list_remote(f"memory:/{root}", "boundary")
    split_to_shards(
        files, SPLITTER, folder, file_format="jsonl", rows_per_file=10, do=in_processes(0)
    )
    assert texts(tmp_path / "out") == expected(shelf)
    run(shelf, tmp_path / "local")
    assert contents(tmp_path / "out") == contents(tmp_path / "local")


def test_an_address_of_an_unknown_kind_is_our_error(shelf):
    """With the kinds that are known."""
    with pytest.raises(cb.CleanbreakError, match="s3://"):
        run(shelf, "nowhere://bucket/out")
