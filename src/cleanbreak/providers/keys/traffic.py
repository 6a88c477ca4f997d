"""What this process has under way with its keys; shared by all schedulers of one folder."""

import itertools
import os
import threading
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cleanbreak.providers.keys.window import Window

MOST_IN_FLIGHT = 4
"""How many requests one quota has under way at most, until its provider refuses one."""


@dataclass(slots=True)
class Flow:
    """The requests under way in one quota, and how many there may be.

    A refusal halves the number; as many successes as there are places add one again.
    """

    places: int = MOST_IN_FLIGHT
    in_flight: int = 0
    _successes: int = 0

    @property
    def full(self) -> bool:
        """Whether no further request may be sent before one has ended."""
        return self.in_flight >= self.places

    def refused(self) -> None:
        """A provider refused a request because of its limits."""
        self.places = max(1, self.places // 2)
        self._successes = 0

    def answered(self) -> None:
        """A provider answered."""
        self._successes += 1
        if self._successes >= self.places < MOST_IN_FLIGHT:
            self.places += 1
            self._successes = 0


class Traffic:
    """Counters of a process. Whoever reads or changes them holds ``condition``."""

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self.flows: defaultdict[str, Flow] = defaultdict(Flow)
        self.windows: defaultdict[str, Window] = defaultdict(Window)
        self.cursors: defaultdict[tuple[str, str], int] = defaultdict(int)
        # Keys that a provider does not accept, by identity; and refusals in a row, by bucket.
        self.rejected: set[tuple[str, str]] = set()
        self.refusals: defaultdict[str, int] = defaultdict(int)
        self.numbers = itertools.count(1)


@cache
def traffic_of(_folder: Path) -> Traffic:
    """The counters for the keys of a folder. A process that was forked starts with new ones."""
    return Traffic()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=traffic_of.cache_clear)
