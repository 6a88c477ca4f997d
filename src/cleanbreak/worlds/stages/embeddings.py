"""The stage that gives every chunk its vectors, under one locked profile.

A vector counts only when the store has said that it is durable. What the store holds is compared
with the chunk files at the start of each run, by the digest of the text and the key of the profile:
so a lost manifest costs no call, a lost point costs one, and a chunk that changed is never found by
the vector of its old text.
"""

import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from cleanbreak.errors import (
    EmbedderError,
    EmbeddingError,
    ProviderStatusError,
    VectorStoreError,
)
from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.stores.vectors.collection import collection_name
from cleanbreak.stores.vectors.point import Point
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import Manifest, StoredChunk
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.chunk_files import stream_chunks
from cleanbreak.worlds.stages.embedding_record import (
    EmbeddingRecord,
    FailedChunk,
    encode_record,
    load_record,
)
from cleanbreak.worlds.stages.embedding_units import Unit, units_of
from cleanbreak.worlds.stages.stage import CHUNKS, EMBEDDINGS, Problem, Progress

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.embedder import Embedder
    from cleanbreak.providers.embedding.vectors import Array
    from cleanbreak.stores.vectors.store import VectorStore


# The manifest is written after this many chunks: it costs a sync, and a crash before it costs only
# that the store is asked again.
_GROUP = 256

# This number of chunks in a row that fail although each was tried several times mean that the model is
# away, and not that these chunks are bad.
_FAILURES_IN_A_ROW = 3

Failure = EmbeddingError | ProviderStatusError | EmbedderError
_FAILURES = (EmbeddingError, ProviderStatusError, EmbedderError)

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
            _BookRun(book, session, manifest, profile, store, self.make).run()
        session.cache.pop(EMBEDDINGS, None)

    def verify(self, book: Book, session: Session) -> Iterator[Problem]:
        """Whether every vector that is there is of the text that is there."""
        manifest = session.manifest(book)
        if manifest is None or not manifest.complete or not session.layout.vectors.exists():
            return
        profile = profile_of(session)
        try:
            with open_store(session, profile) as store:
                held = _held(store, session, book)
        except VectorStoreError as error:
            yield Problem(error.code, error.message)
            return
        record = load_record(book)
        complete = record is not None and record.done == manifest.total_chunks
        for chunk in stream_chunks(book, manifest):
            for unit in units_of(chunk, profile):
                found = held.pop(unit.id, None)
                if found is None and complete:
                    message = "A vector is missing; resume makes it again."
                    yield Problem("VECTOR_MISSING", message, book.number, chunk.chunk_number)
                elif found is not None and found != unit.digest:
                    message = "A vector is of other text than the chunk; resume makes it again."
                    yield Problem("VECTOR_STALE", message, book.number, chunk.chunk_number)
        if held:
            message = f"{len(held):,} vectors belong to no chunk; resume removes them."
            yield Problem("VECTOR_STALE", message, book.number)

    def discard(self, book: Book, session: Session) -> None:
        """Remove the book's vectors and their manifest."""
        if session.record.embedding_profile and session.layout.vectors.exists():
            with open_store(session, profile_of(session)) as store:
                store.delete_where(_place(session, book))
            session.cache.pop(EMBEDDINGS, None)
        session.files.remove(book.folder / "embeddings.json")


def profile_of(session: Session) -> EmbeddingProfile:
    """The profile that the world is locked to."""
    return msgspec.convert(session.record.embedding_profile, EmbeddingProfile)


def open_store(session: Session, profile: EmbeddingProfile) -> "VectorStore":
    """The store of a world, with the collection of the profile."""
    from cleanbreak.stores.vectors.sqlite import SqliteVectors

    store = SqliteVectors(session.layout.vectors)
    try:
        store.ensure_collection("chunks", collection_of(profile), profile.dimensions)
    except BaseException:
        store.close()
        raise
    return store


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
    """By book how many points the store has; read once a session."""
    if EMBEDDINGS not in session.cache:
        counts: dict[int, int] = {}
        if session.layout.vectors.exists():
            try:
                with open_store(session, profile_of(session)) as store:
                    counts = {
                        number: store.count(_place(session, session.layout.book(number)))
                        for number in session.book_numbers()
                    }
            except VectorStoreError:
                counts = {}  # `run` opens it again, and raises what is wrong
        session.cache[EMBEDDINGS] = counts
    found: dict[int, int] = session.cache[EMBEDDINGS]
    return found


def _held(store: "VectorStore", session: Session, book: Book) -> dict[bytes, str]:
    """By id the digest of the text of every point of a book; "" if it is of another profile."""
    key = profile_of(session).key
    return {
        found.bytes: payload["text_hash"] if payload["profile_key"] == key else ""
        for found, payload in store.scroll(_place(session, book))
    }


@dataclass(slots=True)
class _Embedded:
    """What became of one chunk: its points, or the code of its failure."""

    chunk: StoredChunk
    points: list[Point] = field(default_factory=list)
    error: Failure | None = None


@dataclass(slots=True)
class _BookRun:
    """One run of the stage for one book."""

    book: Book
    session: Session
    manifest: Manifest
    profile: EmbeddingProfile
    store: "VectorStore"
    make: MakeEmbedder
    done: int = 0
    blank: int = 0
    points: int = 0
    failed: list[FailedChunk] = field(default_factory=list)
    in_a_row: int = 0

    def run(self) -> None:
        held = _held(self.store, self.session, self.book)
        self._remove_stale(held)
        last_written = 0
        pending = self._pending(held)
        first = next(pending, None)
        if first is not None:
            embedder = self.make(self.profile)
            for batch in self._results(embedder, chain([first], pending)):
                self._take(batch)
                if self.done - last_written >= _GROUP:
                    self._write()
                    last_written = self.done
                self.session.report(self.done + self.blank, self.manifest.total_chunks)
                self.session.check_stop()
        self._write()
        self.session.report(self.done + self.blank, self.manifest.total_chunks)

    # --- what is to be done ----------------------------------------------------------------------

    def _remove_stale(self, held: dict[bytes, str]) -> None:
        """Remove the points whose text is not that of the chunk files, before others are made."""
        if not held:
            return
        wanted = {
            unit.id: unit.digest
            for chunk in stream_chunks(self.book, self.manifest)
            for unit in units_of(chunk, self.profile)
        }
        stale = [key for key, digest in held.items() if wanted.get(key) != digest]
        if stale:
            self.store.delete(uuid.UUID(bytes=key) for key in stale)
            for key in stale:
                del held[key]

    def _pending(self, held: dict[bytes, str]) -> Iterator[tuple[StoredChunk, list[Unit]]]:
        """The chunks that lack a point; the others are counted on the way."""
        for chunk in stream_chunks(self.book, self.manifest):
            units = units_of(chunk, self.profile)
            if not units:
                self.blank += 1
            elif all(unit.id in held for unit in units):
                self.done += 1
                self.points += len(units)
            else:
                yield chunk, units

    # --- doing it --------------------------------------------------------------------------------

    def _results(
        self, embedder: "Embedder", pending: Iterable[tuple[StoredChunk, list[Unit]]]
    ) -> Iterator[list[_Embedded]]:
        """What became of each batch of chunks, in order; some are under way at once."""
        pool = ThreadPoolExecutor(embedder.places)
        waiting: deque[Future[list[_Embedded]]] = deque()
        try:
            for batch in _batches(pending, embedder.most_texts):
                waiting.append(pool.submit(self._embed, embedder, batch))
                if len(waiting) >= 2 * embedder.places:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # After a stop or an error no further request is sent, and late answers are dropped.
            pool.shutdown(wait=False, cancel_futures=True)

    def _embed(
        self, embedder: "Embedder", batch: list[tuple[StoredChunk, list[Unit]]]
    ) -> list[_Embedded]:
        """The points of a batch; one that fails is halved until the guilty chunk stands alone."""
        texts = [unit.text for _, units in batch for unit in units]
        try:
            vectors = embedder.embed(texts, stop=self.session.options.wants_stop)
        except _FAILURES as error:
            if len(batch) == 1:
                return [_Embedded(batch[0][0], error=error)]
            middle = len(batch) // 2
            return [
                *self._embed(embedder, batch[:middle]),
                *self._embed(embedder, batch[middle:]),
            ]
        return list(self._embedded(batch, vectors))

    def _embedded(
        self, batch: list[tuple[StoredChunk, list[Unit]]], vectors: "Array"
    ) -> Iterator[_Embedded]:
        run_id = self.session.record.run.run_id if self.session.record.run else None
        at = 0
        for chunk, units in batch:
            points = [
                Point(uuid.UUID(bytes=unit.id), vector, unit.payload(run_id, self.profile))
                for unit, vector in zip(units, vectors[at : at + len(units)], strict=True)
            ]
            at += len(units)
            yield _Embedded(chunk, points)

    def _take(self, batch: list[_Embedded]) -> None:
        """Store the points of a batch; count its chunks when they are durable."""
        self.store.upsert([point for result in batch for point in result.points])
        for result in batch:
            if result.error is None:
                self.done += 1
                self.points += len(result.points)
                self.in_a_row = 0
            else:
                self._fail(result.chunk, result.error)

    def _fail(self, chunk: StoredChunk, error: Failure) -> None:
        self.failed.append(FailedChunk(chunk.chunk_number, error.code))
        if isinstance(error, EmbeddingError) or not error.details.get("retryable", True):
            return  # the chunk's own fault
        self.in_a_row += 1
        if self.in_a_row >= _FAILURES_IN_A_ROW:
            self._write()
            raise error

    def _write(self) -> None:
        run = self.session.record.run
        record = EmbeddingRecord(
            world_uuid=self.manifest.world_uuid,
            book_number=self.book.number,
            source_filename=self.manifest.source.filename,
            ingestion_run_id=run.run_id if run else None,
            profile=self.profile,
            chunks_sha256=self.manifest.chunks_sha256,
            total_chunks=self.manifest.total_chunks,
            embedded_chunks=self.done,
            skipped_blank_chunks=self.blank,
            points=self.points,
            failed=tuple(self.failed),
        )
        if record != load_record(self.book):
            self.session.files.write(self.book.folder / "embeddings.json", encode_record(record))


def _batches(
    pending: Iterable[tuple[StoredChunk, list[Unit]]], most_texts: int
) -> Iterator[list[tuple[StoredChunk, list[Unit]]]]:
    """Chunks with all their units, up to `most_texts` units where one chunk has not more."""
    batch: list[tuple[StoredChunk, list[Unit]]] = []
    size = 0
    for chunk, units in pending:
        if batch and size + len(units) > most_texts:
            yield batch
            batch, size = [], 0
        batch.append((chunk, units))
        size += len(units)
    if batch:
        yield batch
