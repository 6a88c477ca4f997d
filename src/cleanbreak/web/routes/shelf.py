"""Routes of the shelf: places, their books, and reading on."""

from typing import Any
from urllib.parse import quote

import msgspec
from starlette.responses import FileResponse, Response

from cleanbreak.core.chunk import SectionRecord
from cleanbreak.errors import NotHeldError
from cleanbreak.web.desk import Desk
from cleanbreak.web.endpoint import Endpoint, Stop
from cleanbreak.web.places import Place
from cleanbreak.web.routes.rows import MOST_CHUNKS, Chunks, chunks_of
from cleanbreak.web.routes.texts import Nothing
from cleanbreak.worlds import Progress
from cleanbreak.worlds.records import WarningRecord

_LEADS = ("chapter", "heading")


class PlaceId(msgspec.Struct, forbid_unknown_fields=True):
    """A place."""

    place_id: str


class BookId(msgspec.Struct, forbid_unknown_fields=True):
    """A book of a world."""

    place_id: str
    book_number: int


class BookChunks(msgspec.Struct, forbid_unknown_fields=True):
    """Some chunks of a book."""

    place_id: str
    book_number: int
    first: int = 1
    limit: int = 100


class BookPassage(msgspec.Struct, forbid_unknown_fields=True):
    """A passage of a book, with chunks around it."""

    place_id: str
    book_number: int
    start: int
    end: int
    around: int = 2


class BookRemoval(msgspec.Struct, forbid_unknown_fields=True):
    """A book to remove; with `sources` its stored file too."""

    place_id: str
    book_number: int
    sources: bool = False


class PlaceRecord(msgspec.Struct):
    """A place in short."""

    place_id: str
    kind: str
    name: str
    exists: bool


class PlaceList(msgspec.Struct):
    """All places."""

    places: list[PlaceRecord]


class BookRecord(msgspec.Struct):
    """A book: what its manifest says, and how far each stage is."""

    number: int
    source_filename: str | None
    source_path: str | None
    title: str | None
    authors: tuple[str, ...]
    language: str | None
    media_type: str | None
    chunks: int
    complete: bool
    warnings: tuple[WarningRecord, ...]
    state: str
    stages: dict[str, Progress | None]


class BookList(msgspec.Struct):
    """The books of a world."""

    books: list[BookRecord]


class Chapters(msgspec.Struct):
    """The chapters and headings of a book, in order."""

    chapters: list[SectionRecord]


class Removed(msgspec.Struct):
    """The number of a book that was removed."""

    removed: int


def places(desk: Desk, _asked: Nothing, _stop: Stop) -> PlaceList:
    """All places."""
    return PlaceList([_short(place) for place in desk.places])


def place(desk: Desk, asked: PlaceId, _stop: Stop) -> dict[str, Any]:
    """What a place holds."""
    found = desk.places.get(asked.place_id)
    short: dict[str, Any] = msgspec.to_builtins(_short(found))
    if not found.exists:
        return short
    if found.kind == "world":
        return found.world().status().as_dict() | short
    with found.vault() as vault:
        return {"stats": vault.stats().as_dict(), "behind": vault.changes()._asdict()} | short


def books(desk: Desk, asked: PlaceId, _stop: Stop) -> BookList:
    """The books of a world, also those that are not read yet."""
    found = desk.places.get(asked.place_id)
    world = found.world()
    if not found.exists:
        return BookList([])
    known = {book.number: book for book in world.books()}
    rows = []
    for status in world.status().books:
        book = known.get(status.book_number)
        rows.append(
            BookRecord(
                status.book_number,
                status.source_filename,
                status.source_path,
                book.title if book else None,
                book.authors if book else (),
                book.language if book else None,
                book.media_type if book else None,
                status.completed_chunks,
                book is not None and book.complete,
                status.warnings,
                status.state,
                status.stages,
            )
        )
    return BookList(rows)


def book_chunks(desk: Desk, asked: BookChunks, _stop: Stop) -> Chunks:
    """Some chunks of a book."""
    world = desk.places.get(asked.place_id).world()
    limit = min(asked.limit, MOST_CHUNKS)
    total, found = world.some_chunks(asked.book_number, asked.first, limit)
    return chunks_of(asked.first, total, found)


def chapters(desk: Desk, asked: BookId, stop: Stop) -> Chapters:
    """The chapters of a book, gathered from its chunks."""
    found: dict[SectionRecord, None] = {}
    for chunk in desk.places.get(asked.place_id).world().chunks(asked.book_number):
        stop.check()
        found |= dict.fromkeys(one for one in chunk.sections if one.kind in _LEADS)
    return Chapters(sorted(found, key=lambda one: (one.character_start_offset, one.level)))


def passage(desk: Desk, asked: BookPassage, _stop: Stop) -> dict[str, Any]:
    """A passage with the chunks around it."""
    world = desk.places.get(asked.place_id).world()
    around = min(asked.around, MOST_CHUNKS)
    excerpt = world.excerpt(asked.book_number, asked.start, asked.end, around=around)
    return excerpt.as_dict()


def source(desk: Desk, asked: BookId, _stop: Stop) -> Response:
    """The original file, as a download: a browser must not show it with the rights of the page."""
    path = desk.places.get(asked.place_id).world().source(asked.book_number)
    answer = FileResponse(path, media_type="application/octet-stream")
    answer.headers["Content-Disposition"] = (
        f"attachment; filename*=utf-8''{quote(path.name, safe='')}"
    )
    return answer


def remove(desk: Desk, asked: BookRemoval, _stop: Stop) -> Removed:
    """Remove a book."""
    found = desk.places.get(asked.place_id)
    if not found.exists:
        raise NotHeldError("This world has no books yet.")
    found.world().remove(asked.book_number, sources=asked.sources)
    return Removed(asked.book_number)


def _short(place: Place) -> PlaceRecord:
    return PlaceRecord(place.place_id, place.kind, place.name, place.exists)


_PLACE = "/places/{place_id}"
_BOOK = "/places/{place_id}/books/{book_number}"

ENDPOINTS = (
    Endpoint("GET", "/places", places, Nothing, PlaceList, "All places."),
    Endpoint("GET", _PLACE, place, PlaceId, dict[str, Any], "What a place holds."),
    Endpoint("GET", f"{_PLACE}/books", books, PlaceId, BookList, "The books of a world."),
    Endpoint("GET", f"{_BOOK}/chunks", book_chunks, BookChunks, Chunks, "Chunks of a book."),
    Endpoint("GET", f"{_BOOK}/chapters", chapters, BookId, Chapters, "Chapters of a book."),
    Endpoint(
        "GET", f"{_BOOK}/passage", passage, BookPassage, dict[str, Any], "A passage of a book."
    ),
    Endpoint("GET", f"{_BOOK}/source", source, BookId, bytes, "The original file."),
    Endpoint("DELETE", _BOOK, remove, BookRemoval, Removed, "Remove a book."),
)
