"""The API of Cohere, version 2."""

from collections.abc import Sequence
from typing import Any

from cleanbreak.providers.clients.protocol import Answer, Kind, Request, bearer

_INPUT_TYPES: dict[Kind, str] = {"document": "search_document", "query": "search_query"}


class CohereEmbeddings:
    """``POST /embed``."""

    most_texts = 96

    def request(
        self, model: str, texts: Sequence[str], kind: Kind, dimensions: int | None, key: str
    ) -> Request:
        """See `EmbeddingProtocol`. A text that is too long is refused, not truncated."""
        body: dict[str, Any] = {
            "model": model,
            "texts": list(texts),
            "input_type": _INPUT_TYPES[kind],
            "embedding_types": ["float"],
            "truncate": "NONE",
        }
        if dimensions is not None:
            body["output_dimension"] = dimensions
        return Request("/embed", bearer(key), body)

    def answer(self, body: Any) -> Answer:
        """See `EmbeddingProtocol`."""
        billed = (body.get("meta") or {}).get("billed_units") or {}
        return Answer(list(body["embeddings"]["float"]), billed.get("input_tokens"))
