"""What it will cost to give a world its vectors, before anything is paid."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cleanbreak.core.measures.estimate import estimate_tokens
from cleanbreak.errors import VectorCollectionMissingError
from cleanbreak.providers.catalogue import catalogue
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.chunk_files import stream_chunks
from cleanbreak.worlds.stages.embedding_units import Unit, units_of
from cleanbreak.worlds.stages.embeddings import held_points, open_store
from cleanbreak.worlds.vector_place import place_of

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.profile import EmbeddingProfile

_MILLION = 1_000_000
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class EmbeddingCost:
    """What is left to embed, and what it costs.

    Attributes:
        model_id: the model.
        texts: how many texts of chunks that are there are to be sent.
        tokens: how many tokens these have, estimated without the model's tokenizer: within a tenth
            for English, and up to a fifth off for other languages and code.
        cost: in units of ``currency``; 0 for a model of this machine, ``None`` if the price is not
            known.
        price_as_of: the day of the price, ``YYYY-MM-DD``.
    """

    model_id: str
    texts: int
    tokens: int
    cost: float | None
    currency: str = "USD"
    price_as_of: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The cost as plain data."""
        return asdict(self)


def cost_of(session: Session, profile: "EmbeddingProfile", characters: int = 0) -> EmbeddingCost:
    """The cost of what has no vector of `profile` yet, and of `characters` that are to be cut yet.

    Reads every chunk of such books.
    """
    texts, tokens = 0, -(-characters // _CHARACTERS_A_TOKEN)
    for unit in _missing(session, profile):
        texts += 1
        tokens += estimate_tokens(profile.document_prefix + unit.text)
    model = catalogue().get(profile.model_id)
    provider = catalogue().provider(profile.provider_id)
    price = model.price if model else None
    if price is None:
        paid = provider is not None and not provider.keyless
        return EmbeddingCost(profile.model_id, texts, tokens, None if paid else 0.0)
    return EmbeddingCost(
        profile.model_id,
        texts,
        tokens,
        tokens * price.input_per_million / _MILLION,
        price.currency,
        price.as_of.isoformat(),
    )


def _missing(session: Session, profile: "EmbeddingProfile") -> Iterator[Unit]:
    for number in session.book_numbers():
        book = session.layout.book(number)
        manifest = session.manifest(book)
        if manifest is None:
            continue
        held = _held(session, profile, number)
        for chunk in stream_chunks(book, manifest):
            for unit in units_of(chunk, profile):
                if held.get(unit.id) != unit.digest:
                    yield unit


def _held(session: Session, profile: "EmbeddingProfile", number: int) -> dict[bytes, str]:
    if not place_of(session.record, session.layout).exists():
        return {}
    try:
        with open_store(session, profile, readonly=True) as store:
            return held_points(store, session, session.layout.book(number), profile)
    except VectorCollectionMissingError:
        return {}
