"""The chapters of plain text, found by their headings.

A false chapter is worse than none, as citations name it. So a heading needs blank lines around, text
of its own before the next one (the entries of a table of contents have none), and a place in a run of
numbers. `headings` says what one line says; here its surroundings decide.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from cleanbreak.core.document import Section
from cleanbreak.readers.headings import (
    BARE,
    CHINESE,
    FIGURES,
    MATTER,
    ROMAN,
    Heading,
    heading,
    may_start,
)
from cleanbreak.readers.sections import Place, nested

_BLANK = re.compile(r"\n[ \t\r\f]*\n\s*")
# The first word after a blank line. All is possessive, so white space is looked at once.
_BELOW = re.compile(r"\n[ \t\r\f]*+\n\s*+[_*=]*+([^\W_]*+)")
# The first word of a line, in a text without blank lines.
_LINE = re.compile(r"\n[ \t]*+[_*=]*+([^\W_]++)")
_SPACE = re.compile(r"\s*")
# The first word of a short line above a blank one: a number may follow the text without one.
_ABOVE = re.compile(r"\n[ \t]*+([^\W_a-z][^\W_]*+)[^\n]{0,30}+\n[ \t\r\f]*+\n")
# A heading may be wrapped, but it is not a paragraph of prose.
_MOST_LINES = 4
_LONGEST = 300
_LONGEST_LINE = 100
# With fewer blank lines than one in as many lines, paragraphs are not set off by them.
_LINES_A_BLANK = 100
# The title below a number: "In Chancery".
_LONGEST_TITLE = 120
_CLOSED = (".", "?", "!", ",", ";", ":", "…", '"', "”", "»", "-", "—")
# Characters that a chapter has at least, and numbered sections without the word "chapter" on average:
# stanzas, list items and numbered paragraphs have less.
_LEAST_TEXT = 80
_ENOUGH = 2000
_LEAST_AVERAGE = 1000
# How many numbers a run may skip, as headings are also misprinted.
_GAP = 3
# Numbers in a run that has no word "chapter", or does not start at 1. Others need two.
_LEAST_RUN = 3
# How many times the text of the entries of a table of contents chapters have at least.
_CONTENTS = 5
_CHAPTER = 4
# Markup of Aozora Bunko: ［＃「一」は中見出し］.
_AOZORA = re.compile(r"［＃「([^」\n]{1,100})」は(大|中|小)見出し］")
_AOZORA_LEVELS = {"大": 1, "中": 2, "小": 3}


class _Found(NamedTuple):
    start: int
    end: int
    heading: Heading
    title: str


def chapters(text: str, start: int, end: int) -> tuple[Section, ...]:
    r"""The chapters of the book in ``text[start:end]``; empty if it has none that are sure.

    >>> book = "".join(f"Chapter {n}\n\n{'It rained. ' * 20}\n\n" for n in (1, 2, 3))
    >>> [(one.title, one.span.start) for one in chapters(book, 0, len(book))]
    [('Chapter 1', 0), ('Chapter 2', 233), ('Chapter 3', 466)]
    """
    places = _marked_up(text) or _numbered(text, start, end)
    return nested("chapter", places, end)


def _marked_up(text: str) -> list[Place]:
    if "見出し］" not in text:
        return []
    found = list(_AOZORA.finditer(text))
    levels = sorted({_AOZORA_LEVELS[one[2]] for one in found})
    return [
        Place(
            levels.index(_AOZORA_LEVELS[one[2]]) + 1, one[1], text.rfind("\n", 0, one.start()) + 1
        )
        for one in found
    ]


def _numbered(text: str, start: int, end: int) -> list[Place]:
    chosen = _chosen(_with_text(text, list(_candidates(text, start, end)), end))
    ranks = sorted({one.heading.rank for one in chosen} - {MATTER})
    levels = {MATTER: 1} | {rank: level for level, rank in enumerate(ranks, 1)}
    return [Place(levels[one.heading.rank], one.title, one.start) for one in chosen]


def _candidates(text: str, start: int, end: int) -> Iterator[_Found]:
    """Lines that may be headings, in order."""
    book = text if end - start == len(text) else text[start:end]
    below, blanks = _lines(_BELOW, book)
    if blanks * _LINES_A_BLANK < book.count("\n"):
        yield from _unspaced(text, start, end)
        return
    above, _ = _lines(_ABOVE, book)
    space = _SPACE.match(book)
    first = space.end() if space else 0
    below.add(book.rfind("\n", 0, first) + 1)
    for at in sorted(below | above):
        found = _candidate(text, start + at, end, is_below=at in below)
        if found is not None:
            yield found


def _unspaced(text: str, start: int, end: int) -> Iterator[_Found]:
    """The same in a text that has no blank lines: a line is a heading, whole."""
    for at in sorted(_lines(_LINE, text[start:end])[0]):
        line_end = _end_of(text, "\n", start + at, end)
        said = (
            heading(text[start + at : line_end]) if line_end - start - at <= _LONGEST_LINE else None
        )
        if said is not None and said.rank != MATTER and not (said.rank >= BARE and said.rest):
            yield _Found(start + at, line_end, said, said.title)


def _lines(place: re.Pattern[str], book: str) -> tuple[set[int], int]:
    """The offsets of lines whose first word may start a heading, and how many lines there are."""
    known = {"": False}
    found = []
    count = 0
    for one in place.finditer(book):
        count += 1
        word = one[1]
        if word not in known:
            known[word] = may_start(word)
        if known[word]:
            found.append(book.rfind("\n", 0, one.start(1)) + 1)
    return set(found), count


def _candidate(text: str, at: int, end: int, *, is_below: bool) -> _Found | None:
    """The heading at `at`, with the rest of its paragraph and a title below if they belong to it."""
    line_end = _end_of(text, "\n", at, end)
    said = heading(text[at:line_end]) if line_end - at <= _LONGEST else None
    if said is None:
        return None
    if not is_below:
        return None if said.rest or said.rank == MATTER else _titled(text, at, line_end, end, said)
    after = _BLANK.search(text, at, end)
    paragraph = text[at : after.start() if after else end]
    lines = paragraph.count("\n") + 1
    most = 1 if said.rank == MATTER else 2 if said.rank >= BARE and said.rest else _MOST_LINES
    if lines == 1 and not said.rest:
        return _titled(text, at, line_end, end, said)
    if lines <= most and len(paragraph) <= _LONGEST:
        return _Found(at, at + len(paragraph), said, _line(paragraph))
    if said.rest or said.rank == MATTER:
        return None
    return _Found(at, line_end, said, said.title)


def _titled(text: str, at: int, line_end: int, end: int, said: Heading) -> _Found:
    """A number that stands alone, with the short paragraph below it as its title."""
    blank = _BLANK.match(text, line_end, end)
    if blank is None or said.rank == MATTER:
        return _Found(at, line_end, said, said.title)
    after = _BLANK.search(text, blank.end(), min(end, blank.end() + _LONGEST_TITLE + 2))
    below = text[blank.end() : after.start()].strip() if after else ""
    is_title = below and (below.isupper() or (below[0].isupper() and not below.endswith(_CLOSED)))
    if not after or not is_title or heading(below):
        return _Found(at, line_end, said, said.title)
    return _Found(at, after.start(), said, f"{said.title.rstrip('.')}. {_line(below)}")


def _end_of(text: str, mark: str, at: int, end: int) -> int:
    found = text.find(mark, at, end)
    return end if found < 0 else found


def _line(paragraph: str) -> str:
    return " ".join(paragraph.split()).strip("_*= ")


def _with_text(text: str, candidates: list[_Found], end: int) -> list[_Found]:
    """Those with text before the next candidate of their rank or a higher one."""
    kept: list[_Found] = []
    below = Counter[
        int
    ]()  # characters after this place, by the rank of the heading they stand under
    next_start = end
    for one in reversed(candidates):
        rank = one.heading.rank
        size = len(text[one.end : min(next_start, one.end + _ENOUGH)].strip())
        if rank != MATTER:
            size += sum(below.pop(deeper) for deeper in list(below) if deeper > rank)
            below[rank] += size
        opens = kept and kept[-1].start == next_start and kept[-1].heading.number == 1
        if size >= _LEAST_TEXT or (rank == MATTER and opens):
            kept.append(one)
        next_start = one.start
    return kept[::-1]


def _chosen(candidates: list[_Found]) -> list[_Found]:
    """The headings whose numbers make runs, and the preface and the epilogue around them."""
    chosen: list[_Found] = []
    for rank in sorted({one.heading.rank for one in candidates} - {MATTER}):
        if rank >= BARE:
            break
        if rank > _CHAPTER and not any(one.heading.rank < _CHAPTER for one in chosen):
            continue  # scenes of a play among other texts
        of_rank = [one for one in candidates if one.heading.rank == rank]
        parts = [one.start for one in chosen]
        runs = _without_contents(_runs(of_rank, _opening(candidates, rank), parts), chosen)
        chosen += [one for run in runs for one in run]
        chosen = _without_acts(chosen)
    if all(one.heading.rank < _CHAPTER for one in chosen):
        chosen += _bare(candidates, chosen)
    return sorted([*chosen, *_matter(candidates, chosen)], key=lambda one: one.start)


def _without_acts(chosen: list[_Found]) -> list[_Found]:
    """Without parts that stand between two chapters in a row: the acts of a play inside a chapter."""
    ordered = sorted(chosen, key=lambda one: one.start)
    kept: list[_Found] = []
    waiting: list[_Found] = []
    last = 0
    for one in ordered:
        if one.heading.rank != _CHAPTER:
            waiting.append(one)
            continue
        if not (len(waiting) > 1 and one.heading.number == last + 1 > 1):
            kept += waiting
        waiting.clear()
        kept.append(one)
        last = one.heading.number
    return kept + waiting


def _matter(candidates: list[_Found], chosen: list[_Found]) -> list[_Found]:
    """Prefaces before a first chapter that is counted as the first, and epilogues after it."""
    first = min(chosen, key=lambda one: one.start, default=None)
    if first is None or first.heading.number != 1:
        return []
    return [
        one
        for one in candidates
        if one.heading.rank == MATTER and one.heading.is_front == (one.start < first.start)
    ]


def _opening(candidates: list[_Found], rank: int) -> frozenset[int]:
    """Starts of sections whose first chapter has the number 1: these are sure in any order."""
    numbered = [one for one in candidates if one.heading.rank != MATTER]
    return frozenset(
        one.start
        for one, below in pairwise(numbered)
        if one.heading.rank == rank < below.heading.rank and below.heading.number == 1
    )


def _runs(items: list[_Found], opening: frozenset[int], parts: list[int]) -> list[list[_Found]]:
    """Runs of rising numbers; only those that are long enough, and what opens a section like them.

    A run starts at 1, or in a new one of `parts` near to it, where the first chapter has a name.
    """
    runs: list[list[_Found]] = []
    for one in items:
        step = one.heading.number - runs[-1][-1].heading.number if runs else 0
        if 0 < step <= (1 if one.heading.rank >= BARE else _GAP):
            runs[-1].append(one)
        elif (
            not runs
            or one.heading.number == 1
            or one.start in opening
            or _is_near(one, runs, parts)
        ):
            runs.append([one])
    long = [run for run in runs if _is_long(run)]
    if not long:
        return []
    return [
        run
        for run in runs
        if _is_long(run) or run[0].heading.number == 1 or run[0].start in opening
    ]


def _is_near(one: _Found, runs: list[list[_Found]], parts: list[int]) -> bool:
    """Whether a part starts between the last run and `one`, which is among its first chapters."""
    return one.heading.number <= _GAP and any(runs[-1][-1].start < at < one.start for at in parts)


def _is_long(run: list[_Found]) -> bool:
    least = _LEAST_RUN if run[0].heading.rank >= BARE or run[0].heading.number > 1 else 2
    return len(run) >= least


def _without_contents(runs: list[list[_Found]], above: list[_Found]) -> list[list[_Found]]:
    """Without a run whose numbers come again with far more text: a table of contents with summaries."""
    last = runs[-1:]
    return [
        run
        for run, after in pairwise(runs)
        if _between(run, after, above) or _CONTENTS * _average(run) >= _average(after)
    ] + last


def _between(run: list[_Found], after: list[_Found], above: list[_Found]) -> bool:
    return any(run[-1].start < one.start < after[0].start for one in above)


def _average(run: list[_Found]) -> float:
    return (run[-1].start - run[0].start) / max(1, len(run) - 1)


def _bare(candidates: list[_Found], above: list[_Found]) -> list[_Found]:
    """Numbers without a word, if they are the one way in which the book, or each part, is divided."""
    for rank in (ROMAN, FIGURES, CHINESE):
        of_rank = [one for one in candidates if one.heading.rank == rank]
        runs = _without_contents(_runs(of_rank, frozenset(), []), above)
        divides = all(_between(run, after, above) for run, after in pairwise(runs))
        if runs and divides and max(map(_average, runs)) >= _LEAST_AVERAGE:
            return [one for run in runs for one in run]
    return []
