"""What of a chunk gets a vector: the chunk, or its passages."""

import hashlib
from dataclasses import dataclass

from cleanbreak.providers.embedding.passages import passages
from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.stores.vectors.point import Payload, chunk_point_id
from cleanbreak.worlds.records import StoredChunk


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of text that gets a vector, as a span of its chunk's document."""

    chunk: StoredChunk
    passage: int | None
    start: int
    end: int

    @property
    def text(self) -> str:
        """The exact text."""
        first = self.chunk.character_start_offset
        return self.chunk.chunk_text[self.start - first : self.end - first]

    @property
    def digest(self) -> str:
        """The SHA-256 of the text in UTF-8."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def id(self) -> bytes:
        """The id of its slot in the store."""
        chunk = self.chunk
        return chunk_point_id(
            chunk.world_uuid, chunk.book_number, chunk.chunk_number, self.passage
        ).bytes

    def payload(self, run_id: str | None, profile: EmbeddingProfile) -> Payload:
        """The facts that prove the point, for a store."""
        chunk = self.chunk
        return {
            "world_uuid": chunk.world_uuid,
            "ingestion_run_id": run_id or "",
            "source_filename": chunk.source_filename or "",
            "book_number": chunk.book_number,
            "chunk_number": chunk.chunk_number,
            "chunk_position": chunk.chunk_number,
            "passage_number": 0 if self.passage is None else self.passage,
            "character_start_offset": self.start,
            "character_end_offset": self.end,
            "embedding_provider_id": profile.provider_id,
            "embedding_model_id": profile.model_id,
            "profile_key": profile.key,
            "text_hash": self.digest,
        }


def units_of(chunk: StoredChunk, profile: EmbeddingProfile) -> list[Unit]:
    """The units of a chunk; none for one that is blank, whose vector would mean nothing."""
    if not chunk.chunk_text.strip():
        return []
    start, end = chunk.character_start_offset, chunk.character_end_offset
    if profile.unit == "chunk":
        return [Unit(chunk, None, start, end)]
    spans = passages(chunk.chunk_text)
    return [
        Unit(chunk, number, start + first, start + last)
        for number, (first, last) in enumerate(spans, 1)
    ]
