"""A vector with the facts that prove what it was made from. It never holds text."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Payload = Mapping[str, str | int]
"""The facts of a point, by field name: numbers, digests and ids."""

Kind = Literal["chunks", "nodes"]
"""The two kinds of points, which never meet: parts of books, and nodes of a graph."""


@dataclass(frozen=True, slots=True)
class Point:
    """A vector, the id of its slot, and its payload."""

    id: uuid.UUID
    vector: "npt.NDArray[np.float32]"
    payload: Payload


@dataclass(frozen=True, slots=True)
class Found:
    """A point that a query found. ``score`` is the cosine, from -1 to 1."""

    id: uuid.UUID
    score: float
    payload: dict[str, Any]


def chunk_point_id(
    world_uuid: str, book_number: int, chunk_number: int, passage_number: int | None = None
) -> uuid.UUID:
    """The id of the slot of a chunk or of one of its passages; the same on every machine.

    It names the slot and not the text, so that a chunk that was changed overwrites its point.
    """
    name = f"book:{book_number}:chunk:{chunk_number}"
    if passage_number is not None:
        name += f":passage:{passage_number}"
    return uuid.uuid5(uuid.UUID(world_uuid), name)
