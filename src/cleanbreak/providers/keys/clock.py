"""The time, so that tests can set it."""

import threading
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Two clocks: one for lengths of time that never goes back, and one for dates."""

    def monotonic(self) -> float:
        """Seconds since some moment."""

    def now(self) -> datetime:
        """The time of day, in UTC."""

    def wait(self, condition: threading.Condition, seconds: float) -> None:
        """Wait until `condition`, which is held, is notified, or for `seconds`."""


class SystemClock:
    """The clocks of this machine."""

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def now(self) -> datetime:
        """The time of day, in UTC."""
        return datetime.now(UTC)

    def wait(self, condition: threading.Condition, seconds: float) -> None:
        """Wait until `condition` is notified, or for `seconds`."""
        condition.wait(seconds)
