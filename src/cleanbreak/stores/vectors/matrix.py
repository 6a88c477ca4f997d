"""All vectors of a collection in memory, and the nearest ones to a query."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from cleanbreak.errors import SettingsError
from cleanbreak.stores.vectors.store import Where

# How far the square of a length may be from 1 after it was rounded to 32 bits.
_ROUNDING = 1e-3


@dataclass(frozen=True, slots=True)
class Matrix:
    """One row a point, in the order of books and chunks; each of length 1."""

    rows: npt.NDArray[np.float32]
    ids: npt.NDArray[np.void]
    worlds: npt.NDArray[Any]
    books: npt.NDArray[np.int64]
    chunks: npt.NDArray[np.int64]

    @classmethod
    def read(cls, points: Iterable[tuple[Any, ...]], total: int, dimensions: int) -> Self:
        """The matrix of rows of (id, world, book, chunk, vector); they fill it as they come."""
        rows = np.empty((total, dimensions), np.float32)
        ids = np.empty(total, "V16")
        worlds: list[str] = []
        books = np.zeros(total, np.int64)
        chunks = np.zeros(total, np.int64)
        count = 0
        for key, world, book, chunk, vector in points:
            if count == total:  # more were stored since they were counted
                break
            rows[count] = np.frombuffer(vector, "<f4")
            ids[count] = key
            worlds.append(world)
            books[count], chunks[count] = book or 0, chunk or 0
            count += 1
        return cls(
            rows[:count], ids[:count], np.array(worlds, object), books[:count], chunks[:count]
        )

    def is_sound(self) -> bool:
        """Whether each row has the length 1 with which it was stored: no bit of it is damaged."""
        with np.errstate(all="ignore"):
            squares = np.einsum("ij,ij->i", self.rows, self.rows)
            return bool(np.all(np.abs(squares - 1) < _ROUNDING))

    def nearest(
        self,
        vector: npt.NDArray[np.float32],
        limit: int,
        where: Where,
        threshold: float | None,
    ) -> list[tuple[bytes, float]]:
        """The ids and cosines of the nearest rows that have these values."""
        scores = self.rows @ vector
        chosen = self._chosen(where)
        if threshold is not None:
            chosen &= scores >= threshold
        places = np.flatnonzero(chosen)
        if len(places) > limit:
            # All that are as good as the last one that fits, so that ties are ordered by place.
            least = np.partition(scores[places], len(places) - limit)[len(places) - limit]
            places = places[scores[places] >= least]
        order = places[np.argsort(-scores[places], kind="stable")][:limit]
        return [(bytes(self.ids[place]), float(scores[place])) for place in order]

    def _chosen(self, where: Where) -> npt.NDArray[np.bool_]:
        columns = {
            "world_uuid": self.worlds,
            "book_number": self.books,
            "chunk_number": self.chunks,
        }
        chosen = np.ones(len(self.rows), np.bool_)
        for name, value in where.items():
            if name not in columns:
                raise SettingsError("where", name, "one of " + ", ".join(columns))
            column = columns[name]
            if isinstance(value, str | int):
                chosen &= column == value
            else:
                chosen &= np.isin(column, list(value))
        return chosen
