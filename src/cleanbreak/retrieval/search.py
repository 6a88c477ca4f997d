"""From a query to hits: what the index found, proved, marked and cited."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from cleanbreak.core.checks import whole_number
from cleanbreak.core.document import Span
from cleanbreak.core.text.characters import count_newlines
from cleanbreak.retrieval.answer import Answer
from cleanbreak.retrieval.fusion import CANDIDATES, Fused, fuse, place_of
from cleanbreak.retrieval.hit import Hit, Neighbour
from cleanbreak.retrieval.meaning import Meaning, Nearest, text_sha256
from cleanbreak.retrieval.snippet import Marker, make_snippet
from cleanbreak.stores.fulltext import FoundChunk, Index, Query, parse_query
from cleanbreak.stores.fulltext.expressions import Node
from cleanbreak.stores.fulltext.search import Found

Prove = Callable[[str, int], bool]
"""Given a source key and a chunk number, whether the files of record still hold that chunk."""

# What words find where only meaning is asked.
_NOTHING = Found([], ())

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
        meaning: finds by meaning, among chunks for which `only` holds.
        by_words: false to find by meaning alone.
        only: conditions that must hold besides the query.

    Raises:
        SettingsError: for a limit or context that is not a whole number in its range, and for a
            field that does not exist, if no text has it either.
        CleanbreakError: what `meaning` raises.
    """
    whole_number("limit", limit, minimum=1, maximum=MOST_HITS)
    whole_number("context", context, minimum=0, maximum=MOST_CONTEXT)
    typed = parse_query(query)
    asked = typed if only is None else typed.only(only)
    if meaning is not None:
        most = max(CANDIDATES, limit)
        near = meaning.nearest(query, most)
        free = typed.is_plain
        found = _as_typed(index, asked, most) if by_words or not free else _NOTHING
        words = found.rows if by_words else [one._replace(score=0.0) for one in found.rows]
        ranked = _fused(index, words, near, meaning.weight, free=free)
        proved = islice((one for one in ranked if _holds(one.chunk, prove)), limit)
        marker = Marker(found.highlights)
        return Answer(
            _near_hit(one, marker, _neighbours(index, one.chunk, context, prove)) for one in proved
        )
    first = index.ask(asked, limit)
    marker = Marker(first.highlights)
    best = islice(_proved(index, asked, first.rows, limit, prove), limit)
    hits = (_hit(found, marker, _neighbours(index, found, context, prove)) for found in best)
    return Answer(hits, first.answered_by, first.suggestion)


def _fused(
    index: Index,
    words: Sequence[FoundChunk],
    nearest: Sequence[Nearest],
    weight: float,
    *,
    free: bool,
) -> list[Fused]:
    """What words and meaning find, in one order; where not `free`, only what words find."""
    chunks = {place_of(found): found for found in words}
    if free:
        chunks |= index.chunks_at(near.place for near in nearest if near.place not in chunks)
    proved = [near for near in nearest if _is_of_its_text(near, chunks.get(near.place))]
    return fuse(words, proved, chunks, weight)


def _as_typed(index: Index, asked: Query, most: int) -> Found:
    """What the words find as they were typed: meaning says more than another reading of them."""
    found = index.ask(asked, most)
    return found if found.answered_by == "words" else _NOTHING


def _is_of_its_text(near: Nearest, found: FoundChunk | None) -> bool:
    """Whether a vector was made from the text that its chunk has now."""
    if found is None:
        return False
    first = found.chunk.character_start_offset
    text = found.chunk.chunk_text[near.start - first : near.end - first]
    return text_sha256(text) == near.text_sha256


def _holds(found: FoundChunk, prove: Prove | None) -> bool:
    return prove is None or prove(found.source.key, found.chunk.chunk_number)


def _near_hit(one: Fused, marker: Marker, context: tuple[Neighbour, ...]) -> Hit:
    """A hit with its scores; the words of the passage that answered are shown, or all of it."""
    hit = _hit(one.chunk._replace(score=one.score), marker, context)
    near = one.nearest
    if near is None:
        return replace(hit, scores=one.as_scores())
    hit = replace(hit, scores=one.as_scores(), passage=Span(near.start, near.end))
    text, first = hit.text, hit.start
    passage = Span(near.start - first, near.end - first)
    inside = [mark for mark in hit.marks if passage.start <= mark.start and mark.end <= passage.end]
    if hit.marks and not inside:
        return hit
    marks = inside or [_without_blanks(text, passage)]
    return replace(
        hit,
        line=one.chunk.line + count_newlines(text[: marks[0].start]),
        snippet=make_snippet(text, first, marks),
        marks=hit.marks or tuple(marks),
    )


def _without_blanks(text: str, span: Span) -> Span:
    """The span without the blanks at its ends."""
    piece = text[span.start : span.end]
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, start + len(piece.strip()))


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
