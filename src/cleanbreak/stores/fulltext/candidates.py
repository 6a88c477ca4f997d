"""The matches of FTS5, as the second look takes them, and their order after it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from cleanbreak.core.chunk import SectionRecord
from cleanbreak.stores.fulltext.ranking import Candidate, Wanted, scores
from cleanbreak.stores.fulltext.sections import weight_of

# As many matches are ranked again at once. Ranking 50 or 300 made no difference on the questions.
BLOCK = 100

# Weights beside the text, here and in the second look.
_TITLE, _HEADINGS, _TAGS, _PATH = 4.0, 2.0, 3.0, 0.5

# Weights of text, extra terms, title, headings, tags, path and seam; the smaller the rank the better.
# Spelt out and sorted by SQLite, as FTS5's own ``rank`` column took 1.5 times as long.
RANK = f"bm25(fts_chunks, 1.0, 1.0, {_TITLE}, {_HEADINGS}, {_TAGS}, {_PATH}, 1.0)"

# Only what the second look needs: records are made of the chunks that are shown.
COLUMNS = "chunks.id, kind, sections, chunk_text, title_terms, heading_terms, tag_terms, path_terms"


class Match(NamedTuple):
    """The row id of a chunk that FTS5 found, and what is ranked of it."""

    row_id: int
    candidate: Candidate


class Ranked(NamedTuple):
    """The row id of a chunk and its score."""

    row_id: int
    score: float


def match_of(row_id: int, *values: object) -> Match:
    """What the columns of a row say."""
    # A damaged file may hold any type in any column.
    kind, sections, text, title, headings, tags, path = msgspec.convert(values, tuple[str, ...])
    beside = ((_TITLE, title), (_HEADINGS, headings), (_TAGS, tags), (_PATH, path))
    return Match(row_id, Candidate(text, beside, _weight(sections, is_book=kind == "book")))


def _weight(sections: str, *, is_book: bool) -> float:
    if len(sections) < 3:  # an empty list
        return 1.0
    found = msgspec.json.decode(sections, type=tuple[SectionRecord, ...])
    return weight_of(found, is_book=is_book)


def ranked(matches: Sequence[Match], wanted: Sequence[Wanted], total: int) -> list[Ranked]:
    """The matches in the order of the second look, block by block."""
    return list(_ranked(matches, wanted, total))


def _ranked(matches: Sequence[Match], wanted: Sequence[Wanted], total: int) -> Iterator[Ranked]:
    lowest = float("inf")
    for start in range(0, len(matches), BLOCK):
        block = matches[start : start + BLOCK]
        given = scores(wanted, [match.candidate for match in block], total)
        for place in sorted(range(len(block)), key=lambda place: (-given[place], place)):
            lowest = min(lowest, given[place])
            yield Ranked(block[place].row_id, lowest)
