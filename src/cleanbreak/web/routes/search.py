"""The route of the search: one query over all places."""

from time import monotonic
from typing import Any

import msgspec

from cleanbreak.errors import CleanbreakError
from cleanbreak.retrieval import Hit
from cleanbreak.vaults import NoteHits
from cleanbreak.web.desk import Desk
from cleanbreak.web.endpoint import Endpoint, Stop
from cleanbreak.web.jobs import ErrorRecord
from cleanbreak.web.places import Place
from cleanbreak.worlds import Hits

_MOST_HITS = 200
_KINDS = {"world": "book", "vault": "note"}


class Query(msgspec.Struct, forbid_unknown_fields=True):
    """What to look for. ``kind`` is ``book`` or ``note``; ``book`` needs ``place``."""

    query: str
    place: str | None = None
    book: list[int] = []
    note: str | None = None
    kind: str | None = None
    tag: str | None = None
    mode: str = "auto"
    limit: int = 20
    context: int = 0


class PlaceAnswer(msgspec.Struct):
    """What one place answered."""

    place_id: str
    total: int
    complete: bool
    behind: int
    unfinished: int
    answered_by: str
    suggestion: str | None
    warnings: list[dict[str, Any]]
    error: ErrorRecord | None


class Results(msgspec.Struct):
    """The hits of all places, and what each of them answered."""

    query: str
    results: list[dict[str, Any]]
    places: list[PlaceAnswer]
    seconds: float


def search(desk: Desk, asked: Query, stop: Stop) -> Results:
    """Search all places, or one.

    The lists of several places are merged by rank, as scores of two indexes cannot be compared.
    """
    started = monotonic()
    answers, ranked = [], []
    for place in _wanted(desk, asked):
        stop.check()
        try:
            found = _ask(desk, place, asked)
        except CleanbreakError as error:
            answers.append(_failed(place, error))
            continue
        answers.append(_answer(place, found))
        ranked += [
            (rank, len(answers), _result(place, hit))
            for rank, hit in enumerate(found)
            if asked.note in (None, hit.source_key) or place.kind == "world"
        ]
    ranked.sort(key=lambda one: one[:2])
    results = [result for _, _, result in ranked[: _limit(asked)]]
    return Results(asked.query, results, answers, monotonic() - started)


def _wanted(desk: Desk, asked: Query) -> list[Place]:
    places = list(desk.places) if asked.place is None else [desk.places.get(asked.place)]
    return [
        place
        for place in places
        if place.exists
        and asked.kind in (None, _KINDS[place.kind])
        # Tags are of notes, and numbers of books.
        and not (asked.tag and place.kind == "world")
        and not (asked.book and place.kind == "vault")
    ]


def _ask(desk: Desk, place: Place, asked: Query) -> Hits | NoteHits:
    limit = _limit(asked)
    if place.kind == "world":
        with desk.places.lock(place):
            return desk.places.for_search(place).search(
                asked.query,
                mode=asked.mode,
                limit=limit,
                context=asked.context,
                book=asked.book or None,
            )
    query = f'{asked.query} tag:"{asked.tag}"' if asked.tag else asked.query
    with place.vault() as vault:
        return vault.search(query, limit=limit, context=asked.context)


def _limit(asked: Query) -> int:
    return min(max(asked.limit, 1), _MOST_HITS)


def _result(place: Place, hit: Hit) -> dict[str, Any]:
    is_book = place.kind == "world"
    return {
        "place_id": place.place_id,
        "kind": _KINDS[place.kind],
        # The key of a book in an index is `book-0001`.
        "book_number": int(hit.source_key.rpartition("-")[2]) if is_book else None,
        "note": None if is_book else hit.source_key,
        **hit.as_dict(),
    }


def _answer(place: Place, found: Hits | NoteHits) -> PlaceAnswer:
    if isinstance(found, Hits):
        behind, unfinished = len(found.behind), len(found.unfinished)
        warnings = msgspec.to_builtins(found.warnings)
    else:
        behind, unfinished, warnings = sum(len(notes) for notes in found.behind[:]), 0, []
    return PlaceAnswer(
        place.place_id,
        len(found),
        found.complete,
        behind,
        unfinished,
        found.answered_by,
        found.suggestion,
        warnings,
        None,
    )


def _failed(place: Place, error: CleanbreakError) -> PlaceAnswer:
    shown = msgspec.convert(msgspec.to_builtins(error.as_dict()), ErrorRecord)
    return PlaceAnswer(place.place_id, 0, False, 0, 0, "words", None, [], shown)


ENDPOINTS = (Endpoint("GET", "/search", search, Query, Results, "Search all places."),)
