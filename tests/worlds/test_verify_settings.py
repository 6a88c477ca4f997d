"""A book that was cut with other settings than the world's is a problem that verify names."""

import json
from pathlib import Path

import cleanbreak as cb


def test_a_world_whose_locked_settings_were_changed_by_hand(world: cb.World, root: Path) -> None:
    """Each book is named; its files are as they were, so nothing else is wrong with it."""
    path = root / "world.json"
    record = json.loads(path.read_bytes())
    record["settings"]["settings"]["chunk_size"] += 1
    path.write_text(json.dumps(record), encoding="utf-8")
    found = cb.World.open(root).verify().problems
    assert [(problem.code, problem.book_number) for problem in found] == [
        ("SETTINGS_DIFFER", number) for number in (1, 2, 3)
    ]


def test_a_world_with_its_own_settings_has_no_such_problem(world: cb.World) -> None:
    """The counterpart: the same check passes on an untouched world."""
    assert not world.verify().problems
