"""Vectors of a model, kept on the disk by the digest of their text, so that each is made once."""

import hashlib
import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cleanbreak.providers.clients.protocol import Kind
from cleanbreak.providers.embedding.embedder import Embedder
from cleanbreak.providers.embedding.vectors import Array

# Vectors that are made between two commits.
_GROUP = 2_048


def cache_path() -> Path:
    """Where vectors are kept: CLEANBREAK_BENCH_VECTORS, or the folder of the project."""
    default = Path(__file__).parents[1] / ".bench" / "vectors.sqlite"
    return Path(os.environ.get("CLEANBREAK_BENCH_VECTORS", default))


class CachedVectors:
    """Vectors of texts, in 16 bits on the disk: it changes a cosine by less than 0.001."""

    def __init__(self, embedder: Embedder) -> None:
        path = cache_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        self.embedder = embedder
        self._kept = sqlite3.connect(path, timeout=600)
        self._kept.execute("PRAGMA journal_mode = WAL")
        self._kept.execute(
            "CREATE TABLE IF NOT EXISTS vectors (digest BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"
        )

    def of(self, texts: Sequence[str], kind: Kind = "document") -> Array:
        """One vector for each text."""
        digests = [self._digest(text, kind) for text in texts]
        missing = dict(zip(digests, texts, strict=True))
        for digest in list(missing):
            if self._row(digest) is not None:
                del missing[digest]
        self._make(missing, kind)
        rows = (self._row(digest) for digest in digests)
        return np.stack([np.frombuffer(row or b"", "<f2") for row in rows]).astype(np.float32)

    def _make(self, missing: dict[bytes, str], kind: Kind) -> None:
        # By length, since a batch costs as much as its longest text times its size.
        wanted = sorted(missing.items(), key=lambda item: len(item[1]))
        for start in range(0, len(wanted), _GROUP):
            group = wanted[start : start + _GROUP]
            vectors = self.embedder.embed([text for _, text in group], kind).astype("<f2")
            with self._kept:
                self._kept.executemany(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                    [
                        (digest, row.tobytes())
                        for (digest, _), row in zip(group, vectors, strict=True)
                    ],
                )

    def _digest(self, text: str, kind: Kind) -> bytes:
        named = self.embedder.profile.key + (" query" if kind == "query" else "")
        return hashlib.sha256(f"{named} {text}".encode()).digest()[:16]

    def _row(self, digest: bytes) -> bytes | None:
        row = self._kept.execute(
            "SELECT vector FROM vectors WHERE digest = ?", (digest,)
        ).fetchone()
        return row[0] if row else None


def cpu_seconds(embedder: Embedder, texts: Sequence[str]) -> float:
    """What it costs to embed these texts, in CPU seconds of all threads."""
    begun = time.process_time()
    embedder.embed(list(texts))
    return time.process_time() - begun
