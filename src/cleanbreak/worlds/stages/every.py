"""All stages of a world: those that every world has, and those that a caller hands in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.worlds.stages.chunks import Chunks
from cleanbreak.worlds.stages.embeddings import Embeddings
from cleanbreak.worlds.stages.fulltext import FullText
from cleanbreak.worlds.stages.stage import EMBEDDINGS, Stage, check_stages

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.embedder import Embedder


def every_stage(given: Sequence[object], recorded: Sequence[str]) -> tuple[Stage, ...]:
    """The stages that are at hand for a world whose ``world.json`` asks for `recorded`.

    Raises:
        SettingsError: if one of `given` is not a stage that can be added.
    """
    full_text = FullText()
    # The chunks stage hands its records to the full text while it writes them.
    own: list[Stage] = [Chunks(receiver=full_text), full_text]
    if EMBEDDINGS in recorded:
        own.append(Embeddings(embedder_for))
    return (*own, *check_stages(given, recorded))


def embedder_for(profile: EmbeddingProfile) -> "Embedder":
    """The embedder of a stored profile; its libraries are loaded when it has work."""
    from cleanbreak.providers.embedding import embedder_for as made_for

    return made_for(profile)
