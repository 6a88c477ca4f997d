"""Small vaults with right answers, which lie beside the project: one test a case.

A case listed in `pending.VAULTS` does not hold yet; the list is strict, so whoever makes one hold
takes it out.
"""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cleanbreak as cb
from notes import write_notes
from pending import VAULTS, marks

FILE = Path(__file__).parents[2].parent / "shared" / "cases" / "vaults.jsonl"
LINES = FILE.read_text("utf-8").splitlines() if FILE.is_file() else []
CASES = [json.loads(line) for line in LINES]


@pytest.mark.usefixtures("shared")
def test_the_cases_are_here() -> None:
    """A file of cases that is found is not found empty, and the pending ones are among them."""
    assert len(CASES) > 60
    assert {case["id"] for case in CASES} >= set(VAULTS)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case["id"], marks=marks(VAULTS, case["id"])) for case in CASES],
)
def test_vault(case: dict[str, Any], tmp_path: Path) -> None:
    files = {name: _bytes(content) for name, content in case["files"].items()}
    with cb.Vault.index(write_notes(tmp_path / "vault", files)) as vault:
        for question, right in case["right"].items():
            if isinstance(right, dict):
                for asked, expected in right.items():
                    assert ANSWERS_TO[question](vault, asked) == expected, asked
            else:
                assert sorted(ANSWERS[question](vault), key=str) == sorted(right, key=str), question


def _bytes(content: str | dict[str, str]) -> str | bytes:
    return content if isinstance(content, str) else base64.b64decode(content["base64"])


ANSWERS: dict[str, Callable[[cb.Vault], list[Any]]] = {
    "links": lambda vault: [[link.source, _written(link), link.path] for link in vault.links()],
    "tags": lambda vault: [use.tag for use in vault.tags()],
    "notes": lambda vault: vault.notes(),
    "orphans": lambda vault: vault.orphans(),
    "problems": lambda vault: [list(problem) for problem in vault.report.problems],
}
ANSWERS_TO: dict[str, Callable[[cb.Vault, str], list[str]]] = {
    "search": lambda vault, query: [hit.source_key for hit in vault.search(query)],
    "backlinks": lambda vault, note: [link.source for link in vault.backlinks(note)],
}


def _written(link: Any) -> str:
    return link.target + (f"#{link.fragment}" if link.fragment else "")
