"""Canvases of Obsidian (jsoncanvas.org 1.0): the text of their cards, and the files they show."""

from typing import Any, NamedTuple

import msgspec

from cleanbreak.core.document import Span

SUFFIX = ".canvas"


class CanvasError(ValueError):
    """The file is not a canvas."""


class Card(NamedTuple):
    """What one card says: a text, the address of a page, or the path of a file."""

    kind: str
    span: Span
    """Where it stands in the text of the canvas."""
    fragment: str | None = None
    """Of a file: the heading or block that is shown."""


class Canvas(NamedTuple):
    """A canvas as a text: its cards from top to bottom, blank lines between them."""

    text: str
    cards: tuple[Card, ...]


def read_canvas(data: bytes) -> Canvas:
    """The canvas in a file. A blank file is a canvas without cards.

    Raises:
        CanvasError: if it is not JSON of that form.
    """
    try:
        found = msgspec.json.decode(data) if data.strip() else {}
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise CanvasError from None
    if not isinstance(found, dict):
        raise CanvasError
    pieces: list[str] = []
    cards: list[Card] = []
    at = 0
    for kind, text, fragment in _said(found):
        cards.append(Card(kind, Span(at, at + len(text)), fragment))
        pieces.append(text + "\n\n")
        at += len(pieces[-1])
    return Canvas("".join(pieces), tuple(cards))


def _said(canvas: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """(kind, text, fragment) of each card, then of each label of an arrow."""
    said: list[tuple[str, str, str | None]] = []
    for node in sorted(_objects(canvas, "nodes"), key=_place):
        for kind, field in (
            ("group", "label"),
            ("text", "text"),
            ("link", "url"),
            ("file", "file"),
        ):
            text = node.get(field)
            if node.get("type") == kind and isinstance(text, str) and text.strip():
                part = node.get("subpath")
                fragment = part.removeprefix("#") if isinstance(part, str) and part else None
                said.append((kind, _clean(text), fragment))
    said += [
        ("label", _clean(label), None)
        for edge in _objects(canvas, "edges")
        if isinstance(label := edge.get("label"), str) and label.strip()
    ]
    return said


def _objects(canvas: dict[str, Any], field: str) -> list[dict[str, Any]]:
    listed = canvas.get(field)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _place(node: dict[str, Any]) -> tuple[float, float]:
    x, y = (node.get(field) for field in ("x", "y"))
    return tuple(value if isinstance(value, int | float) else 0 for value in (y, x))  # type: ignore[return-value]


def _clean(text: str) -> str:
    """Without half characters, which JSON can hold and a file cannot."""
    return text.encode("utf-8", "replace").decode()
