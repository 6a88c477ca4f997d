"""Vectors of texts: what decides them, and who makes them."""

from cleanbreak.providers.embedding.embedder import Embedder
from cleanbreak.providers.embedding.make import embedder_for, make_embedder
from cleanbreak.providers.embedding.profile import EmbeddingProfile

__all__ = ["Embedder", "EmbeddingProfile", "embedder_for", "make_embedder"]
