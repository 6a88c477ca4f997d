"""Sentences against the treebank samples, where they are."""

import json
import re
import textwrap
from itertools import accumulate
from pathlib import Path

import pytest

from cleanbreak import sentences

MEAN_F1 = 96.0
"""Percent, over all treebanks: a floor under what is reached, to be raised with it."""
MEAN_F1_WRAPPED = 95.6


@pytest.mark.slow
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
