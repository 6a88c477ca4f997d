"""The API of Ollama, which runs on the person's own machine."""

from collections.abc import Sequence
from typing import Any

from cleanbreak.providers.clients.protocol import Answer, Kind, Request, bearer


class OllamaEmbeddings:
    """``POST /api/embed``."""

    most_texts = 32

    def request(
        self,
        model: str,
        texts: Sequence[str],
        kind: Kind,  # noqa: ARG002 (the protocol has one form for both)
        dimensions: int | None,  # noqa: ARG002 (its models have one length)
        key: str,
    ) -> Request:
        """See `EmbeddingProtocol`. A text that is too long is refused, not truncated."""
        body: dict[str, Any] = {"model": model, "input": list(texts), "truncate": False}
        return Request("/api/embed", bearer(key), body)

    def answer(self, body: Any) -> Answer:
        """See `EmbeddingProtocol`."""
        return Answer(list(body["embeddings"]), body.get("prompt_eval_count"), body.get("model"))
