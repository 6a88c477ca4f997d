"""The hits of a search, and how they were found."""

from collections.abc import Iterable

from cleanbreak.retrieval.hit import Hit
from cleanbreak.stores.fulltext.ways import AnsweredBy


class Answer(list[Hit]):
    """The hits of a search, best first.

    ``answered_by`` is ``"words"``, unless nothing was found as typed: see
    `cleanbreak.stores.fulltext.ways.AnsweredBy`. ``suggestion`` is the query as it was probably meant,
    if a word of it is not held.
    """

    def __init__(
        self,
        hits: Iterable[Hit] = (),
        answered_by: AnsweredBy = "words",
        suggestion: str | None = None,
    ) -> None:
        super().__init__(hits)
        self.answered_by = answered_by
        self.suggestion = suggestion
