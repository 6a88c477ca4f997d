"""All vectors of a collection in memory, and the nearest ones to a query."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from cleanbreak.errors import SettingsError
from cleanbreak.stores.vectors.store import Where

# How far the square of a length may be from 1 after it was rounded to 32 bits.
_ROUNDING = 1e-3
# Points that are read together: half a megabyte of vectors.
_BLOCK = 256


@dataclass(frozen=True, slots=True)
class Matrix:
    """One row a point, in the order of books and chunks; each of length 1."""

    rows: npt.NDArray[np.float32]
    ids: npt.NDArray[np.void]
    worlds: npt.NDArray[Any]
    books: npt.NDArray[np.int64]
    chunks: npt.NDArray[np.int64]

    @classmethod
    def read(cls, points: Iterator[tuple[Any, ...]], total: int, dimensions: int) -> Self:
        """The matrix of rows of (id, world, book, chunk, vector); they fill it as they come."""
        rows = np.empty((total, dimensions), np.float32)
        ids = np.empty(total, "V16")
        worlds: list[str] = []
        books = np.zeros(total, np.int64)
        chunks = np.zeros(total, np.int64)
        count = 0
        # By blocks, as numpy takes longer to be called than to copy one vector.
        while block := list(islice(points, min(_BLOCK, total - count))):
            end = count + len(block)
            some_ids, some_worlds, some_books, some_chunks, vectors = zip(*block, strict=True)
            rows[count:end] = np.frombuffer(b"".join(vectors), "<f4").reshape(-1, dimensions)
            ids[count:end] = np.frombuffer(b"".join(some_ids), "V16")
            worlds += some_worlds
            books[count:end] = [book or 0 for book in some_books]
            chunks[count:end] = [chunk or 0 for chunk in some_chunks]
            count = end
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
