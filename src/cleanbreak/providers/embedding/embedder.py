"""Who makes vectors: the part of an embedder that stages and searches rely on."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from cleanbreak.providers.clients.protocol import Kind
from cleanbreak.providers.embedding.profile import EmbeddingProfile

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.vectors import Array

Stop = Callable[[], bool]


class Embedder(Protocol):
    """Makes vectors under one profile. Safe between threads.

    Every implementation gives one vector for each text, of the profile's dimensions, finite and not
    zero, of length 1 where the profile says so; and the same for the same text, alone or among
    others, within the rounding of its model.
    """

    profile: EmbeddingProfile
    most_texts: int
    """How many texts a call should have at most, for a caller that reports or stores by calls."""
    places: int
    """How many calls pay off at the same time."""

    answered_by: str | None
    """What the provider last called the model that answered, where it says so."""
    was_limited: bool
    """Whether a limit of the provider held the work up."""

    def check(self) -> None:
        """See that vectors can be made, before anything is written.

        Raises:
            KeysMissingError: if no key allows the model.
        """

    def embed(
        self,
        texts: Sequence[str],
        kind: Kind = "document",
        *,
        deadline_seconds: float | None = None,
        stop: Stop | None = None,
    ) -> "Array":
        """One vector for each text: float32, of shape (texts, dimensions).

        Args:
            texts: of any length each; the profile says what happens to one that is too long.
            kind: whether they are to be found, or to find by.
            deadline_seconds: how long to wait for a free key.
            stop: asked while waiting whether to give up.

        Raises:
            EmbeddingTooLargeError: if a text is longer than the model takes, and is not to be cut.
            EmbeddingFailedError: if the model failed, after retries where they may help.
            ProviderError: if no key may be used.
        """
