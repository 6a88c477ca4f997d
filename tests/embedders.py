"""Embedders without a model, and what a world has of their vectors."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from providers.embedding_server import DIMENSIONS, vector_of


class Plain:
    """An object as a person might hand it in. It keeps what it was asked."""

    name = "plain/one"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text that only the text decides."""
        self.asked.append(list(texts))
        return [vector_of(text) for text in texts]

    @property
    def texts(self) -> list[str]:
        """Every text that it was asked for, without the one that asks for the dimensions."""
        return [text for texts in self.asked for text in texts if texts != ["dimensions"]]


def stored_vectors(root: Path) -> dict[tuple[int, int, int], list[float]]:
    """The vectors of a world by book, chunk and passage, as its file has them."""
    rows = "SELECT book_number, chunk_number, payload ->> 'passage_number', vector FROM points"
    with closing(sqlite3.connect(root / "vectors.sqlite")) as connection:
        return {
            (book, chunk, passage): np.frombuffer(vector, "<f4").tolist()
            for book, chunk, passage, vector in connection.execute(rows)
        }


def assert_vectors(root: Path, chunks: Iterable[tuple[int, int, str]]) -> None:
    """Each of the chunks, of (book, number, text), has the vector of its text, and no other is there."""
    stored = stored_vectors(root)
    texts = {(book, number, 0): text for book, number, text in chunks if text.strip()}
    assert stored.keys() == texts.keys()
    vectors = np.array([vector_of(texts[place]) for place in stored], np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    np.testing.assert_allclose(np.array(list(stored.values())), vectors, atol=1e-6)


assert len(vector_of("")) == DIMENSIONS
