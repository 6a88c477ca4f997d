"""Vectors from an ONNX model and its tokenizer, in this process."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cleanbreak.errors import (
    DependencyMissingError,
    EmbedderError,
    EmbeddingInvalidError,
    ModelMalformedError,
)
from cleanbreak.providers.clients.protocol import Kind
from cleanbreak.providers.embedding.embedder import Stop
from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.providers.embedding.remote import too_large
from cleanbreak.providers.embedding.vectors import Array, checked_vectors, combined

MODEL_FILE, TOKENIZER_FILE = "model.onnx", "tokenizer.json"

# Texts that go through the model together. They are sorted by length first: a batch costs as much
# as its longest text times its size, and small ones fit the caches of the processor.
_BATCH = 16


class OnnxModel:
    """A model and its tokenizer; loaded when first used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def tokens(self, texts: Sequence[str]) -> list[Any]:
        """The tokenizer's encodings, with special tokens and without truncation."""
        encodings: list[Any] = self._parts()[1].encode_batch(list(texts))
        return encodings

    def run(self, rows: Sequence[Sequence[int]]) -> Array:
        """The vectors of texts."""
        session, _ = self._parts()
        longest = max(map(len, rows))
        ids = np.zeros((len(rows), longest), np.int64)
        mask = np.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        names = {entry.name for entry in session.get_inputs()}
        try:
            found = session.run(None, {name: feeds[name] for name in names & feeds.keys()})
        except Exception as error:  # noqa: BLE001 (the library raises classes of its own)
            kind = type(error).__name__
            raise EmbedderError(
                f"The model failed ({kind}) on {len(rows)} texts; check that {MODEL_FILE} and "
                f"{TOKENIZER_FILE} belong together.",
                kind=kind,
                texts=len(rows),
            ) from None
        pooled = next((array for array in found if array.ndim == 2), None)
        tokens = next((array for array in found if array.ndim == 3), None)
        if pooled is None and tokens is None:
            raise _malformed(MODEL_FILE, "gives no vectors")
        return _mean(tokens, mask) if pooled is None else pooled

    def _parts(self) -> tuple[Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._folder)
            return self._loaded


def _load(folder: Path) -> tuple[Any, Any]:
    try:
        import onnxruntime

        from tokenizers import Tokenizer
    except ImportError as error:
        raise DependencyMissingError(
            "Models on this machine need more packages: pip install 'cleanbreak[local]'",
            package=error.name,
            extra="local",
        ) from None
    for name in (MODEL_FILE, TOKENIZER_FILE):
        if not (folder / name).is_file():
            raise _malformed(name, "is missing")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = os.cpu_count() or 1
    try:
        session = onnxruntime.InferenceSession(
            folder / MODEL_FILE, options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        raise _malformed(MODEL_FILE, "cannot be loaded") from error
    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
    except Exception as error:
        raise _malformed(TOKENIZER_FILE, "cannot be loaded") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return session, tokenizer


def _mean(tokens: Any, mask: Any) -> Array:
    wide = mask[:, :, None].astype(tokens.dtype)
    mean: Array = (tokens * wide).sum(axis=1) / wide.sum(axis=1)
    return mean


def _malformed(name: str, why: str) -> ModelMalformedError:
    return ModelMalformedError(
        f"{name!r} of the model {why}; install the model again, or check the folder.", name=name
    )


class _Piece(NamedTuple):
    """Tokens that go through the model together, and how many of them are of the text."""

    ids: list[int]
    weight: int


class LocalEmbedder:
    """Vectors of a model on this machine. Nothing is ever truncated."""

    # Enough that sorting by length pays, and few enough that a stop is heard in a second or two.
    most_texts = 64
    places = 1
    answered_by: str | None = None
    was_limited = False

    def __init__(self, profile: EmbeddingProfile, model: OnnxModel) -> None:
        self.profile = profile
        self._model = model

    def check(self) -> None:
        """See `Embedder`: the model needs no key."""

    def embed(
        self,
        texts: Sequence[str],
        kind: Kind = "document",
        *,
        deadline_seconds: float | None = None,  # noqa: ARG002 (waits for nobody)
        stop: Stop | None = None,  # noqa: ARG002
    ) -> Array:
        """See `Embedder`."""
        profile = self.profile
        if not texts:
            return checked_vectors([], 0, profile.dimensions, normalise=True)
        prefix = profile.query_prefix if kind == "query" else profile.document_prefix
        inputs = [prefix + text for text in texts]
        encodings = self._model.tokens(inputs)
        pieces = [self._pieces(index, encoding) for index, encoding in enumerate(encodings)]
        vectors = self._vectors([piece.ids for of_text in pieces for piece in of_text])
        return vectors if len(vectors) == len(texts) else _joined(vectors, pieces)

    def _pieces(self, index: int, encoding: Any) -> list[_Piece]:
        """The tokens as the model can take them: whole, or cut where the profile allows it.

        Each piece gets the special tokens that the tokenizer puts around a text.
        """
        ids: list[int] = encoding.ids
        if not ids:
            raise EmbeddingInvalidError(
                f"Text {index} has no tokens for this model, so it has no vector.", index=index
            )
        most = self.profile.max_input_tokens
        if most is None or len(ids) <= most:
            return [_Piece(ids, len(ids))]
        if self.profile.max_length_policy == "block":
            raise too_large(index, len(ids), most)
        special: list[int] = encoding.special_tokens_mask
        start, end = special.index(0), len(ids) - special[::-1].index(0)
        room = max(1, most - start - (len(ids) - end))
        inner = [ids[at : min(at + room, end)] for at in range(start, end, room)]
        return [_Piece([*ids[:start], *own, *ids[end:]], len(own)) for own in inner]

    def _vectors(self, rows: list[list[int]]) -> Array:
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        vectors = np.empty((len(rows), self.profile.dimensions), np.float32)
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            pooled = self._model.run([rows[place] for place in places])
            vectors[places] = checked_vectors(
                pooled, len(places), self.profile.dimensions, normalise=self.profile.normalise
            )
        return vectors


def _joined(vectors: Array, pieces: list[list[_Piece]]) -> Array:
    """One vector a text, of its pieces by their lengths."""
    rows, at = [], 0
    for of_text in pieces:
        end = at + len(of_text)
        rows.append(combined(vectors[at:end], [piece.weight for piece in of_text]))
        at = end
    return np.stack(rows)
