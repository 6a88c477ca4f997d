"""Small books and worlds for the tests of worlds."""

import json
from pathlib import Path

import pytest

from cleanbreak.worlds import world
from cleanbreak.worlds.stages.chunks import Chunks
from cleanbreak.worlds.stages.stage import check_stages

SETTINGS = {"chunk_size": 40, "max_lookback": 20, "overlap_size": 10}
SEA = "The sea was calm. Then the storm came, and no ship was left. Ünïcode 👩‍👧 holds.\n\n" * 6
HILL = "Up the hill they went. The hill was high; the way was long, and no one spoke.\n" * 7
TOWN = "A town of stone lay by the river. Its bells rang at noon.\n\nNobody heard them.\n" * 5


def write_books(folder: Path, **texts: str) -> list[Path]:
    """Files `name`.txt with these texts; three short books if none are given."""
    folder.mkdir(parents=True, exist_ok=True)
    books = []
    for name, text in (texts or {"sea": SEA, "hill": HILL, "town": TOWN}).items():
        path = folder / f"{name}.txt"
        path.write_text(text, encoding="utf-8", newline="")
        books.append(path)
    return books


def stored_text(root: Path, book_number: int) -> str:
    """A book's text as its chunk files hold it."""
    folder = root / "books" / f"book-{book_number:04d}" / "chunks"
    return "".join(json.loads(path.read_bytes())["chunk_text"] for path in sorted(folder.iterdir()))


def record_of(root: Path) -> dict[str, bytes]:
    """Every file of the record; ids and times of runs, and what only says who writes, left out."""
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and not path.name.startswith(
            ("index.sqlite", "vectors.sqlite", "world.lock", "world.holder")
        )
    }
    if "world.json" in files:
        world = json.loads(files["world.json"])
        run = world.pop("run")
        del world["created_at"]
        state = {"kind": run["kind"], "state": run["state"], "books": run["books"]} if run else None
        files["world.json"] = json.dumps([world, state]).encode()
    return files


def without_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds opened from here on have no full text, for tests of the files alone."""
    monkeypatch.setattr(
        world, "every_stage", lambda given, recorded: (Chunks(), *check_stages(given, recorded))
    )
