"""The API of OpenAI, which many servers speak as well."""

from collections.abc import Sequence
from typing import Any

from cleanbreak.providers.clients.protocol import Answer, Kind, Request, bearer, in_order


class OpenAIEmbeddings:
    """``POST /embeddings``."""

    # OpenAI takes 2,048; servers that speak its protocol often take less.
    most_texts = 128

    def request(
        self,
        model: str,
        texts: Sequence[str],
        kind: Kind,  # noqa: ARG002 (the protocol has one form for both)
        dimensions: int | None,
        key: str,
    ) -> Request:
        """See `EmbeddingProtocol`. Documents and queries are sent alike."""
        body: dict[str, Any] = {"model": model, "input": list(texts), "encoding_format": "float"}
        if dimensions is not None:
            body["dimensions"] = dimensions
        return Request("/embeddings", bearer(key), body)

    def answer(self, body: Any) -> Answer:
        """See `EmbeddingProtocol`."""
        usage = body.get("usage") or {}
        tokens = usage.get("total_tokens", usage.get("prompt_tokens"))
        return Answer(in_order(body["data"]), tokens, body.get("model"))
