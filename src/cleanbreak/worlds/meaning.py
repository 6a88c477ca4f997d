"""Searching a world by meaning: its vectors, and the model that makes one of a query."""

from collections.abc import Iterable
from typing import Any

import msgspec

from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.retrieval.meaning import Nearest, best_of_chunks
from cleanbreak.worlds.layout import Book, Layout, slot_name
from cleanbreak.worlds.records import WorldRecord
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.embedding_record import load_record
from cleanbreak.worlds.stages.embeddings import Embeddings, MakeEmbedder, collection_of
from cleanbreak.worlds.vector_place import place_of

# How long a person waits for a provider before the words alone answer.
_DEADLINE_SECONDS = 3.0

# A chunk has about three passages of 400 characters; the nearest of each counts.
_PASSAGES_A_CHUNK = 4


class WorldMeaning:
    """The vectors of one world, kept open between searches; another process may write them.

    The store is opened when it is first asked, and again when its file was replaced.
    """

    def __init__(self, layout: Layout, record: WorldRecord, make: MakeEmbedder) -> None:
        self.profile = msgspec.convert(record.embedding_profile, EmbeddingProfile)
        self.weight = self.profile.fusion_weight
        self.world_uuid = record.world_uuid
        self.books: tuple[int, ...] = ()
        self.lacking: tuple[int, ...] = ()
        self.min_similarity: float | None = None
        self.place = place_of(record, layout)
        self._make = make
        self._embedder: Any = None
        self._store: Any = None
        self._file: tuple[int, int] | None = None

    def look_at(self, session: Session, books: Iterable[int]) -> None:
        """Search among these books, and note which of them lack vectors.

        Raises:
            StoreError: if the vectors cannot be read now.
        """
        self.books = tuple(books)
        self.lacking = tuple(
            number for number in self.books if not self._is_covered(session.layout.book(number))
        )

    def _is_covered(self, book: Book) -> bool:
        """Whether every chunk of a book has its vectors, as its record and the store have it."""
        record = load_record(book)
        if record is None or record.profile.key != self.profile.key:
            return False
        where = {"world_uuid": self.world_uuid, "book_number": book.number}
        points = int(self._opened().count(where))
        return record.done == record.total_chunks and points == record.points

    def nearest(self, query: str, most: int) -> list[Nearest]:
        """See `Meaning`."""
        store = self._opened()
        if self._embedder is None:
            self._embedder = self._make(self.profile)
        (vector,) = self._embedder.embed([query], "query", deadline_seconds=_DEADLINE_SECONDS)
        where = {"world_uuid": self.world_uuid, "book_number": list(self.books)}
        wanted = most * (_PASSAGES_A_CHUNK if self.profile.unit == "passages" else 1)
        found = store.query(vector, limit=wanted, where=where, score_threshold=self.min_similarity)
        return best_of_chunks(found, slot_name, most)

    def _opened(self) -> Any:
        file = self.place.version()
        if self._store is None or file != self._file:
            self._store = self.place.open(readonly=True)
            self._store.ensure_collection(
                "chunks", collection_of(self.profile), self.profile.dimensions
            )
            self._file = file
        return self._store


def meaning_of(session: Session, kept: WorldMeaning | None) -> WorldMeaning:
    """What finds by meaning in a session's world; `kept` if it is of the same profile."""
    profile = msgspec.convert(session.record.embedding_profile, EmbeddingProfile)
    place = place_of(session.record, session.layout)
    if kept is None or (kept.profile, kept.place) != (profile, place):
        (stage,) = (stage for stage in session.stages if isinstance(stage, Embeddings))
        kept = WorldMeaning(session.layout, session.record, stage.make)
    return kept
