"""Hyphens at line ends: whether a word was broken there, or is written with a hyphen.

The rules, the first that applies deciding:

1. The document has the joined form elsewhere ("information"): joined.
2. It has the hyphenated form ("long-term"): the hyphen stays.
3. The second half is a conjunction ("vracht- en verzendkosten"): the hyphen stays, and a space.
4. A half is not all letters, or the second alone has a capital: the hyphen stays.
5. The second half is an ending ("-ness"): joined.
6. The first half mostly takes a hyphen ("self-"), or the second does ("-minded"): it stays.
7. What rules 1 and 2 mostly found in this document; without a majority, joined.

Rule 7 tells typesetters' files, which break words anywhere, from those of word processors, which
by default break none. That both halves are words of the document tells little: in a book set by
TeX it is true of a tenth of the words that were joined by rule 1 ("some-one", "graph-ical").
"""

import re
from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from cleanbreak.readers.pdf.page import BREAK

_AROUND = [
    ("", after) for after in ("", ",", ".", ";", ":", "?", "!", ")", "’s", "”", ",”", ".”", '"')
]
# Punctuation that a word may have about it. Trying it is faster than finding every word.
_AROUND += [("“", ""), ("(", ""), ('"', ""), ("“", "”"), ("(", ")"), ('"', '"')]
_TAIL = re.compile(r"[^\W\d_]+$")
_HEAD = re.compile(r"[^\W\d_]+")
# Letters looked at on either side; no half of a word is longer.
_LONGEST = 64


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# What follows a hyphen that stands for the rest of a word: English, German, Dutch and others.
_CONJUNCTIONS = _words("and or und oder en of et ou och eller og ja tai")
_ENDINGS = _words(
    "able age al dom ed en er est ful fully hood ible ing ish ity less ly ment ness ship teen th tion "
    "tions ty ward wards"
)
# First parts that in English mostly take a hyphen.
_FIRST = _words(
    "cost cross eight eighty ever fifty five forty four full good half hard high ill long low nine "
    "ninety old one price quasi self semi seven seventy short six sixty ten thirty three twenty two "
    "ultra user well"
)
# Last parts of which the same is true.
_LAST = _words(
    "aged based born bred century coloured dependent determining driven edged eyed faced fashioned "
    "fifths footed friendly haired handed headed hearted known law legged looking mannered minded "
    "natured old oriented prone rated related rich shaped sized speaking specific spoken term thirds "
    "winning worn year"
)


class Resolved(NamedTuple):
    """A text without `BREAK`, and how offsets moved."""

    text: str
    places: list[int]
    moved: list[int]
    """By how much what stands after each place moved, all before it counted in."""

    def offset(self, offset: int) -> int:
        """Where an offset of the unresolved text is now."""
        number = bisect_left(self.places, offset)
        return offset + (self.moved[number - 1] if number else 0)


def resolve(text: str) -> Resolved:
    r"""The text with each `BREAK` gone or a hyphen again.

    >>> resolve("more infor\ufffemation is information").text
    'more information is information'
    """
    places = [match.start() for match in re.finditer(BREAK, text)]
    if not places:
        return Resolved(text, [], [])
    vocabulary = frozenset(text.split())
    breaks = [_halves(text, place) for place in places]
    seen = [_seen(*halves, vocabulary) for halves in breaks]
    habit = "-" if seen.count("-") > seen.count("") else ""
    hyphens = [
        _guess(*halves, habit) if found is None else found
        for halves, found in zip(breaks, seen, strict=True)
    ]
    pieces = text.split(BREAK)
    whole = "".join(piece + hyphen for piece, hyphen in zip(pieces, [*hyphens, ""], strict=True))
    return Resolved(whole, places, list(accumulate(len(hyphen) - 1 for hyphen in hyphens)))


def _halves(text: str, place: int) -> tuple[str, str]:
    """The letters before and after the `BREAK` at `place`."""
    tail = _TAIL.search(text, max(0, place - _LONGEST), place)
    head = _HEAD.match(text, place + 1, place + 1 + _LONGEST)
    return tail[0] if tail else "", head[0] if head else ""


def _seen(left: str, right: str, vocabulary: frozenset[str]) -> str | None:
    """What the document writes elsewhere; None if it has neither form."""
    if left and right and _stands(left + right, vocabulary):
        return ""
    return "-" if _stands(f"{left}-{right}", vocabulary) else None


def _stands(word: str, vocabulary: frozenset[str]) -> bool:
    lower = word.lower()
    return any(
        before + form + after in vocabulary
        for form in {lower, word, lower.capitalize()}
        for before, after in _AROUND
    )


def _guess(left: str, right: str, habit: str) -> str:
    """What mostly stands between such halves."""
    one, two = left.lower(), right.lower()
    if two in _CONJUNCTIONS and len(one) > 2:
        return "- "
    if not one or not two or (right[0].isupper() and not left.isupper()):
        return "-"
    if two in _ENDINGS:
        return ""
    return "-" if one in _FIRST or two in _LAST else habit
