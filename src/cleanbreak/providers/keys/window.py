"""The requests and tokens of the last minute, and the requests of the day, of one bucket."""

from datetime import date
from typing import NamedTuple

from cleanbreak.providers.catalogue.records import Quota

_MINUTE = 60.0


class _Entry(NamedTuple):
    at: float
    tokens: int


class Window:
    """Counts reservations by number, so that one can be taken back without a mistake.

    Times are of a monotonic clock and never decrease. A request counts for exactly 60 seconds.
    """

    def __init__(self) -> None:
        self._entries: dict[int, _Entry] = {}
        self._day: date | None = None
        self._today = 0

    def reserve(self, number: int, at: float, tokens: int, day: date) -> None:
        """Count a request that is about to be sent."""
        if day != self._day:
            self._day, self._today = day, 0
        self._today += 1
        self._entries[number] = _Entry(at, tokens)

    def settle(self, number: int, tokens: int) -> None:
        """Count the tokens that a request really had."""
        if entry := self._entries.get(number):
            self._entries[number] = _Entry(entry.at, tokens)

    def take_back(self, number: int) -> None:
        """Forget a request that the provider did not count."""
        if self._entries.pop(number, None) is not None:
            self._today = max(0, self._today - 1)

    def fits(self, quota: Quota, tokens: int, at: float, day: date) -> bool:
        """Whether a request of `tokens` may be sent now."""
        return self.free_at(quota, tokens, at, day) == at

    def free_at(self, quota: Quota, tokens: int, at: float, day: date) -> float | None:
        """The earliest time at which a request fits; ``None`` if not today."""
        self._forget(at)
        per_day = quota.requests_per_day
        if per_day is not None and day == self._day and self._today >= per_day:
            return None
        most = quota.requests_per_minute
        left = quota.tokens_per_minute
        count = len(self._entries)
        sent = sum(entry.tokens for entry in self._entries.values())
        free = at
        # The oldest leave the window first; after each, see whether the request fits.
        for entry in self._entries.values():
            if (most is None or count < most) and (left is None or sent + tokens <= left):
                break
            count, sent, free = count - 1, sent - entry.tokens, entry.at + _MINUTE
        return free

    def _forget(self, at: float) -> None:
        for number, entry in list(self._entries.items()):
            if entry.at + _MINUTE > at:
                break
            del self._entries[number]
