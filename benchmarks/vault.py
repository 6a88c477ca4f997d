"""Indexing a vault: the first run against what it must do, and the next when nothing changed."""

import sqlite3
import tempfile
from pathlib import Path

from benchmarks.timing import SHARED, best_seconds, print_table
from cleanbreak import MarkdownSplitter, Vault
from cleanbreak.core.markdown.parser import inlines


def main() -> None:
    """Print both tables, for the public vaults or, without them, for notes made up here."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        notes = SHARED / "corpus/md"
        if not notes.is_dir():
            notes = made_up(work / "notes")
        first_run(notes, work)
        next_runs(notes, work / "index.sqlite")


def made_up(folder: Path) -> Path:
    folder.mkdir()
    for number in range(1_500):
        lines = [f"# Note {number}\n\nSee [[Note {number // 2}]]. #tag{number % 50}\n"]
        lines += [f"\n## Part {part}\n\n{'Some words to be found. ' * 30}\n" for part in range(5)]
        (folder / f"Note {number}.md").write_text("".join(lines), encoding="utf-8")
    return folder


def first_run(notes: Path, work: Path) -> None:
    paths = sorted(notes.rglob("*.md"))
    texts = [path.read_bytes().decode("utf-8", "replace") for path in paths]
    splitter = MarkdownSplitter()
    chunks = [(chunk.text, str(chunk.heading_path)) for t in texts for chunk in splitter.split(t)]
    read = best_seconds(lambda: [path.read_bytes() for path in paths])
    parse = best_seconds(lambda: [(splitter.split(text), list(inlines(text))) for text in texts])
    insert = best_seconds(lambda: raw_inserts(work / "raw.sqlite", chunks))
    ours = best_seconds(lambda: first_index(notes, work / "index.sqlite"))
    floor = read + parse + insert
    print_table(
        f"First index of {len(paths):,} notes, {len(chunks):,} chunks: CPU seconds",
        ("what", "seconds", "times the floor"),
        [
            ("read the files", f"{read:.2f}", ""),
            ("parse: cut them, find links and prose", f"{parse:.2f}", ""),
            ("raw FTS5 inserts of text and headings", f"{insert:.2f}", ""),
            ("all three: the floor", f"{floor:.2f}", "1.0"),
            ("Vault.index", f"{ours:.2f}", f"{ours / floor:.1f}"),
        ],
    )


def first_index(notes: Path, path: Path) -> None:
    path.unlink(missing_ok=True)
    Vault.index(notes, db=path).close()


def raw_inserts(path: Path, chunks: list[tuple[str, str]]) -> None:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE VIRTUAL TABLE raw USING fts5 (text, headings, tokenize = 'unicode61')"
    )
    connection.executemany("INSERT INTO raw VALUES (?, ?)", chunks)
    connection.commit()
    connection.close()


def next_runs(notes: Path, index: Path) -> None:
    Vault.index(notes, db=index).close()  # trusts the times of files that were new just now
    unchanged = best_seconds(lambda: Vault.index(notes, db=index).close(), rounds=5)
    with Vault.open(notes, db=index) as vault:
        stats = best_seconds(vault.stats)
    print_table(
        "When nothing changed: CPU milliseconds",
        ("what", "milliseconds"),
        [
            ("Vault.index, opening and checking all notes", f"{unchanged * 1000:.0f}"),
            ("Vault.stats", f"{stats * 1000:.0f}"),
        ],
    )


if __name__ == "__main__":
    main()
