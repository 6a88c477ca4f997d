"""Give a world vectors: choose the profile once, then run the stage that makes them."""

from typing import TYPE_CHECKING, Any

import msgspec

from cleanbreak.errors import ProfileLockedError, ProfileRequiredError
from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.stores.vectors.place import VectorStoreRecord
from cleanbreak.worlds.records import WorldRecord
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.embeddings import Embeddings, open_store, profile_of
from cleanbreak.worlds.stages.every import embedder_for
from cleanbreak.worlds.stages.stage import EMBEDDINGS, Stage
from cleanbreak.worlds.vector_place import check_store, place_of

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.embedder import Embedder


def embedder_of(embedding: Any, record: WorldRecord) -> "Embedder":
    """The embedder that a caller names or hands in, or that of the locked profile; it can work.

    Raises:
        ProfileRequiredError: if neither the caller nor the world has one.
        CleanbreakError: as `make_embedder`, or `Embedder.check`.
    """
    from cleanbreak.providers.embedding import make_embedder

    if embedding is None and record.embedding_profile is None:
        raise ProfileRequiredError(
            "Choose a model for the vectors, such as minilm: cleanbreak embed WORLD --model minilm"
        )
    if embedding is None:
        embedder = embedder_for(msgspec.convert(record.embedding_profile, EmbeddingProfile))
    elif hasattr(embedding, "profile") and hasattr(embedding, "most_texts"):
        embedder = embedding
    else:
        embedder = make_embedder(embedding)
    embedder.check()
    return embedder


def check_profile(session: Session, profile: EmbeddingProfile, *, replace: bool) -> bool:
    """Whether the vectors of another profile are to be removed.

    Raises:
        ProfileLockedError: if the world has another one and `replace` is not asked for.
    """
    locked = session.record.embedding_profile
    if locked is None:
        return False
    known = msgspec.convert(locked, EmbeddingProfile)
    if known.key != profile.key and not replace:
        raise ProfileLockedError(
            f"The vectors of this world are of {known.model_id}; those of {profile.model_id} "
            "cannot be compared with them. To make all of them again: "
            "cleanbreak embed WORLD --model NAME --replace",
            model=known.model_id,
        )
    return known.key != profile.key


def add_embeddings(
    session: Session,
    embedder: "Embedder",
    store: VectorStoreRecord | None = None,
    *,
    replace: bool,
) -> None:
    """Lock the profile, unless it is locked already, and let the session make its vectors.

    Raises:
        ProfileLockedError: as `check_profile`.
        StateConflictError: as `check_store`.
    """
    profile = embedder.profile
    differs = check_profile(session, profile, replace=replace)
    moves = check_store(session.record, store, replace=replace)
    if session.record.embedding_profile is not None and (differs or moves):
        _remove_vectors(session)
    session.given_stages = with_embeddings(session.given_stages, embedder)
    stages = tuple(dict.fromkeys((*session.record.stages, EMBEDDINGS)))
    if session.record.embedding_profile is None or replace:
        session.save(
            embedding_profile=msgspec.to_builtins(profile),
            stages=stages,
            vector_store=store or session.record.vector_store,
        )


def with_embeddings(stages: tuple[Stage, ...], embedder: "Embedder") -> tuple[Stage, ...]:
    """The stages of a world, with the one that makes vectors by this embedder."""
    others = tuple(stage for stage in stages if stage.name != EMBEDDINGS)
    return (*others, Embeddings(lambda _: embedder))


def _remove_vectors(session: Session) -> None:
    """Remove every vector of the old profile, before the new one is written down."""
    place = place_of(session.record, session.layout)
    if place.kind != "sqlite":
        if place.exists():  # other worlds may share a server, so only its own points go
            with open_store(session, profile_of(session)) as store:
                store.delete_where({"world_uuid": session.record.world_uuid})
        return
    for suffix in ("-wal", "-shm", ""):
        path = session.layout.vectors
        session.files.remove(path.with_name(path.name + suffix))
    session.files.sync_folder(session.layout.root)
