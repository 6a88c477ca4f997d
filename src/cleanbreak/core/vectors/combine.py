"""Combine the vectors of a text's chunks into one vector for the text."""

import math
from collections.abc import Sequence
from operator import mul
from typing import Any

from cleanbreak.core.checks import one_of
from cleanbreak.errors import DimensionMismatchError, VectorError

STRATEGIES = ("length_weighted_mean", "mean", "first_only")

Vector = Any
"""A sequence of numbers, or a one-dimensional array of numpy or of a library that converts to it."""


def combine_chunk_vectors(
    vectors: Sequence[Vector] | None,
    weights: Sequence[float] | None = None,
    strategy: str = "length_weighted_mean",
) -> Vector | None:
    """One vector for a text, from the vectors of its chunks.

    Args:
        vectors: of equal dimension, in the order of the chunks: lists, or arrays.
        weights: the weight of each vector, such as the length of its chunk; by default all are
            equal. Only ``"length_weighted_mean"`` uses them.
        strategy: ``"length_weighted_mean"``, ``"mean"``, or ``"first_only"``.

    Returns:
        ``None`` for no vectors; a single vector unchanged; otherwise a new vector of the type
        (for floating-point arrays also the dtype) of the first.

    Raises:
        DimensionMismatchError: if the vectors differ in dimension.
        VectorError: if a vector is not one dimension of finite real numbers; or if there is not one weight for each vector,
            a weight is not finite or below 0, or all weights are 0.
        SettingsError: if there is no such strategy.

    >>> combine_chunk_vectors([[1.0, 0.0], [0.0, 1.0]], weights=[300, 100])
    [0.75, 0.25]
    """
    one_of("strategy", strategy, STRATEGIES)
    vectors = [] if vectors is None else list(vectors)
    if not vectors:
        return None
    checked = _check_vectors(vectors)
    if len(vectors) == 1 or strategy == "first_only":
        return vectors[0]
    vectors = checked
    shares = [1 / len(vectors)] * len(vectors)
    if strategy == "length_weighted_mean" and weights is not None:
        shares = _shares(list(weights), len(vectors))
    if hasattr(vectors[0], "dtype"):
        return _numpy_mean(vectors, shares)
    return [math.fsum(map(mul, shares, numbers)) for numbers in zip(*vectors, strict=True)]


def checked_vector(vector: Vector, index: int, dimension: int | None) -> Vector:
    """The vector, as a numpy array if it is of another library; its numbers are finite.

    Args:
        vector: a sequence of numbers, or an array.
        index: its number, for the message.
        dimension: what it must have, if that is known.

    Raises:
        DimensionMismatchError: if it has another dimension.
        VectorError: if it is empty, or no one-dimensional sequence of finite real numbers.
    """
    if hasattr(vector, "dtype") or hasattr(vector, "__array__"):
        vector = _as_array(vector, index)
    elif not hasattr(vector, "__len__") or isinstance(vector, (str, bytes, bytearray)):
        raise VectorError(
            f"Vector {index} is a {type(vector).__name__}, not numbers; embed that chunk again.",
            index=index,
        )
    if len(vector) == 0:
        raise VectorError(
            f"Vector {index} is empty; the model failed on that chunk, so embed it again.",
            index=index,
        )
    if dimension is not None and len(vector) != dimension:
        raise DimensionMismatchError(
            f"Vector {index} has {len(vector)} dimensions and the first has {dimension}; are "
            "they from one model?",
            index=index,
            dimension=len(vector),
            expected=dimension,
        )
    if not _is_finite(vector):
        raise VectorError(
            f"Vector {index} holds a value that is not a finite number; the model failed on "
            "that chunk, so embed it again.",
            index=index,
        )
    return vector


def _as_array(vector: Vector, index: int) -> Vector:
    """A numpy array of real numbers in one dimension."""
    import numpy as np

    try:
        array = np.asarray(vector)
    except Exception as error:  # noqa: BLE001 (each library fails in its own way; it ends as one VectorError)
        raise VectorError(
            f"Vector {index} cannot be read as an array ({type(error).__name__}); give it as a "
            "list or a numpy array.",
            index=index,
        ) from None
    if array.ndim != 1 or array.dtype.kind not in "fiu":
        raise VectorError(
            f"Vector {index} has {array.ndim} dimensions of type {array.dtype}; give one "
            "dimension of real numbers.",
            index=index,
        )
    return array


def _check_vectors(vectors: list[Vector]) -> list[Vector]:
    first = checked_vector(vectors[0], 0, None)
    rest = (checked_vector(v, n, len(first)) for n, v in enumerate(vectors[1:], 1))
    return [first, *rest]


def _is_finite(vector: Vector) -> bool:
    if hasattr(vector, "dtype"):
        import numpy as np

        return bool(np.isfinite(vector).all())
    try:
        return all(map(math.isfinite, vector))
    except (TypeError, OverflowError):
        return False


def _shares(weights: list[float], count: int) -> list[float]:
    """The weights as shares of 1."""
    if len(weights) != count:
        raise VectorError(
            f"There are {len(weights)} weights for {count} vectors; give one for each.",
            weights=len(weights),
            vectors=count,
        )
    for index, weight in enumerate(weights):
        if not _is_finite([weight]) or weight < 0:
            raise VectorError(f"Weight {index} is not a finite number from 0 up.", index=index)
    heaviest = max(weights)
    if heaviest == 0:
        raise VectorError("All weights are 0, so there is no mean.", weights=count)
    scaled = [weight / heaviest for weight in weights]  # the sum of these cannot overflow
    total = math.fsum(scaled)
    return [weight / total for weight in scaled]


def _numpy_mean(vectors: list[Vector], shares: list[float]) -> Vector:
    import numpy as np

    mean = np.asarray(shares) @ np.asarray(vectors, dtype=np.float64)
    kind = vectors[0].dtype
    return mean.astype(kind) if np.issubdtype(kind, np.floating) else mean
