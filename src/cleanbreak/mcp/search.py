"""The tool that searches: the best passages of a place, or of all places."""

from itertools import chain, zip_longest

from cleanbreak.core.checks import whole_number
from cleanbreak.mcp.answers import FoundPassage, SearchAnswer
from cleanbreak.mcp.shelf import Shelf
from cleanbreak.retrieval import Hit
from cleanbreak.vaults.search import NoteHits
from cleanbreak.worlds import Hits
from cleanbreak.worlds.layout import number_of

MOST_PASSAGES = 20
"""More would fill the window of a model."""


def search(shelf: Shelf, query: str, place: str | None, limit: int) -> SearchAnswer:
    """The best passages of one place; of all places the first of each, then the second of each.

    Scores of two places have no common scale, so their hits take turns.

    Raises:
        SettingsError: for a limit that is no whole number from 1 to `MOST_PASSAGES`, or no place.
    """
    whole_number("limit", limit, minimum=1, maximum=MOST_PASSAGES)
    found = [(name, each.search(query, limit=limit)) for name, each in shelf.chosen(place)]
    by_place = [[_passage(name, hit) for hit in hits] for name, hits in found]
    in_turn = [passage for passage in chain(*zip_longest(*by_place)) if passage is not None]
    return SearchAnswer(
        passages=in_turn[:limit],
        complete=all(hits.complete for _, hits in found),
        warnings=[f"{name}: {warning}" for name, hits in found for warning in _warnings(hits)],
    )


def _passage(place: str, hit: Hit) -> FoundPassage:
    is_book = hit.source_kind == "book"
    return FoundPassage(
        place=place,
        source=str(number_of(hit.source_key)) if is_book else hit.source_key,
        title=hit.source_title,
        citation=hit.citation,
        start=hit.start,
        end=hit.end,
        text=hit.text,
    )


def _warnings(hits: Hits | NoteHits) -> list[str]:
    said = [warning.message for warning in hits.warnings] if isinstance(hits, Hits) else []
    if not hits.complete:
        said.append("the index is behind the files, so the newest text is not found yet")
    if hits.suggestion:
        said.append(f"nothing was found as asked; did you mean: {hits.suggestion}")
    return said
