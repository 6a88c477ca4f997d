"""Errors of lists of vectors."""

from collections.abc import Sequence
from typing import Any

from cleanbreak.errors.base import CleanbreakError


class VectorError(CleanbreakError, ValueError):
    """Vectors or weights that cannot be combined.

    Raised by `embed_long_texts` for a list of texts, ``finished`` has the vectors of the texts that
    were done before, so that nothing that was paid for is lost.
    """

    finished: Sequence[Any] = ()

    code = "VECTOR_INVALID"


class DimensionMismatchError(VectorError):
    """A vector's length differs from the first one's."""

    code = "VECTOR_DIMENSION_MISMATCH"


class EmbedderError(VectorError):
    """The function that embeds failed, also after its retries. ``details`` has ``kind``."""

    code = "EMBEDDER_FAILED"
