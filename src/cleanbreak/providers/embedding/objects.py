"""Vectors from an object of the caller: a model of any library, or a function in a class."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

from cleanbreak.errors import CleanbreakError, EmbedderError, SettingsError
from cleanbreak.providers.clients.protocol import Kind
from cleanbreak.providers.embedding.embedder import Stop
from cleanbreak.providers.embedding.profile import EmbeddingProfile, Unit
from cleanbreak.providers.embedding.vectors import Array, checked_vectors

PROVIDER_ID = "object"
"""The provider of a profile whose vectors an object of the caller makes."""

# The methods that libraries have, the more exact first.
_FOR_DOCUMENTS = ("embed_documents", "encode_document", "passage_embed", "embed", "encode")
_FOR_QUERIES = ("embed_queries", "encode_query", "query_embed")
# Takes one text and not a list.
_FOR_ONE_QUERY = ("embed_query",)
_NAMES = ("model_id", "name", "model_name")

# Any short text: only the length of its vector is looked at.
_PROBE = "dimensions"


class ObjectEmbedder:
    """Asks an object that has ``embed`` or ``encode``, one call at a time.

    It gets a list of texts and gives one vector for each, as lists, arrays, or an iterator of
    these. If it has a method of its own for queries, that is used for them.

    Raises:
        SettingsError: if it has no such method, or no name by which a world could know it again.
        EmbedderError: if the first call, which asks for the dimensions, fails.
    """

    most_texts = 32
    places = 1
    answered_by: str | None = None
    was_limited = False

    def __init__(self, model: Any, name: str | None = None, unit: Unit = "chunk") -> None:
        documents = _method(model, _FOR_DOCUMENTS)
        if documents is None:
            raise SettingsError(
                "embedder",
                type(model),
                "a model's name, a folder, or an object with embed or encode",
            )
        self._lock = threading.Lock()
        self._documents = documents
        self._queries = _method(model, _FOR_QUERIES) or _one_by_one(model) or documents
        self._dimensions: int | None = None
        identity = name or _name_of(model)
        if identity is None:
            raise SettingsError(
                "name",
                None,
                "a name for this model, as it has no name or model_id; a world knows it by that",
            )
        dimensions = self._call(self._documents, [_PROBE]).shape[1]
        self._dimensions = dimensions
        self.profile = EmbeddingProfile(
            provider_id=PROVIDER_ID, model_id=identity, dimensions=dimensions, unit=unit
        )

    def check(self) -> None:
        """See `Embedder`: the first call has shown that it works."""

    def embed(
        self,
        texts: Sequence[str],
        kind: Kind = "document",
        *,
        deadline_seconds: float | None = None,  # noqa: ARG002 (waits for nobody)
        stop: Stop | None = None,  # noqa: ARG002
    ) -> Array:
        """See `Embedder`. What happens to a text that is too long is the object's own matter.

        Raises:
            EmbedderError: if the object fails.
        """
        if not texts:
            return checked_vectors([], 0, self._dimensions, normalise=True)
        return self._call(self._queries if kind == "query" else self._documents, list(texts))

    def _call(self, method: Callable[[list[str]], Any], texts: list[str]) -> Array:
        try:
            with self._lock:
                given = method(texts)
                rows = given if hasattr(given, "__array__") else list(given)
        except CleanbreakError:
            raise
        except Exception as error:  # noqa: BLE001 (anybody's model; it ends as one EmbedderError)
            kind = type(error).__name__
            raise EmbedderError(
                f"The embedder failed ({kind}) on {len(texts)} texts; check it with one text of "
                "your own.",
                kind=kind,
                texts=len(texts),
            ) from None
        return checked_vectors(rows, len(texts), self._dimensions, normalise=True)


def _method(model: Any, names: Sequence[str]) -> Callable[[list[str]], Any] | None:
    if isinstance(model, type):
        return None
    found = (getattr(model, name, None) for name in names)
    return next((method for method in found if callable(method)), None)


def _one_by_one(model: Any) -> Callable[[list[str]], Any] | None:
    method: Any = _method(model, _FOR_ONE_QUERY)
    return None if method is None else lambda texts: [method(text) for text in texts]


def _name_of(model: Any) -> str | None:
    found = (getattr(model, name, None) for name in _NAMES)
    return next((name for name in found if isinstance(name, str) and name), None)
