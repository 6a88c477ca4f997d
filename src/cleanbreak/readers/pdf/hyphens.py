"""Hyphens at line ends: whether the word was broken there, or is written with a hyphen.

The first rule that applies decides:

1. The document has the joined form elsewhere ("information"): joined.
2. It has the hyphenated form ("long-term"): the hyphen stays.
3. The second half is a conjunction ("vracht- en verzendkosten"): the hyphen stays, and a space.
4. A half is not all letters, or the second alone has a capital: the hyphen stays.
5. The second half is an ending ("-ness"): joined.
6. There is a hyphen before the first half ("on-the-fly"): it stays.
7. Both halves have four letters or more, each is also a word of its own in the document, and the first
   does not mostly start closed words ("architecture-independent", but "undertaken"): it stays.
8. The first half mostly has a hyphen ("self-"), or the second does ("-minded"): it stays.
9. What rules 1 and 2 found more often in this document; without a majority, joined.

Rule 9 distinguishes files of typesetters, which break words anywhere, from those of word
processors, which by default break none. Shorter halves are no proof for rule 7: in a book set by TeX
a tenth of the words joined by rule 1 have two halves that are words ("some-one", "graph-ical").
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from cleanbreak.readers.pdf.line import BREAK

_AROUND = [
    ("", after) for after in ("", ",", ".", ";", ":", "?", "!", ")", "’s", "”", ",”", ".”", '"')
]
# Punctuation that may surround a word. To try each is faster than to find every word.
_AROUND += [("“", ""), ("(", ""), ('"', ""), ("“", "”"), ("(", ")"), ('"', '"')]
_TAIL = re.compile(r"[^\W\d_]+$")
_HEAD = re.compile(r"[^\W\d_]+")
# Letters that are looked at on each side; no half of a word is longer.
_LONGEST = 64


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words that follow a hyphen that stands for the rest of a word: English, German, Dutch and others.
_CONJUNCTIONS = _words("and or und oder en of et ou och eller og ja tai")
_ENDINGS = _words(
    "able age al dom ed en er est ful fully hood ible ing ish ity less ly ment ness ship teen th tion "
    "tions ty ward wards"
)
# First halves of English words that mostly have a hyphen.
_FIRST = _words(
    "cost cross eight eighty ever fifty five forty four full good half hard high ill long low nine "
    "ninety old one price quasi self semi seven seventy short six sixty ten thirty three twenty two "
    "ultra user well"
)
# First halves of English words that mostly have none.
_CLOSED = _words(
    "after back down ever every fore here hand head home how inter mean out over some super there "
    "through under upon what when where with work"
)
# To look for the words of this number of breaks is faster than to keep all words of a book.
_FEW = 50
# Letters of each half that, as words, prove a compound.
_WORD_LETTERS = 4
# Second halves of English words that mostly have a hyphen.
_LAST = _words(
    "aged based born bred century coloured dependent determining driven edged eyed faced fashioned "
    "fifths footed friendly haired handed headed hearted known law legged looking mannered minded "
    "natured old oriented prone rated related rich shaped sized speaking specific spoken term thirds "
    "winning worn year"
)


class _Halves(NamedTuple):
    """The letters on both sides of a `BREAK`. ``chained``: a hyphen joins the first to a word."""

    left: str
    right: str
    chained: bool


class Resolved(NamedTuple):
    """A text without `BREAK`, and how offsets changed."""

    text: str
    places: list[int]
    moved: list[int]
    """By how much the text after each place moved in all."""

    def offset(self, offset: int) -> int:
        """The offset in this text of an offset in the unresolved one."""
        number = bisect_left(self.places, offset)
        return offset + (self.moved[number - 1] if number else 0)


def resolve(text: str) -> Resolved:
    r"""The text with each `BREAK` removed or replaced by a hyphen.

    >>> resolve("more infor\ufffemation is information").text
    'more information is information'
    """
    places = [match.start() for match in re.finditer(BREAK, text)]
    if not places:
        return Resolved(text, [], [])
    breaks = [_halves(text, place) for place in places]
    vocabulary = _vocabulary(text, breaks)
    seen = [_seen(halves, vocabulary) for halves in breaks]
    habit = "-" if seen.count("-") > seen.count("") else ""
    hyphens = [
        _guess(halves, vocabulary, habit) if found is None else found
        for halves, found in zip(breaks, seen, strict=True)
    ]
    pieces = text.split(BREAK)
    whole = "".join(piece + hyphen for piece, hyphen in zip(pieces, [*hyphens, ""], strict=True))
    return Resolved(whole, places, list(accumulate(len(hyphen) - 1 for hyphen in hyphens)))


def _halves(text: str, place: int) -> _Halves:
    """The letters before and after the `BREAK` at `place`."""
    tail = _TAIL.search(text, max(0, place - _LONGEST), place)
    head = _HEAD.match(text, place + 1, place + 1 + _LONGEST)
    before = text[max(0, tail.start() - 2) : tail.start()] if tail else ""
    chained = before[-1:] in ("-", "\u2010") and before[:1].isalpha()
    return _Halves(tail[0] if tail else "", head[0] if head else "", chained)


def _vocabulary(text: str, breaks: Sequence[_Halves]) -> frozenset[str]:
    """The words of the text, or, for a few breaks, those that decide about them, which is faster."""
    words = text.split()
    if len(breaks) > _FEW:
        return frozenset(words)
    sought = {
        before + form + after
        for left, right, _ in breaks
        for word in (left, right, left + right, f"{left}-{right}")
        for form in _forms(word)
        for before, after in _AROUND
    }
    return frozenset(sought.intersection(words))


def _seen(halves: _Halves, vocabulary: frozenset[str]) -> str | None:
    """What the document has elsewhere between these halves; None if it has neither form."""
    left, right, _ = halves
    if left and right and _occurs(left + right, vocabulary):
        return ""
    return "-" if _occurs(f"{left}-{right}", vocabulary) else None


def _occurs(word: str, vocabulary: frozenset[str]) -> bool:
    return any(
        before + form + after in vocabulary for form in _forms(word) for before, after in _AROUND
    )


def _forms(word: str) -> set[str]:
    """How it may be written."""
    lower = word.lower()
    return {lower, word, lower.capitalize()}


def _guess(halves: _Halves, vocabulary: frozenset[str], habit: str) -> str:
    """What is mostly between such halves."""
    left, right, chained = halves
    one, two = left.lower(), right.lower()
    if two in _CONJUNCTIONS and len(one) > 2:
        return "- "
    if not one or not two or (right[0].isupper() and not left.isupper()):
        return "-"
    if two in _ENDINGS:
        return ""
    if chained or one in _FIRST or two in _LAST or _are_words((one, two), vocabulary):
        return "-"
    return habit


def _are_words(halves: Sequence[str], vocabulary: frozenset[str]) -> bool:
    """Whether each half is long enough and also a word of its own in the document."""
    return halves[0] not in _CLOSED and all(
        len(half) >= _WORD_LETTERS and _occurs(half, vocabulary) for half in halves
    )
