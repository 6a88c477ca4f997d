"""From a query to hits: what the index found, proved, marked and cited."""

from collections.abc import Callable, Iterator
from itertools import islice

from cleanbreak.core.checks import whole_number
from cleanbreak.core.text.characters import count_newlines
from cleanbreak.retrieval.hit import Hit, Neighbour
from cleanbreak.retrieval.snippet import Marker, make_snippet
from cleanbreak.stores.fulltext import FoundChunk, Index, Query, parse_query

Prove = Callable[[str, int], bool]
"""Given a source key and a chunk number, whether the files of record still hold that chunk."""

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
        prove: what the files of record say; a chunk that they do not hold is left out.

    Raises:
        SettingsError: for a limit or context that is not a whole number in its range.
    """
    whole_number("limit", limit, minimum=1, maximum=MOST_HITS)
    whole_number("context", context, minimum=0, maximum=MOST_CONTEXT)
    asked = parse_query(query)
    first = index.ask(asked, limit)
    marker = Marker(first.highlights)
    best = islice(_proved(index, asked, first.rows, limit, prove), limit)
    return [_hit(found, marker, _neighbours(index, found, context, prove)) for found in best]


def _proved(
    index: Index, query: Query, matches: list[FoundChunk], limit: int, prove: Prove | None
) -> Iterator[FoundChunk]:
    """Matches that the files hold; the index is asked for more only if too few are."""
    seen = 0
    while True:
        for found in matches[seen:]:
            if prove is None or prove(found.source.key, found.chunk.chunk_number):
                yield found
        if len(matches) < limit:
            return
        seen, limit = len(matches), limit * 4
        matches = index.search(query, limit)


def _neighbours(
    index: Index, found: FoundChunk, distance: int, prove: Prove | None
) -> tuple[Neighbour, ...]:
    if not distance:
        return ()
    return tuple(
        Neighbour(number, text)
        for number, text in index.neighbours(found, distance)
        if number != found.chunk.chunk_number and (prove is None or prove(found.source.key, number))
    )


def _hit(found: FoundChunk, marker: Marker, context: tuple[Neighbour, ...]) -> Hit:
    text = found.chunk.chunk_text
    marks = marker.marks(text)
    first = marks[0].start if marks else len(text) - len(text.lstrip())
    return Hit(
        *found.source,
        chunk=found.chunk,
        line=found.line + count_newlines(text[:first]),
        score=found.score,
        snippet=make_snippet(text, found.chunk.character_start_offset, marks),
        context=context,
        marks=tuple(marks),
    )
