"""Sentences and clauses against the shared cases and the treebank samples, where they are."""

import json
import re
import textwrap
from itertools import accumulate
from pathlib import Path

from cleanbreak import clauses, sentences

MEAN_F1 = 96.0
"""Percent, over all treebanks."""
MEAN_F1_WRAPPED = 93.0


def test_shared_cases(shared: Path) -> None:
    """Each lists the sentences of a text, or its clauses, exactly."""
    lines = (shared / "cases" / "splitting.jsonl").read_text(encoding="utf-8").splitlines()
    checked = 0
    for case in map(json.loads, lines):
        text, check = case["input"], case["check"]
        if expected := check.get("sentences"):
            for language in (case["settings"]["lang"], "auto"):
                spans = sentences(text, language)
                assert expected == [text[start:end].strip() for start, end in spans], case["id"]
        elif expected := check.get("clauses"):
            assert expected == [text[start:end] for start, end in clauses(text)], case["id"]
        else:
            continue
        checked += 1
    assert checked


def test_treebanks(shared: Path) -> None:
    """The mean F1 stays at the floor, on the text as it is and hard-wrapped at 70 columns."""
    plain, wrapped = [], []
    for path in sorted((shared / "gold").glob("*.json")):
        gold = json.loads(path.read_text(encoding="utf-8"))
        text = gold["text"]
        expected = places(text, gold["boundaries"])
        given = places(text, [match.start() for match in re.finditer(r"\n\s*\n", text)])
        given |= places(text, [len(text)])
        paragraphs = re.split(r"\n\s*\n", text)
        narrow = "\n\n".join(textwrap.fill(p, 70, break_on_hyphens=False) for p in paragraphs)
        for scores, form in ((plain, text), (wrapped, narrow)):
            found = places(form, [end for _, end in sentences(form)])
            scores.append(f1(expected - given, found - given))
    assert sum(plain) / len(plain) >= MEAN_F1
    assert sum(wrapped) / len(wrapped) >= MEAN_F1_WRAPPED


def places(text: str, offsets: list[int]) -> set[int]:
    """Offsets as counts of the characters before them that are not white space."""
    before = [0, *accumulate(not character.isspace() for character in text)]
    return {before[offset] for offset in offsets}


def f1(expected: set[int], found: set[int]) -> float:
    """Percent."""
    return 200 * len(expected & found) / (len(expected) + len(found))
