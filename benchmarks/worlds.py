"""Worlds: what durability, proof and an index cost over the bare writing of the same files.

Every figure is a ratio or a bound from one run. Wall time, as most of it is the disk's; the two
sides of a ratio take turns and the best of each counts.
"""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import cleanbreak as cb
from cleanbreak.storage.files import Files
from cleanbreak.worlds import world as worlds
from cleanbreak.worlds.stages.chunks import Chunks

CORPUS = Path(__file__).parents[1] / "../shared/corpus/txt"
SAMPLES = Path(__file__).parents[1] / "samples"
ROUNDS = 3


def main() -> None:
    """Print all four tables."""
    with TemporaryDirectory(prefix="cleanbreak-bench-") as name:
        folder = Path(name)
        ingest_against_a_plain_loop(folder)
        a_hundred_books(folder)
        resume_of_many_chunks(folder)
        peak_memory(folder)


def cost(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU seconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


@contextmanager
def no_index() -> Iterator[None]:
    """Leave the index out, which a plain loop does not write, of worlds that are opened meanwhile."""
    every_stage, worlds.every_stage = worlds.every_stage, lambda *_: (Chunks(),)
    try:
        yield
    finally:
        worlds.every_stage = every_stage


# --- ingest --------------------------------------------------------------------------------------


def books() -> list[Path]:
    """A book of the corpus, else the sample."""
    found = sorted(CORPUS.glob("*_en.txt"))[1:2] if CORPUS.is_dir() else []
    return found or [SAMPLES / "the-keeper-of-sand-point.txt"]


def ingest_against_a_plain_loop(folder: Path) -> None:
    """The world's files again, by the plainest loop that is as durable."""
    model, root, plain = folder / "model", folder / "world", folder / "plain"
    world = cb.World.create(model, name="model")
    world.ingest(books())
    contents = [
        (path.relative_to(model), path.read_bytes())
        for path in sorted(model.rglob("*"))
        if path.is_file() and path.suffix in (".json", ".txt")
    ]

    def ours() -> None:
        cb.World.create(root).ingest(books())

    def without_index() -> None:
        with no_index():
            ours()

    works = {
        "plain": lambda: write_plainly(plain, contents),
        "the same work, plainly": lambda: make_plainly(plain, contents),
        "the same work with an index, plainly": lambda: make_plainly(plain, contents, index=True),
        "read, cut, proved, stored": without_index,
        "and indexed": ours,
    }
    best: dict[str, tuple[float, ...]] = {}
    for _ in range(ROUNDS):
        for kind, work in works.items():
            spent = cost(work)
            best[kind] = tuple(map(min, best.get(kind, spent), spent))
            shutil.rmtree(root, ignore_errors=True)
            shutil.rmtree(plain, ignore_errors=True)
    chunks = sum(path.parent.name == "chunks" for path, _ in contents)
    wall, cpu = best["plain"]
    print(f"ingest of {len(books())} books, {chunks:,} chunks; plain loop {chunks / wall:,.0f}/s")
    for kind, (its_wall, its_cpu) in best.items():
        print(f"  {kind}: {its_wall / wall:.2f}x the plain loop (CPU {its_cpu / cpu:.2f}x)")
    for ours_is, theirs_is in (
        ("read, cut, proved, stored", "the same work, plainly"),
        ("and indexed", "the same work with an index, plainly"),
    ):
        ratio = best[ours_is][0] / best[theirs_is][0]
        print(f"  {ours_is}: {ratio:.2f}x {theirs_is}")


def write_plainly(root: Path, contents: list[tuple[Path, bytes]]) -> None:
    """Bytes that are ready, in groups of one folder, and after each group the book's manifest.

    No planning, reading, cutting, hashing or proving; only the order of writing is the world's, as
    what is acknowledged must be as durable.
    """
    files = Files()
    manifests = {path.parent: data for path, data in contents if path.name == "manifest.json"}
    folders: dict[Path, list[tuple[Path, bytes]]] = {}
    for path, data in contents:
        folders.setdefault(path.parent, []).append((root / path, data))
    for folder, targets in folders.items():
        files.make_folder(root / folder)
        for at in range(0, len(targets), files.group_size):
            files.write_group(targets[at : at + files.group_size])
            if folder.name == "chunks":
                files.write(root / folder.parent / "manifest.json", manifests[folder.parent])


def make_plainly(root: Path, contents: list[tuple[Path, bytes]], *, index: bool = False) -> None:
    """The records made as a short script makes them: read, cut, JSON with a digest, written durably.

    With an index also a full text of the chunks, filled at once.
    """
    others = [(path, data) for path, data in contents if path.parent.name != "chunks"]
    (folder,) = {path.parent for path, _ in contents if path.parent.name == "chunks"}
    rows, made = [], []
    for chunk in cb.BoundarySplitter().stream(cb.read(books()[0])):
        text = json.dumps(chunk.as_dict(), ensure_ascii=False)
        digest = hashlib.sha256(text.encode()).hexdigest()
        record = f'{text[:-1]}, "record_sha256": "{digest}"}}\n'
        made.append((folder / f"{chunk.number:06d}.json", record.encode()))
        rows.append((chunk.number, chunk.start, chunk.end, chunk.text))
    write_plainly(root, [*others, *made])
    if not index:
        return
    database = sqlite3.connect(root / "index.sqlite")
    database.execute("PRAGMA journal_mode = wal")
    database.execute("CREATE TABLE chunks (id INTEGER PRIMARY KEY, first INT, last INT, text TEXT)")
    database.execute(
        "CREATE VIRTUAL TABLE found USING fts5(text, content = 'chunks', content_rowid = 'id')"
    )
    with database:
        database.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?)", rows)
        database.execute("INSERT INTO found (rowid, text) SELECT id, text FROM chunks")
    database.close()


# --- many books ----------------------------------------------------------------------------------


def a_hundred_books(folder: Path) -> None:
    """One ingest a book: the hundredth costs what the first did."""
    text = books()[0].read_text(encoding="utf-8-sig")[:100_000]
    root = folder / "hundred"
    world = cb.World.create(root)
    times = []
    for number in range(100):
        book = folder / f"book {number}.txt"
        book.write_text(f"{number}\n{text}", encoding="utf-8")
        start = time.process_time()
        world.ingest(book)
        times.append(time.process_time() - start)
    first, last = sorted(times[:20])[10], sorted(times[-20:])[10]
    print(f"100 books, one ingest each: the last cost {last / first:.2f}x the first (CPU, medians)")
    shutil.rmtree(root)


# --- many chunks ---------------------------------------------------------------------------------


def resume_of_many_chunks(folder: Path) -> None:
    """A complete world of 50,000 chunks: nothing is rewritten, and every byte is read once at most."""
    book = folder / "many.txt"
    book.write_text(("A line of a long book that goes on and on for a while yet.\n" * 40) * 1250)
    root = folder / "many"
    with no_index():
        world = cb.World.create(root, settings={"chunk_size": 60, "overlap_size": 20})
        world.ingest(book)
        before = newest(root)
        trusting, _ = cost(lambda: world.resume(trust_files=True))
        reading, _ = cost(lambda: read_all(root))
        proving, _ = cost(world.resume)
    rewritten = newest(root) != before
    chunks = world.status().chunks
    print(f"resume of a complete world of {chunks:,} chunks: rewritten: {rewritten}")
    print(f"  --trust-files: {trusting:.2f} s (at most 2)")
    print(f"  by digest:     {proving:.2f} s, {proving / reading:.1f}x reading the bytes once")
    shutil.rmtree(root)


def newest(root: Path) -> int:
    """When the last of its files was written."""
    return max(path.stat().st_mtime_ns for path in root.rglob("*.json"))


def read_all(root: Path) -> int:
    """Every chunk file, once."""
    return sum(len(path.read_bytes()) for path in root.glob("books/*/chunks/*.json"))


# --- memory --------------------------------------------------------------------------------------

_CHILD = """
import resource, sys
from pathlib import Path
import cleanbreak as cb
book, root, what = sys.argv[1:]
if what == "read":
    cb.read(book)
elif what == "ingest":
    cb.World.create(root, settings={"chunk_size": 4000}).ingest(book)
status = Path("/proc/self/status")
if status.exists():  # ru_maxrss starts from that of the parent here
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    print(peak.split()[1])
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_memory(folder: Path) -> None:
    """Of a child that ingests a large text, beside one that only reads it."""
    book = folder / "large.txt"
    book.write_text("A line of a long book that goes on and on for a while yet.\n" * 700_000)
    megabytes = book.stat().st_size / 1e6
    peaks = {}
    for what in ("start", "read", "ingest"):
        command = [sys.executable, "-c", _CHILD, str(book), str(folder / "memory"), what]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks[what] = int(done.stdout) * (1 if sys.platform == "darwin" else 1024) / 1e6
    over = peaks["ingest"] - megabytes
    print(
        f"peak memory for a text of {megabytes:.0f} MB: {peaks['ingest']:.0f} MB, which is the text"
    )
    print(
        f"  plus {over:.0f} MB (starting alone: {peaks['start']:.0f}, reading: {peaks['read']:.0f})"
    )


if __name__ == "__main__":
    main()
