"""One run of the stage of embeddings for one book: what is missing is made, what is stale removed."""

import uuid
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from cleanbreak.errors import (
    CleanbreakError,
    EmbedderError,
    EmbeddingError,
    ProviderError,
    ProviderStatusError,
    RunInterruptedError,
)
from cleanbreak.providers.embedding.drift import differing
from cleanbreak.providers.embedding.profile import EmbeddingProfile
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

if TYPE_CHECKING:
    from collections.abc import Callable

    from cleanbreak.providers.embedding.embedder import Embedder
    from cleanbreak.providers.embedding.vectors import Array
    from cleanbreak.stores.vectors.store import VectorStore

# The manifest is written after this many chunks: it costs a sync, and a crash before it costs only
# that the store is asked again.
_GROUP = 256

# This number of chunks in a row that fail although each was tried several times mean that the model is
# away, and not that these chunks are bad.
_FAILURES_IN_A_ROW = 3

# How often a caller is asked whether to stop while requests are under way.
_ASKS_EVERY_SECONDS = 0.5

Pending = tuple[StoredChunk, list[Unit]]
Failure = EmbeddingError | ProviderStatusError | EmbedderError
_FAILURES = (EmbeddingError, ProviderStatusError, EmbedderError)


@dataclass(slots=True)
class _Embedded:
    """What became of one chunk: its points, or the error of its failure."""

    chunk: StoredChunk
    points: list[Point] = field(default_factory=list)
    error: Failure | None = None


_Answer = Future[list[_Embedded]]


@dataclass(slots=True)
class BookRun:
    """Brings the vectors of one book to completion.

    ``held`` are the points that the store has, by id with the digest of their text; "" stands for
    a point of another profile.
    """

    book: Book
    session: Session
    manifest: Manifest
    profile: EmbeddingProfile
    store: "VectorStore"
    make: "Callable[[EmbeddingProfile], Embedder]"
    held: dict[bytes, str]
    done: int = 0
    blank: int = 0
    points: int = 0
    failed: list[FailedChunk] = field(default_factory=list)
    in_a_row: int = 0
    answered_by: str | None = None
    _written: int = 0

    def run(self) -> None:
        """Remove what is stale, then make what is missing.

        Raises:
            ProviderError: if no key may be used, or the provider is away.
            RunInterruptedError: if stopped; late answers change nothing.
            StoreError: if the store or the disk fails.
        """
        self._compare()
        try:
            self._make_missing()
        except (RunInterruptedError, ProviderError, EmbedderError):
            self._write()  # what the store has is counted, so that status can say it
            raise
        self._write()
        self._report()

    def _make_missing(self) -> None:
        pending = self._pending()
        first = next(pending, None)
        if first is None:
            return
        embedder = self.make(self.profile)
        try:
            self._make_all(embedder, chain([first], pending))
        finally:
            self._note(embedder)

    def _make_all(self, embedder: "Embedder", pending: Iterable[Pending]) -> None:
        for batch in self._results(embedder, pending):
            self._take(batch)
            # A manifest is as long as its failures are many, so the more there are the less often
            # it is written: the bytes written stay in proportion to the book.
            if self.done - self._written >= max(_GROUP, len(self.failed)):
                self._write()
            self._report()
            self.session.check_stop()

    # --- what is to be done ----------------------------------------------------------------------

    def _compare(self) -> None:
        """Count the chunks whose points are there, and remove every point that is not of them.

        Stale points go before others are made, so that no search finds a chunk by the vector of
        text that it no longer has.
        """
        right: set[bytes] = set()
        wrong: set[bytes] = set()
        seen = 0
        for chunk in stream_chunks(self.book, self.manifest):
            seen += 1
            units = units_of(chunk, self.profile)
            same = [unit.id for unit in units if self.held.get(unit.id) == unit.digest]
            right.update(same)
            wrong.update(unit.id for unit in units)
            self.blank += not units
            self.done += bool(units) and len(same) == len(units)
        if seen == self.manifest.total_chunks:
            wrong.update(self.held)
        # Else a chunk file is damaged. The points of the chunks behind it were paid for, and are
        # right again when it is repaired.
        stale = (wrong & self.held.keys()) - right
        if stale:
            self.store.delete(uuid.UUID(bytes=key) for key in stale)
            for key in stale:
                del self.held[key]
        self.points = len(self.held)

    def _pending(self) -> Iterator[Pending]:
        """The chunks that lack a point, in the order of the book."""
        if self.done + self.blank == self.manifest.total_chunks:
            return
        for chunk in stream_chunks(self.book, self.manifest):
            units = units_of(chunk, self.profile)
            if not all(unit.id in self.held for unit in units):
                yield chunk, units

    # --- doing it --------------------------------------------------------------------------------

    def _results(
        self, embedder: "Embedder", pending: Iterable[Pending]
    ) -> Iterator[list[_Embedded]]:
        """What became of each batch of chunks, as they end; some are under way at once.

        What was answered is handed on at once, so that a crash loses only what is under way.
        """
        pool = ThreadPoolExecutor(embedder.places)
        under_way: set[_Answer] = set()
        try:
            for batch in _batches(pending, embedder.most_texts):
                under_way.add(pool.submit(self._embed, embedder, batch))
                # One more than there are places, so that none is empty while points are stored.
                if len(under_way) > embedder.places:
                    yield from self._ended(under_way)
            while under_way:
                yield from self._ended(under_way)
        except RunInterruptedError:
            raise
        except CleanbreakError:
            # What is under way will be paid for: it is waited for and kept.
            for future in under_way:
                future.cancel()
            while under_way:
                for future in self._wait(under_way):
                    if not future.cancelled() and future.exception() is None:
                        yield future.result()
            raise
        finally:
            # After a stop no further request is sent, and late answers are dropped.
            pool.shutdown(wait=False, cancel_futures=True)

    def _ended(self, under_way: set[_Answer]) -> Iterator[list[_Embedded]]:
        """The batches that have ended, at least one; those that raise come last."""
        for future in sorted(self._wait(under_way), key=lambda one: one.exception() is not None):
            yield future.result()

    def _wait(self, under_way: set[_Answer]) -> set[_Answer]:
        """Take out those that have ended, at least one; asks meanwhile whether to stop."""
        ended: set[_Answer] = set()
        while not ended:
            ended, _ = wait(under_way, _ASKS_EVERY_SECONDS, FIRST_COMPLETED)
            if not ended:
                self.session.check_stop()
        under_way -= ended
        return ended

    def _embed(self, embedder: "Embedder", batch: list[Pending]) -> list[_Embedded]:
        """The points of a batch; one that fails is halved until the guilty chunk stands alone.

        Where chunk after chunk fails by no fault of its own, the rest is not tried: it stays
        pending.
        """
        results: list[_Embedded] = []
        waiting, in_a_row = [batch], 0
        while waiting and in_a_row < _FAILURES_IN_A_ROW:
            some = waiting.pop()
            texts = [unit.text for _, units in some for unit in units]
            try:
                vectors = embedder.embed(texts, stop=self.session.options.wants_stop)
            except _FAILURES as error:
                if isinstance(error, ProviderStatusError) and not error.details.get("reached"):
                    raise  # no request arrives, so no chunk is guilty
                if len(some) > 1:
                    middle = len(some) // 2
                    waiting += [some[middle:], some[:middle]]
                else:
                    results.append(_Embedded(some[0][0], error=error))
                    in_a_row += _may_pass(error)
            else:
                results += self._embedded(some, vectors)
                in_a_row = 0
        return results

    def _embedded(self, batch: list[Pending], vectors: "Array") -> Iterator[_Embedded]:
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
        points = [point for result in batch for point in result.points]
        self.store.upsert(points)
        self.points += sum(point.id.bytes not in self.held for point in points)
        for result in batch:
            if result.error is None:
                self.done += 1
                self.in_a_row = 0
            else:
                self._fail(result.chunk, result.error)

    def _fail(self, chunk: StoredChunk, error: Failure) -> None:
        tries = int(error.details.get("tries", 1))
        self.failed.append(FailedChunk(chunk.chunk_number, error.code, tries))
        if not _may_pass(error):
            return
        self.in_a_row += 1
        if self.in_a_row >= _FAILURES_IN_A_ROW:
            raise error

    def _note(self, embedder: "Embedder") -> None:
        """Warn of what a person should know of the model and its provider."""
        model, before = self.profile.model_id, load_record(self.book)
        known = before.answered_by if before else None
        self.answered_by = embedder.answered_by or known
        if embedder.was_limited:
            self.session.warn(
                "EMBEDDING_PROVIDER_RATE_LIMITED",
                f"The provider limited the requests for {model}; the work waited, or used another key.",
            )
        if known and embedder.answered_by not in (None, known):
            self.session.warn(
                "PROFILE_MODEL_DRIFT",
                f"{known} made the vectors of {model} before, and {embedder.answered_by} does now; "
                "if searches got worse, delete vectors.sqlite and run embed again.",
            )
        if fields := differing(self.profile):
            self.session.warn(
                "PROFILE_CATALOGUE_DIFFERS",
                f"The catalogue says something else of {model} than the world is locked to "
                f"({', '.join(fields)}); the world's settings hold.",
            )

    # --- saying it -------------------------------------------------------------------------------

    def _report(self) -> None:
        self.session.report(self.done + self.blank, self.manifest.total_chunks)

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
            answered_by=self.answered_by,
            failed=tuple(sorted(self.failed, key=lambda one: one.chunk_number)),
        )
        self._written = self.done
        if record != load_record(self.book):
            self.session.files.write(self.book.folder / "embeddings.json", encode_record(record))


def _may_pass(error: Failure) -> bool:
    """Whether a failure says more of the model than of the chunk."""
    return not isinstance(error, EmbeddingError) and bool(error.details.get("retryable", True))


def _batches(pending: Iterable[Pending], most_texts: int) -> Iterator[list[Pending]]:
    """Chunks with all their units, up to `most_texts` units where one chunk has not more."""
    batch: list[Pending] = []
    size = 0
    for chunk, units in pending:
        if batch and size + len(units) > most_texts:
            yield batch
            batch, size = [], 0
        batch.append((chunk, units))
        size += len(units)
    if batch:
        yield batch
