"""Worlds that earlier versions wrote: they open, prove, resume and end in the same bytes.

``world_v1.json`` holds the files of a world as the first version left it when it was stopped: one
book complete, one begun, one stored and not cut. It is one file so that no checkout changes its
newlines.
"""

import json
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import HILL, SEA, TOWN, stored_text
from cleanbreak import errors

FILES = json.loads(Path(__file__).with_name("world_v1.json").read_text(encoding="utf-8"))

# The chains of the three books as the version that began them completed them.
CHAINS = (
    "5ba0fb13398f602155c70e8d09b915fb783755155189671d623b6973789e15ab",
    "b9bdd10f1a38137548ffb225022fad544784513d29d129afbb8bf71514d8c92f",
    "272e85afbc28476a831b3a26e6b8b2a457dc4b631624974b9d34caf7e22d43d7",
)


@pytest.fixture
def old(root: Path) -> cb.World:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return cb.World.open(root)


def test_it_opens_and_proves_as_it_is(old: cb.World, root: Path) -> None:
    """Nothing is written, and unfinished books are no problem."""
    assert [book.state for book in old.status().books] == ["complete", "partial", "waiting"]
    assert old.status().stages == {"chunks": "partial", "fulltext": "partial"}
    report = old.verify()
    assert (report.problems, report.books, report.chunks) == ((), 3, 8)
    assert {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} == {
        *FILES
    }


def test_it_resumes_to_the_bytes_that_its_own_version_would_have_written(
    old: cb.World, root: Path
) -> None:
    """Chunk for chunk, and what was there is not written again."""
    assert old.search("storm")  # of the book that is complete
    report = old.resume()
    assert report.state == "completed"
    assert [(b.book_number, b.chunks_written) for b in report.books] == [(2, 5), (3, 5)]
    for number, (chain, text) in enumerate(zip(CHAINS, (SEA, HILL, TOWN), strict=True), 1):
        manifest = json.loads((root / f"books/book-{number:04d}/manifest.json").read_bytes())
        assert chain == manifest["chunks_sha256"]
        assert text == stored_text(root, number)
    for name, text in FILES.items():
        if "/chunks/" in name:
            assert text.encode() == (root / name).read_bytes()
    assert json.loads((root / "world.json").read_bytes())["stages"] == ["chunks"]
    assert old.verify().ok
    assert old.search("bells")


def test_a_reingest_that_was_complete_and_not_swapped_in_is_finished(
    old: cb.World, root: Path
) -> None:
    """The first version wrote ``completed`` into the staging before the swap."""
    old.resume()
    with pytest.raises(errors.RunInterruptedError):
        old.reingest(settings={"chunk_size": 90}, stop=lambda: True)
    path = root / "staging/world.json"
    record = json.loads(path.read_bytes())
    record["run"]["state"] = "completed"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert old.resume().state == "completed"
    assert old.settings.settings["chunk_size"] == 90
    assert old.verify().ok
