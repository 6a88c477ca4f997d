"""A manifest proves itself: what was altered in it counts as lost, and is made again."""

import json
from pathlib import Path

import pytest

import cleanbreak as cb

ALTERED = (
    {"text_sha256": "0" * 64},
    {"world_uuid": "another"},
    {"book_number": 2},
    {"total_chunks": 10_000},
    {"completed_chunks": 1},
    {"title": "Another title"},
    {"unknown": 1},
)


@pytest.mark.parametrize("change", ALTERED)
def test_an_altered_manifest_is_found_and_repaired(
    change: dict[str, object], world: cb.World, root: Path
) -> None:
    """What resume called complete, verify called broken, and search left out; for ever."""
    path = root / "books/book-0001/manifest.json"
    before = json.loads(path.read_bytes())
    path.write_text(json.dumps(before | change), encoding="utf-8")
    assert [problem.code for problem in world.verify().problems][:1] == ["MANIFEST_MALFORMED"]
    report = world.verify(repair=True)
    assert report.ok
    assert {hit.source_key for hit in world.search("storm")} == {"book-0001"}
    after = json.loads(path.read_bytes())
    assert [warning["code"] for warning in after.pop("warnings")] == ["MANIFEST_REBUILT"]
    assert after | {"warnings": [], "manifest_sha256": before["manifest_sha256"]} == before


def test_a_manifest_without_a_digest_is_read(world: cb.World, root: Path) -> None:
    """Earlier versions wrote none; the next write adds it."""
    path = root / "books/book-0001/manifest.json"
    manifest = json.loads(path.read_bytes())
    del manifest["manifest_sha256"]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    assert world.verify().ok
    assert world.resume().state == "completed"
