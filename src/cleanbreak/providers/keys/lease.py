"""A key that may be used for one request."""

from collections.abc import Callable
from enum import Enum, auto
from types import TracebackType
from typing import Self

from cleanbreak.providers.keys.credential import Credential
from cleanbreak.providers.keys.rate_limit import RateLimit


class Outcome(Enum):
    """How a request ended."""

    SUCCEEDED = auto()
    FAILED = auto()
    LIMITED = auto()
    REJECTED = auto()


Settle = Callable[["Lease", Outcome, int, RateLimit | None], None]


class Lease:
    """The right to send one request with ``credential``.

    It ends once, by the first of its methods that is called; leaving the block without one gives
    the request back, as for a failure that is not the provider's limit. So an exception, a cancel
    or a forgotten call never leaves a key busy.

    An example::

        with scheduler.lease(tokens=120) as lease:
            answer = ask(lease.credential.key)
            lease.succeeded(tokens=answer.tokens)
    """

    def __init__(self, credential: Credential, number: int, tokens: int, settle: Settle) -> None:
        self.credential = credential
        self.number = number
        self.tokens = tokens
        self._settle = settle
        self._ended = False

    def succeeded(self, tokens: int | None = None) -> None:
        """The provider answered; also if its answer could not be used. `tokens`: what it counted."""
        self._end(Outcome.SUCCEEDED, self.tokens if tokens is None else tokens)

    def release(self) -> None:
        """The request failed otherwise, or was never sent: it does not count."""
        self._end(Outcome.FAILED, 0)

    def limited(self, limit: RateLimit) -> None:
        """The provider refused because of its limits; the key rests as long as it says."""
        self._end(Outcome.LIMITED, 0, limit)

    def rejected(self) -> None:
        """The provider does not accept the key; it is not used again in this process."""
        self._end(Outcome.REJECTED, 0)

    def _end(self, outcome: Outcome, tokens: int, limit: RateLimit | None = None) -> None:
        if not self._ended:
            self._ended = True
            self._settle(self, outcome, tokens, limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
