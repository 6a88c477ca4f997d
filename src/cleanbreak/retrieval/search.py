"""From a query to hits: what the index found, proved, marked and cited."""

from collections.abc import Callable, Iterator
from itertools import islice, zip_longest
from typing import Any

import msgspec

from cleanbreak.core.checks import whole_number
from cleanbreak.retrieval.hit import Hit, Neighbour
from cleanbreak.retrieval.snippet import Marker, make_snippet
from cleanbreak.stores.fulltext import FoundRow, Index, Query, parse_query
from cleanbreak.stores.fulltext.lines import count_newlines

Prove = Callable[[str, int], bool]
"""(source key, chunk number) to whether the files of record still hold that chunk."""

MOST_HITS = 1_000
MOST_CONTEXT = 100


def search(
    index: Index,
    query: str,
    *,
    limit: int = 10,
    context: int = 0,
    prove: Prove | None = None,
) -> list[Hit]:
    """The best `limit` chunks for a query, best first.

    Args:
        index: where to look.
        query: anything a person types; docs/search.md has the language.
        limit: the most hits to give.
        context: how many chunks before and after each hit to give with it.
        prove: what the files of record say; a chunk that they do not hold is passed over.

    Raises:
        SettingsError: for a limit or context that is not a whole number in its range.
    """
    whole_number("limit", limit, minimum=1, maximum=MOST_HITS)
    whole_number("context", context, minimum=0, maximum=MOST_CONTEXT)
    asked = parse_query(query)
    marker = Marker(asked.needles)
    rows = islice(_proved(index, asked, limit, prove), limit)
    return [_hit(row, marker, _neighbours(index, row, context, prove)) for row in rows]


def _proved(index: Index, query: Query, limit: int, prove: Prove | None) -> Iterator[FoundRow]:
    """Rows that the files hold; the index is asked again for more only if too few are."""
    seen = 0
    while True:
        rows = index.search(query, limit)
        for row in rows[seen:]:
            if prove is None or prove(row.source_key, row.number):
                yield row
        if len(rows) < limit:
            return
        seen, limit = len(rows), limit * 4


def _neighbours(
    index: Index, row: FoundRow, distance: int, prove: Prove | None
) -> tuple[Neighbour, ...]:
    if not distance:
        return ()
    return tuple(
        Neighbour(number, text)
        for number, text in index.neighbours(row, distance)
        if number != row.number and (prove is None or prove(row.source_key, number))
    )


def _hit(row: FoundRow, marker: Marker, context: tuple[Neighbour, ...]) -> Hit:
    marks = marker.marks(row.text)
    first = marks[0].start if marks else len(row.text) - len(row.text.lstrip())
    sections = msgspec.json.decode(row.sections_json)
    return Hit(
        source_key=row.source_key,
        source_kind=row.source_kind,
        source_name=row.source_name,
        source_title=row.source_title,
        number=row.number,
        chunk_id=row.chunk_id,
        text=row.text,
        start=row.start,
        end=row.end,
        byte_start=row.byte_start,
        byte_end=row.byte_end,
        line=row.line + count_newlines(row.text[:first]),
        heading_path=row.heading_path,
        pages=tuple(section["title"] for section in sections if section["kind"] == "page"),
        chapters=_chapters(sections),
        token_count=row.token_count,
        score=row.score,
        snippet=make_snippet(row.text, row.start, marks),
        context=context,
    )


def _chapters(sections: list[dict[str, Any]]) -> tuple[str, ...]:
    """The innermost chapters, each with those it lies in: ``Part I > Storm``."""
    chapters = [section for section in sections if section["kind"] == "chapter"]
    paths: list[str] = []
    path: list[tuple[int, str]] = []
    for chapter, after in zip_longest(chapters, chapters[1:]):
        level = chapter["level"]
        path = [*(outer for outer in path if outer[0] < level), (level, chapter["title"])]
        if after is None or after["level"] <= level:
            paths.append(" > ".join(title for _, title in path))
    return tuple(paths)
