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

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.embedder import Embedder


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
        replace: bool = False,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> RunReport:
        """Give every chunk its vectors, so that it is found by its meaning too.

        The first call locks the world to the model; later books get vectors when they are ingested.
        What has a vector already costs nothing, also after a crash.

        Args:
            embedding: what `make_embedder` takes, or an embedder; by default the locked one.
            replace: remove all vectors of another model, and make them again.
            on_progress: called after each batch of chunks.
            stop: asked after each batch; true ends the run, paused.

        Raises:
            ProfileRequiredError: if no model was ever chosen.
            ProfileLockedError: if the world has vectors of another model.
            ProviderError: if no key may be used, or the provider is away; what was made is kept.
            CleanbreakError: as `make_embedder`; nothing was written.
        """
        embedder = embedder_of(embedding, self._record)
        with self._writing(Options(False, stop, on_progress)) as session:
            self._lock_to(embedder, session, replace=replace)
            report = run.run(session, ())
        for failure in report.failures:
            if isinstance(failure.error, run.ENDS_STAGE):
                raise failure.error
        return report

    def _chosen(self, embedding: object) -> "Embedder | None":
        """The embedder that is asked for, which can work; none where none is."""
        return None if embedding is None else embedder_of(embedding, self._record)

    def _lock_to(
        self, embedder: "Embedder | None", session: Session, *, replace: bool = False
    ) -> None:
        """Write the profile down, unless it is locked already, and use the embedder from now on."""
        if embedder is not None:
            add_embeddings(session, embedder, replace=replace)
            self._stages = session.given_stages
