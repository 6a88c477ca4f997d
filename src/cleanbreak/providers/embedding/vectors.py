"""Vectors as they come from a model, checked before anybody trusts them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from cleanbreak.core.vectors.combine import combine_chunk_vectors
from cleanbreak.errors import (
    EmbeddingInvalidError,
    EmbeddingMismatchError,
)

Array = npt.NDArray[np.float32]
"""Vectors: float32, of shape (texts, dimensions)."""


def checked_vectors(rows: Any, texts: int, dimensions: int | None, *, normalise: bool) -> Array:
    """The vectors as float32, of shape (texts, dimensions).

    Raises:
        EmbeddingMismatchError: if there is not one for each text.
        EmbeddingInvalidError: if one is of another length, zero or not finite.
    """
    try:
        array = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError):  # rows of unequal length, or no numbers
        raise _invalid("vectors that are no numbers") from None
    if len(array) != texts:
        raise EmbeddingMismatchError(
            f"The model gave {len(array)} vectors for {texts} texts; nothing of this answer was "
            "kept. Try again, or choose another model.",
            vectors=len(array),
            texts=texts,
        )
    if not texts:
        return array.reshape(0, dimensions or 0)
    if array.ndim != 2 or (dimensions is not None and array.shape[1] != dimensions):
        raise _invalid(f"vectors of shape {array.shape[1:]}, not of {dimensions} numbers")
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    if not np.isfinite(lengths).all():
        raise _invalid("a vector with a value that is not finite")
    if not (lengths > 0).all():
        raise _invalid("a vector of zeros")
    return array / lengths if normalise else array


def combined(vectors: Array, weights: Sequence[float]) -> Array:
    """One vector for a text that was cut: the mean by weights, of length 1."""
    mean: Any = combine_chunk_vectors(list(vectors), weights)
    length = np.linalg.norm(mean)
    if not length > 0:
        raise _invalid("vectors that cancel each other out")
    joined: Array = mean / length
    return joined


def _invalid(what: str) -> EmbeddingInvalidError:
    return EmbeddingInvalidError(
        f"The model gave {what}; nothing of this answer was kept. Try again, or choose another "
        "model."
    )
