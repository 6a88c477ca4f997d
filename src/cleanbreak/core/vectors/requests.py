"""Requests to an embedder, filled up to their limits, and the vectors of each text as they come."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.vectors.combine import Vector, checked_vector, combine_chunk_vectors
from cleanbreak.errors import EmbedderError, VectorError

_log = logging.getLogger("cleanbreak")

Embed = Callable[[list[str]], Sequence[Vector]]
"""Takes the texts of one request, returns their vectors in order."""

Receive = Callable[[Vector], None]
"""Takes the vector of one chunk."""


class Gathered:
    """The vectors of one text's chunks that are there so far."""

    __slots__ = ("_lengths", "_vectors", "is_complete")

    def __init__(self) -> None:
        self._lengths: list[int] = []
        self._vectors: list[Vector] = []
        self.is_complete = False  # whether all its chunks are known

    @property
    def is_whole(self) -> bool:
        """Whether every chunk has its vector."""
        return self.is_complete and len(self._vectors) == len(self._lengths)

    def place(self, chunk: Chunk) -> Receive:
        """Expect a vector for this chunk; it is given to what is returned."""
        self._lengths.append(len(chunk.text))
        return self._vectors.append

    def combined(self, strategy: str) -> Vector | None:
        """One vector for the text, ``None`` if it has no chunks."""
        return combine_chunk_vectors(self._vectors, self._lengths, strategy)


class Requests:
    """Collects chunks, and sends them whenever a request is full.

    `sent` counts the requests that were answered.
    """

    __slots__ = (
        "_batch_size",
        "_dimension",
        "_embed",
        "_most",
        "_open",
        "_retries",
        "_tokens",
        "sent",
    )

    def __init__(
        self, embed: Embed, batch_size: int, request_tokens: int | None, retries: int
    ) -> None:
        self._embed = embed
        self._batch_size = batch_size
        self._most = request_tokens
        self._retries = retries
        self._open: list[tuple[Receive, str]] = []
        self._tokens = 0
        self._dimension: int | None = None  # of every vector, from the first one on
        self.sent = 0

    @property
    def counts_tokens(self) -> bool:
        """Whether a request is limited by its tokens."""
        return self._most is not None

    def add(self, receive: Receive, text: str, tokens: int) -> None:
        """Add a chunk, after sending the open request if it has no room for it."""
        is_over = self._most is not None and self._tokens + tokens > self._most
        if self._open and (is_over or len(self._open) == self._batch_size):
            self.send()
        self._open.append((receive, text))
        self._tokens += tokens

    def send(self) -> None:
        """Send what is collected, if anything is, and hand out the vectors.

        Raises:
            EmbedderError: if the embedder fails, also after the retries.
            VectorError: if it does not give one vector of one dimension for each text.
        """
        if not self._open:
            return
        vectors = self._ask([text for _, text in self._open])
        if len(vectors) != len(self._open):
            raise VectorError(
                f"The embedder gave {len(vectors)} vectors for {len(self._open)} texts.",
                vectors=len(vectors),
                texts=len(self._open),
            )
        for index, vector in enumerate(vectors):
            vectors[index] = checked_vector(vector, index, self._dimension)
            self._dimension = len(vectors[index])
        for (receive, _), vector in zip(self._open, vectors, strict=True):
            receive(vector)
        self._open, self._tokens = [], 0
        self.sent += 1

    def _ask(self, texts: list[str]) -> list[Any]:
        for left in range(self._retries, -1, -1):
            try:
                return list(self._embed(list(texts)))
            except Exception as error:  # noqa: BLE001 (the caller's own code; it ends as one EmbedderError)
                kind = type(error).__name__
                _log.warning("embedder failed with %s, %d retries left", kind, left)
        raise EmbedderError(
            f"The embedder failed with {kind} on a request of {len(texts)} texts; send the "
            "remaining texts again.",
            kind=kind,
            texts=len(texts),
        )
