"""Vectors from a provider over the network."""

import random
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from cleanbreak.core.measures.measure import Measure, as_measure
from cleanbreak.errors import (
    EmbeddingTooLargeError,
    EmbeddingUnsupportedError,
    ModelWithdrawnError,
    ProviderError,
    ProviderStatusError,
    RunInterruptedError,
)
from cleanbreak.providers.catalogue.records import Model, Provider
from cleanbreak.providers.clients.every import EMBEDDINGS
from cleanbreak.providers.clients.http import HttpClient
from cleanbreak.providers.clients.protocol import Answer, Kind, Request
from cleanbreak.providers.clients.refusal import (
    LimitedError,
    RefusedError,
    RejectedError,
    TransientError,
)
from cleanbreak.providers.embedding.embedder import Stop
from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.providers.embedding.vectors import Array, checked_vectors
from cleanbreak.providers.keys import KeyScheduler
from cleanbreak.providers.keys.traffic import MOST_IN_FLIGHT
from cleanbreak.tokenizers import load_measure

# The provider does not know the model's name, or not any more.
_NO_SUCH_MODEL = (404, 410)

# A failure that may pass is tried this often, with a pause that grows.
_TRIES = 3
_PAUSE_SECONDS = 0.5

# Failures of a connection that was never made: no text of the request can be their cause.
_NOT_REACHED = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError"})

# One request holds at most this number of characters: providers limit the sum of its tokens as well.
_MOST_CHARACTERS = 200_000


class RemoteEmbedder:
    """Asks a provider. Keys, limits and waiting are the scheduler's.

    A refusal because of limits never counts as a failure: the request waits for a key that is free.
    """

    def __init__(
        self,
        provider: Provider,
        model: Model,
        profile: EmbeddingProfile,
        *,
        scheduler: KeyScheduler | None = None,
        client: HttpClient | None = None,
    ) -> None:
        if provider.base_url is None or provider.protocol not in EMBEDDINGS:
            raise EmbeddingUnsupportedError(
                f"{model.id} cannot be asked for vectors; see: cleanbreak models list --embedding",
                model=model.id,
            )
        self.profile = profile
        self.answered_by: str | None = None
        self.was_limited = False
        self._dimensions: int | None = profile.dimensions
        self.places = MOST_IN_FLIGHT
        self._provider = provider
        self._model = model
        self._protocol = EMBEDDINGS[provider.protocol]
        self._scheduler = scheduler or KeyScheduler.for_model(provider.id, model.id)
        self._client = client or HttpClient(provider.base_url)
        self._measure: Measure | None = None
        self._pause = threading.Event()
        self.most_texts = self._protocol.most_texts

    def check(self) -> None:
        """See `Embedder`."""
        self._scheduler.check()

    def embed(
        self,
        texts: Sequence[str],
        kind: Kind = "document",
        *,
        deadline_seconds: float | None = None,
        stop: Stop | None = None,
    ) -> Array:
        """See `Embedder`."""
        prefix = self.profile.query_prefix if kind == "query" else self.profile.document_prefix
        inputs = [prefix + text for text in texts]
        for index, text in enumerate(inputs):
            self._check_length(index, text)
        parts = [self._ask(batch, kind, deadline_seconds, stop) for batch in self._batches(inputs)]
        return np.concatenate(parts) if parts else self._checked([], 0)

    # --- requests --------------------------------------------------------------------------------

    def _batches(self, texts: list[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        size = 0
        for text in texts:
            if batch and (len(batch) == self.most_texts or size + len(text) > _MOST_CHARACTERS):
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += len(text)
        if batch:
            yield batch

    def _ask(
        self, texts: list[str], kind: Kind, deadline_seconds: float | None, stop: Stop | None
    ) -> Array:
        # Paces requests only; what the provider counts comes with its answer.
        tokens = max(1, sum(map(len, texts)) // 4)
        tries = 0
        while True:
            if stop is not None and stop():
                raise RunInterruptedError("Stopped before a request; run again to continue.")
            with self._scheduler.lease(
                tokens, deadline_seconds=deadline_seconds, stop=stop
            ) as lease:
                request = self._request(texts, kind, lease.credential.key)
                try:
                    answer = self._answer(self._client.post(request))
                except LimitedError as refusal:
                    lease.limited(refusal.limit)
                    self.was_limited = True
                    continue
                except RejectedError:
                    lease.rejected()
                    continue
                except RefusedError as refusal:
                    raise self._refused(refusal.status, len(texts)) from None
                except TransientError as failure:
                    why = failure.why
                else:
                    lease.succeeded(answer.tokens)
                    self.answered_by = answer.model or self.answered_by
                    return self._checked(answer.vectors, len(texts))
            tries += 1
            if tries == _TRIES:
                raise self._failed(why, len(texts))
            self._pause.wait(_PAUSE_SECONDS * 2**tries * random.uniform(0.8, 1.2))  # noqa: S311

    def _request(self, texts: list[str], kind: Kind, key: str) -> Request:
        chosen = self.profile.dimensions if self._model.dimensions_allowed else None
        return self._protocol.request(self._model.call_name, texts, kind, chosen, key)

    def _answer(self, body: Any) -> Answer:
        try:
            return self._protocol.answer(body)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise TransientError("an answer without vectors") from None

    def _checked(self, rows: Any, texts: int) -> Array:
        return checked_vectors(rows, texts, self._dimensions, normalise=self.profile.normalise)

    def ask_dimensions(self) -> None:
        """Put into the profile how long the model's vectors are; costs one request of one word.

        For models of the person's own servers, which no catalogue lists.
        """
        self._dimensions = None
        self._dimensions = int(self.embed(["dimensions"]).shape[1])
        self.profile = msgspec.structs.replace(self.profile, dimensions=self._dimensions)

    # --- length ----------------------------------------------------------------------------------

    def _check_length(self, index: int, text: str) -> None:
        """Refuse a text that is too long before anything is sent.

        Tokens are at least a byte each, so most texts need no count. Where none can be made here
        the provider decides: every protocol asks it to refuse and not to truncate.
        """
        most = self.profile.max_input_tokens
        if most is None or len(text) <= most // 4 or len(text.encode()) <= most:
            return
        if self._model.tokenizer is None:
            return
        if self._measure is None:
            self._measure = as_measure(self._model.tokenizer, [load_measure])
        tokens = self._measure(text)
        if tokens > most:
            raise too_large(index, tokens, most)

    # --- errors ----------------------------------------------------------------------------------

    def _refused(self, status: int, texts: int) -> ProviderError:
        if status in _NO_SUCH_MODEL:  # no text is the cause, so no other one is tried
            return ModelWithdrawnError(
                f"{self._name} does not have the model {self._model.call_name} (status {status}). "
                "What it made stays; to make all vectors by another model: "
                "cleanbreak embed WORLD --replace --model NAME",
                model=self._model.id,
                status=status,
            )
        return ProviderStatusError(
            f"{self._name} refused {texts} texts (status {status}); one may be too long for the "
            "model. Choose smaller chunks, or another model.",
            status=status,
            why=f"status {status}",
            texts=texts,
            retryable=False,
            reached=True,
        )

    def _failed(self, why: str, texts: int) -> ProviderStatusError:
        return ProviderStatusError(
            f"{self._name} failed {_TRIES} times ({why}) on a request of {texts} texts; what was "
            "stored before is safe. Try again later.",
            status=None,
            why=why,
            texts=texts,
            tries=_TRIES,
            retryable=True,
            reached=why not in _NOT_REACHED,
        )

    @property
    def _name(self) -> str:
        return self._provider.display_name or self._provider.id


def too_large(index: int, tokens: int, most: int) -> EmbeddingTooLargeError:
    """The error of a text that is longer than a model takes."""
    return EmbeddingTooLargeError(
        f"Text {index} has {tokens:,} tokens and the model takes {most:,}; cut it into smaller "
        "chunks, or choose the length policy split_and_combine.",
        index=index,
        tokens=tokens,
        max_input_tokens=most,
    )
