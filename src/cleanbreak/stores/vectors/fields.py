"""What every store checks before it looks at its points: the fields asked for, and vectors."""

from typing import TYPE_CHECKING

from cleanbreak.core.checks import closest
from cleanbreak.errors import SettingsError, VectorCollectionMissingError, VectorInvalidError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from cleanbreak.stores.vectors.store import Where

FIELDS = ("world_uuid", "book_number", "chunk_number", "ingestion_run_id", "profile_key")
"""The fields of a payload that can be asked for."""


def check_field(name: str) -> None:
    """Raises SettingsError unless `name` is one of `FIELDS`."""
    if name not in FIELDS:
        raise SettingsError(
            "where",
            name,
            "a field that can be asked for: " + ", ".join(FIELDS),
            allowed=FIELDS,
            suggestion=closest(name, FIELDS),
        )


def check_not_empty(where: "Where") -> None:
    """Raises SettingsError for a filter that every point passes."""
    if not where:
        raise SettingsError("where", "empty", "at least one field, as it would remove all points")


def unit_vector(vector: "npt.NDArray[np.float32]", dimensions: int) -> "npt.NDArray[np.float32]":
    """The vector with length 1, so that a product is the cosine.

    Raises:
        VectorInvalidError: if it is of another length, zero or not finite.
    """
    import numpy as np

    row: npt.NDArray[np.float32] = np.asarray(vector, np.float32)
    length = float(np.linalg.norm(row)) if row.shape == (dimensions,) else 0.0
    if not 0 < length < float("inf"):
        raise VectorInvalidError(
            f"A vector must have {dimensions} finite numbers that are not all 0; embed that chunk "
            "again.",
            expected=dimensions,
        )
    return row / np.float32(length)


def no_collection(name: str) -> VectorCollectionMissingError:
    """The error of a reader where nothing was written yet."""
    return VectorCollectionMissingError(f"There are no vectors {name} yet; embed first.")
