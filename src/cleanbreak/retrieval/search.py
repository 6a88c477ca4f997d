"""From a query to hits: what the index found, proved, marked and cited."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from cleanbreak.core.checks import whole_number
from cleanbreak.core.document import Span
from cleanbreak.core.text.characters import count_newlines
from cleanbreak.retrieval.answer import Answer
from cleanbreak.retrieval.fusion import CANDIDATES, Fused, fuse, place_of
from cleanbreak.retrieval.hit import Hit, Neighbour
from cleanbreak.retrieval.meaning import Meaning, text_sha256
from cleanbreak.retrieval.snippet import Marker, make_snippet
from cleanbreak.stores.fulltext import FoundChunk, Index, Query, parse_query
from cleanbreak.stores.fulltext.expressions import Node

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
    meaning: Meaning | None = None,
    by_words: bool = True,
    only: Node | None = None,
) -> Answer:
    """The best `limit` chunks for a query, best first, and how they were found.

    With `meaning` the words decide first, and what is near to the query in meaning is added. Where
    a query says more than words (phrases, fields, conditions), meaning only orders what it finds.

    Args:
        index: where to look.
        query: anything a person types; docs/search.md has the language.
        limit: the most hits to give.
        context: how many chunks before and after each hit to give with it.
        prove: what the files of record say; a chunk that they do not hold is left out.
        meaning: finds by meaning.
        by_words: false to find by meaning alone.
        only: conditions that must hold besides the query.

    Raises:
        SettingsError: for a limit or context that is not a whole number in its range, and for a
            field that does not exist, if no text has it either.
        CleanbreakError: what `meaning` raises.
    """
    whole_number("limit", limit, minimum=1, maximum=MOST_HITS)
    whole_number("context", context, minimum=0, maximum=MOST_CONTEXT)
    asked = parse_query(query) if only is None else parse_query(query).only(only)
    if meaning is not None:
        ranked = _by_meaning(index, asked, query, limit, meaning, by_words=by_words)
        proved = islice((one for one in ranked if _holds(one.chunk, prove)), limit)
        marker = Marker(asked.highlights)
        return Answer(
            _near_hit(one, marker, _neighbours(index, one.chunk, context, prove)) for one in proved
        )
    first = index.ask(asked, limit)
    marker = Marker(first.highlights)
    best = islice(_proved(index, asked, first.rows, limit, prove), limit)
    hits = (_hit(found, marker, _neighbours(index, found, context, prove)) for found in best)
    return Answer(hits, first.answered_by, first.suggestion)


def _by_meaning(
    index: Index, asked: Query, query: str, limit: int, meaning: Meaning, *, by_words: bool
) -> list[Fused]:
    """What words and meaning find, in one order."""
    most = max(CANDIDATES, limit)
    nearest = meaning.nearest(query, most)
    words = _as_typed(index, asked, most) if by_words or not asked.is_plain else []
    found = {place_of(chunk) for chunk in words}
    if asked.is_plain:
        lacking = [(near.source_key, near.chunk_number) for near in nearest]
        chunks = index.chunks_at(place for place in lacking if place not in found)
    else:
        chunks = {}
    fused = fuse(words if by_words else _unscored(words), nearest, chunks, meaning.weight)
    return [one for one in fused if _is_of_its_text(one)]


def _as_typed(index: Index, asked: Query, most: int) -> list[FoundChunk]:
    """What the words find as they were typed: meaning says more than another reading of them."""
    found = index.ask(asked, most)
    return found.rows if found.answered_by == "words" else []


def _unscored(words: list[FoundChunk]) -> list[FoundChunk]:
    return [found._replace(score=0.0) for found in words]


def _is_of_its_text(one: Fused) -> bool:
    """Whether the vector was made from the text that the chunk has now, if it has one."""
    near = one.nearest
    if near is None:
        return True
    chunk = one.chunk.chunk
    first = chunk.character_start_offset
    text = chunk.chunk_text[near.start - first : near.end - first]
    return text_sha256(text) == near.text_sha256 or one.words is not None


def _holds(found: FoundChunk, prove: Prove | None) -> bool:
    return prove is None or prove(found.source.key, found.chunk.chunk_number)


def _near_hit(one: Fused, marker: Marker, context: tuple[Neighbour, ...]) -> Hit:
    """A hit with its scores; the passage that answered is marked where no word of the query is."""
    hit = _hit(one.chunk._replace(score=one.score), marker, context)
    near = one.nearest
    if near is None:
        return replace(hit, scores=one.as_scores())
    passage = Span(near.start, near.end)
    if hit.marks:
        return replace(hit, scores=one.as_scores(), passage=passage)
    text, first = hit.text, hit.start
    marks = [Span(near.start - first, near.end - first)]
    return replace(
        hit,
        scores=one.as_scores(),
        passage=passage,
        line=one.chunk.line + count_newlines(text[: marks[0].start]),
        snippet=make_snippet(text, first, marks),
        marks=tuple(marks),
    )


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
