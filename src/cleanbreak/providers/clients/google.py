"""The API of Google's Gemini models."""

from collections.abc import Sequence
from typing import Any

from cleanbreak.providers.clients.protocol import Answer, Kind, Request

_TASKS: dict[Kind, str] = {"document": "RETRIEVAL_DOCUMENT", "query": "RETRIEVAL_QUERY"}


class GoogleEmbeddings:
    """``POST /models/NAME:batchEmbedContents``."""

    most_texts = 100

    def request(
        self, model: str, texts: Sequence[str], kind: Kind, dimensions: int | None, key: str
    ) -> Request:
        """See `EmbeddingProtocol`."""
        rest: dict[str, Any] = {"model": f"models/{model}", "taskType": _TASKS[kind]}
        if dimensions is not None:
            rest["outputDimensionality"] = dimensions
        requests = [{**rest, "content": {"parts": [{"text": text}]}} for text in texts]
        path = f"/models/{model}:batchEmbedContents"
        return Request(path, {"x-goog-api-key": key}, {"requests": requests})

    def answer(self, body: Any) -> Answer:
        """See `EmbeddingProtocol`."""
        return Answer([row["values"] for row in body["embeddings"]])
