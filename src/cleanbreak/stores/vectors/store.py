"""What every store of vectors can do."""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self

from cleanbreak.stores.vectors.point import Found, Kind, Point

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Where = Mapping[str, str | int | Sequence[int]]
"""Fields of a payload and the value that each must have; a list of numbers: one of them."""


class VectorStore(Protocol):
    """Keeps points and finds the nearest ones. Safe between threads.

    What returned is durable and visible to the next query. Points of other worlds, other profiles
    and the other kind are never found. Nothing in it is the only copy of anything.

    Raises (all methods):
        VectorCollectionMissingError: before `ensure_collection`.
        VectorStoreError: by its code, if the store cannot be used.
    """

    def ensure_collection(self, kind: Kind, name: str, dimensions: int) -> None:
        """Make the collection unless it is there, and use it from now on.

        Raises:
            VectorCollectionMismatchError: if it has another number of dimensions.
        """

    def get(self, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, dict[str, Any]]:
        """The payloads of the points that are there."""

    def upsert(self, points: Sequence[Point]) -> None:
        """Store points, in place of those of the same ids; all or none.

        Raises:
            VectorInvalidError: if a vector is of another length, zero or not finite.
        """

    def delete(self, ids: Iterable[uuid.UUID]) -> None:
        """Remove points; one that is not there is no error."""

    def delete_where(self, where: Where) -> None:
        """Remove the points whose payload has these values.

        Raises:
            SettingsError: if `where` is empty.
        """

    def query(
        self,
        vector: "npt.NDArray[np.float32]",
        *,
        limit: int,
        where: Where,
        score_threshold: float | None = None,
    ) -> list[Found]:
        """The nearest points by cosine, the nearest first; of equal ones the earlier in the book."""

    def count(self, where: Where) -> int:
        """How many points have these values."""

    def scroll(self, where: Where) -> Iterator[tuple[uuid.UUID, dict[str, Any]]]:
        """Every point that has these values, once, in no order."""

    def close(self) -> None:
        """Close it; what was stored stays."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_error: object) -> None: ...
