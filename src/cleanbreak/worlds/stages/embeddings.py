"""The stage that gives every chunk its vectors, under one locked profile.

A vector counts only when the store has said that it is durable. What the store holds is compared
with the chunk files at the start of each run, by the digest of the text and the key of the profile:
so a lost manifest costs no call, a lost point costs one, and a chunk that changed is never found by
the vector of its old text.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from cleanbreak.errors import StoreError, VectorCollectionMissingError
from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.stores.vectors.collection import collection_name
from cleanbreak.stores.vectors.place import VectorPlace
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import Manifest
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.chunk_files import stream_chunks
from cleanbreak.worlds.stages.embedding_record import EmbeddingRecord, load_record
from cleanbreak.worlds.stages.embedding_run import BookRun
from cleanbreak.worlds.stages.embedding_units import units_of
from cleanbreak.worlds.stages.stage import CHUNKS, EMBEDDINGS, Problem, Progress
from cleanbreak.worlds.vector_place import place_of

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.embedder import Embedder
    from cleanbreak.stores.vectors.store import VectorStore

MakeEmbedder = Callable[[EmbeddingProfile], "Embedder"]


class Embeddings:
    """Keeps one vector a unit in ``vectors.sqlite``, and the progress in ``embeddings.json``.

    Args:
        make: gives the embedder of a profile; called when a book has work.
    """

    name = EMBEDDINGS
    needs: tuple[str, ...] = (CHUNKS,)

    def __init__(self, make: MakeEmbedder) -> None:
        self.make = make

    def progress(self, book: Book, session: Session) -> Progress:
        """The chunks whose vectors the manifest counts and the store has."""
        manifest = session.manifest(book)
        if manifest is None:
            return Progress(0, None)
        record = load_record(book)
        if record is None or not _is_of(record, manifest, profile_of(session)):
            return Progress(0, manifest.total_chunks)
        if _points(session).get(book.number, 0) != record.points:
            return Progress(0, manifest.total_chunks)
        return Progress(record.done, manifest.total_chunks, len(record.failed))

    def run(self, book: Book, session: Session) -> None:
        """Make the vectors that are missing, and remove those of text that is gone.

        Raises:
            ProviderError: if no key may be used, or the provider is away.
            StoreError: if the store or the disk fails.
        """
        manifest = session.manifest(book)
        if manifest is None:
            return
        profile = profile_of(session)
        with open_store(session, profile) as store:
            held = held_points(store, session, book, profile)
            work = BookRun(book, session, manifest, profile, store, self.make, held)
            try:
                work.run()
            finally:
                session.cache.get(EMBEDDINGS, {})[book.number] = work.points

    def verify(self, book: Book, session: Session) -> Iterator[Problem]:
        """Whether every vector that is there is of the text that is there."""
        manifest = session.manifest(book)
        if manifest is None or not manifest.complete or not _place_of(session).exists():
            return
        profile = profile_of(session)
        try:
            with open_store(session, profile, readonly=True) as store:
                held = held_points(store, session, book, profile)
        except VectorCollectionMissingError:
            held = {}
        except StoreError as error:
            yield Problem(error.code, error.message)
            return
        record = load_record(book)
        complete = record is not None and record.done == manifest.total_chunks
        seen = 0
        for chunk in stream_chunks(book, manifest):
            seen += 1
            for unit in units_of(chunk, profile):
                found = held.pop(unit.id, None)
                if found is None and complete:
                    message = "A vector is missing; resume makes it again."
                    yield Problem("VECTOR_MISSING", message, book.number, chunk.chunk_number)
                elif found is not None and found != unit.digest:
                    message = "A vector is of other text than the chunk; resume makes it again."
                    yield Problem("VECTOR_STALE", message, book.number, chunk.chunk_number)
        if held and seen == manifest.total_chunks:
            message = f"{len(held):,} vectors belong to no chunk; resume removes them."
            yield Problem("VECTOR_STALE", message, book.number)

    def discard(self, book: Book, session: Session) -> None:
        """Remove the book's vectors and their manifest."""
        if session.record.embedding_profile and _place_of(session).exists():
            with open_store(session, profile_of(session)) as store:
                store.delete_where(_place(session, book))
            session.cache.get(EMBEDDINGS, {}).pop(book.number, None)
        session.files.remove(book.folder / "embeddings.json")


def profile_of(session: Session) -> EmbeddingProfile:
    """The profile that the world is locked to."""
    return msgspec.convert(session.record.embedding_profile, EmbeddingProfile)


def open_store(
    session: Session, profile: EmbeddingProfile, *, readonly: bool = False
) -> "VectorStore":
    """The store of a world, with the collection of the profile."""
    store = _place_of(session).open(readonly=readonly)
    try:
        store.ensure_collection("chunks", collection_of(profile), profile.dimensions)
    except BaseException:
        store.close()
        raise
    return store


def _place_of(session: Session) -> VectorPlace:
    return place_of(session.record, session.layout)


def collection_of(profile: EmbeddingProfile) -> str:
    """The name of the vectors of a profile."""
    return collection_name(
        "chunks",
        profile.provider_id,
        profile.model_id,
        profile.dimensions,
        profile.task_type,
        f"v{profile.profile_version}",
        key=profile.key,
    )


def _is_of(record: EmbeddingRecord, manifest: Manifest, profile: EmbeddingProfile) -> bool:
    return record.chunks_sha256 == manifest.chunks_sha256 and record.profile.key == profile.key


def _place(session: Session, book: Book) -> dict[str, str | int]:
    return {"world_uuid": session.record.world_uuid, "book_number": book.number}


def _points(session: Session) -> dict[int, int]:
    """By book how many points the store has; counted once a session, and kept by `run`."""
    if EMBEDDINGS not in session.cache:
        session.cache[EMBEDDINGS] = _counts(session)
    found: dict[int, int] = session.cache[EMBEDDINGS]
    return found


def _counts(session: Session) -> dict[int, int]:
    if not _place_of(session).exists():
        return {}
    try:
        with open_store(session, profile_of(session), readonly=True) as store:
            return {
                number: store.count(_place(session, session.layout.book(number)))
                for number in session.book_numbers()
            }
    except StoreError:
        return {}  # `run` opens it again, and raises what is wrong


def held_points(
    store: "VectorStore", session: Session, book: Book, profile: EmbeddingProfile
) -> dict[bytes, str]:
    """By id the digest of the text of every point of a book; "" if it is of another profile."""
    return {
        found.bytes: payload["text_hash"] if payload["profile_key"] == profile.key else ""
        for found, payload in store.scroll(_place(session, book))
    }
