"""The API of Voyage AI."""

from collections.abc import Sequence
from typing import Any

from cleanbreak.providers.clients.protocol import Answer, Kind, Request, bearer, in_order


class VoyageEmbeddings:
    """``POST /embeddings``."""

    most_texts = 128

    def request(
        self, model: str, texts: Sequence[str], kind: Kind, dimensions: int | None, key: str
    ) -> Request:
        """See `EmbeddingProtocol`. A text that is too long is refused, not truncated."""
        body: dict[str, Any] = {
            "model": model,
            "input": list(texts),
            "input_type": kind,
            "truncation": False,
        }
        if dimensions is not None:
            body["output_dimension"] = dimensions
        return Request("/embeddings", bearer(key), body)

    def answer(self, body: Any) -> Answer:
        """See `EmbeddingProtocol`."""
        tokens = (body.get("usage") or {}).get("total_tokens")
        return Answer(in_order(body["data"]), tokens, body.get("model"))
