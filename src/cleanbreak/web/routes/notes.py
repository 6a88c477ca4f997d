"""Routes of a vault: notes, links, tags and the graph."""

import json
from pathlib import PurePosixPath
from typing import Any

import msgspec

from cleanbreak.vaults import NoteLink, Problem, RelatedNote, TagUse, note_chunks
from cleanbreak.web.desk import Desk
from cleanbreak.web.endpoint import Endpoint, Stop
from cleanbreak.web.routes.rows import ChunkRow, row_of
from cleanbreak.web.routes.shelf import PlaceId


class NoteId(msgspec.Struct, forbid_unknown_fields=True):
    """A note of a vault, by its key."""

    place_id: str
    note: str


class NoteOrAll(msgspec.Struct, forbid_unknown_fields=True):
    """A note, or all notes."""

    place_id: str
    note: str | None = None


class NoteRecord(msgspec.Struct):
    """A note."""

    note: str
    title: str


class NoteList(msgspec.Struct):
    """All notes of a vault."""

    notes: list[NoteRecord]
    total: int


class NoteText(msgspec.Struct):
    """The chunks of a note; together they are its text."""

    note: str
    chunks: list[ChunkRow]


class LinkRecord(msgspec.Struct):
    """A link, as `NoteLink` has it."""

    source: str
    line: int
    start: int
    end: int
    kind: str
    embed: bool
    target: str
    fragment: str | None
    path: str | None
    candidates: tuple[str, ...]


class LinkList(msgspec.Struct):
    """Some links."""

    links: list[LinkRecord]


class TagRecord(msgspec.Struct):
    """A tag, as `TagUse` has it."""

    tag: str
    notes: tuple[str, ...]
    inline: int


class TagList(msgspec.Struct):
    """All tags of a vault."""

    tags: list[TagRecord]


class GraphRecord(msgspec.Struct):
    """Notes, and links as pairs of positions in ``nodes``."""

    nodes: list[str]
    edges: list[tuple[int, int]]


def notes(desk: Desk, asked: PlaceId, _stop: Stop) -> NoteList:
    """All notes."""
    with desk.places.get(asked.place_id).vault() as vault:
        found = vault.notes()
    return NoteList([NoteRecord(note, PurePosixPath(note).stem) for note in found], len(found))


def note_text(desk: Desk, asked: NoteId, _stop: Stop) -> NoteText:
    """The text of a note as it was indexed."""
    place = desk.places.get(asked.place_id)
    place.vault().close()  # an error if it is none
    return NoteText(asked.note, [row_of(one) for one in note_chunks(place.path, asked.note)])


def links(desk: Desk, asked: NoteOrAll, _stop: Stop) -> LinkList:
    """The links of a note, or of all."""
    with desk.places.get(asked.place_id).vault() as vault:
        return _links(vault.links(asked.note))


def backlinks(desk: Desk, asked: NoteId, _stop: Stop) -> LinkList:
    """The links of other notes to a note."""
    with desk.places.get(asked.place_id).vault() as vault:
        return _links(vault.backlinks(asked.note))


def unresolved(desk: Desk, asked: PlaceId, _stop: Stop) -> LinkList:
    """The links without a target."""
    with desk.places.get(asked.place_id).vault() as vault:
        return _links(vault.unresolved())


def tags(desk: Desk, asked: PlaceId, _stop: Stop) -> TagList:
    """All tags."""
    with desk.places.get(asked.place_id).vault() as vault:
        return TagList([_tag(tag) for tag in vault.tags()])


def related(desk: Desk, asked: NoteId, _stop: Stop) -> dict[str, Any]:
    """The notes that have most in common with a note."""
    with desk.places.get(asked.place_id).vault() as vault:
        return {"related": [_fields(one) for one in vault.related(asked.note)]}


def problems(desk: Desk, asked: PlaceId, _stop: Stop) -> dict[str, Any]:
    """What is wrong with files of a vault."""
    with desk.places.get(asked.place_id).vault() as vault:
        return {"problems": [_fields(one) for one in vault.problems()]}


def graph(desk: Desk, asked: PlaceId, _stop: Stop) -> GraphRecord:
    """The notes and the links between them."""
    with desk.places.get(asked.place_id).vault() as vault:
        found = json.loads(vault.graph())
    nodes = [node["id"] for node in found["nodes"]]
    at = {node: position for position, node in enumerate(nodes)}
    return GraphRecord(nodes, [(at[edge["source"]], at[edge["target"]]) for edge in found["edges"]])


def _links(found: list[NoteLink]) -> LinkList:
    return LinkList([LinkRecord(**one._asdict()) for one in found])


def _tag(use: TagUse) -> TagRecord:
    return TagRecord(use.tag, use.notes, use.inline)


def _fields(value: RelatedNote | Problem) -> dict[str, Any]:
    return dict(value._asdict())


_PLACE = "/places/{place_id}"

ENDPOINTS = (
    Endpoint("GET", f"{_PLACE}/notes", notes, PlaceId, NoteList, "All notes."),
    Endpoint("GET", f"{_PLACE}/notes/chunks", note_text, NoteId, NoteText, "The text of a note."),
    Endpoint("GET", f"{_PLACE}/links", links, NoteOrAll, LinkList, "Links of a note or of all."),
    Endpoint("GET", f"{_PLACE}/backlinks", backlinks, NoteId, LinkList, "Links to a note."),
    Endpoint("GET", f"{_PLACE}/unresolved", unresolved, PlaceId, LinkList, "Links without target."),
    Endpoint("GET", f"{_PLACE}/tags", tags, PlaceId, TagList, "All tags."),
    Endpoint("GET", f"{_PLACE}/related", related, NoteId, dict[str, Any], "Notes like a note."),
    Endpoint("GET", f"{_PLACE}/graph", graph, PlaceId, GraphRecord, "Notes and their links."),
    Endpoint("GET", f"{_PLACE}/problems", problems, PlaceId, dict[str, Any], "Problems of files."),
)
