"""What differs between providers: the form of a request, and where the vectors of an answer are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Kind = Literal["document", "query"]
"""What texts are: to be found, or to find by."""


class AnswerMalformedError(Exception):
    """An answer without what was asked for (internal; it carries no text of the answer)."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to send: the path below the provider's address, the headers and the JSON body."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """Vectors in the order of the texts, the tokens that the provider counted, and its model."""

    vectors: list[list[float]]
    tokens: int | None = None
    model: str | None = None


class EmbeddingProtocol(Protocol):
    """How one kind of provider is asked for vectors. No method sends anything."""

    most_texts: int
    """How many texts one request may hold."""

    def request(
        self, model: str, texts: Sequence[str], kind: Kind, dimensions: int | None, key: str
    ) -> Request:
        """A request for one vector for each text; `dimensions` only where the model has a choice."""

    def answer(self, body: Any) -> Answer:
        """What a decoded answer says.

        Raises:
            LookupError, TypeError, ValueError: if it is not of the expected form.
        """


def bearer(key: str) -> dict[str, str]:
    """The usual header of a key; none without a key."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def in_order(rows: Sequence[dict[str, Any]]) -> list[list[float]]:
    """The vectors of rows that say their place in ``index``: a provider may answer in any order."""
    places = [row["index"] for row in rows]
    if sorted(places) != list(range(len(rows))):
        raise ValueError
    ordered = sorted(rows, key=lambda row: row["index"])
    return [row["embedding"] for row in ordered]
