"""The part of a world that gives its chunks vectors."""

from typing import TYPE_CHECKING

import msgspec

from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.worlds import run
from cleanbreak.worlds.embedding import add_embeddings, check_profile, embedder_of
from cleanbreak.worlds.embedding_cost import EmbeddingCost, cost_of
from cleanbreak.worlds.opening import reading
from cleanbreak.worlds.readable import ReadableWorld
from cleanbreak.worlds.reports import RunReport
from cleanbreak.worlds.session import OnProgress, Options, Session, Stop
from cleanbreak.worlds.vector_place import chosen_store

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.embedder import Embedder
    from cleanbreak.stores.vectors.place import VectorStoreRecord


class EmbeddableWorld(ReadableWorld):
    """A `World` as far as its vectors go."""

    @property
    def embedding_profile(self) -> EmbeddingProfile | None:
        """How the vectors of this world are made; ``None`` until `embed` was called."""
        locked = self._record.embedding_profile
        return None if locked is None else msgspec.convert(locked, EmbeddingProfile)

    def embedding_cost(
        self, embedding: object = None, *, replace: bool = False, characters: int = 0
    ) -> EmbeddingCost:
        """What `embed` would send, and what it costs; nothing is written, and nothing is sent.

        Args:
            embedding: as for `embed`.
            replace: as for `embed`.
            characters: of text that is to be cut yet; four are taken for a token.

        Raises: as `embed` does before it writes.
        """
        embedder = embedder_of(embedding, self._record)
        with reading():
            session = self._reader()
            check_profile(session, embedder.profile, replace=replace)
            return cost_of(session, embedder.profile, characters)

    def embed(
        self,
        embedding: object = None,
        *,
        store: str | None = None,
        address: str | None = None,
        replace: bool = False,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> RunReport:
        """Give every chunk its vectors, so that it is found by its meaning too.

        The first call locks the world to the model; later books get vectors when they are ingested.
        What has a vector already costs nothing, also after a crash.

        Args:
            embedding: what `make_embedder` takes, or an embedder; by default the locked one.
            store: ``"sqlite"``, a file of the world, or ``"qdrant"``; by default the one it has.
            address: of a Qdrant server; by default that of ``QDRANT_URL``, or else a folder among
                the user's data, which one process at a time can use.
            replace: remove all vectors of another model or in another store, and make them again.
            on_progress: called after each batch of chunks.
            stop: asked after each batch; true ends the run, paused.

        Raises:
            ProfileRequiredError: if no model was ever chosen.
            ProfileLockedError: if the world has vectors of another model.
            StateConflictError: if it has vectors in another store.
            ProviderError: if no key may be used, or the provider is away; what was made is kept.
            CleanbreakError: as `make_embedder`; nothing was written.
        """
        asked = chosen_store(store, address)
        embedder = embedder_of(embedding, self._record)
        with self._writing(Options(False, stop, on_progress)) as session:
            self._lock_to(embedder, session, asked, replace=replace)
            report = run.run(session, ())
        for failure in report.failures:
            if isinstance(failure.error, run.ENDS_STAGE):
                raise failure.error
        return report

    def _chosen(self, embedding: object) -> "Embedder | None":
        """The embedder that is asked for, which can work; none where none is."""
        return None if embedding is None else embedder_of(embedding, self._record)

    def _lock_to(
        self,
        embedder: "Embedder | None",
        session: Session,
        store: "VectorStoreRecord | None" = None,
        *,
        replace: bool = False,
    ) -> None:
        """Write the profile down, unless it is locked already, and use the embedder from now on."""
        if embedder is not None:
            add_embeddings(session, embedder, store, replace=replace)
            self._stages = session.given_stages
