"""Ctrl-C and SIGTERM, for programs that run a world."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from cleanbreak.worlds.workspace import Stop


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Turn the first Ctrl-C or SIGTERM into a stop at the next group; a second one kills.

    For programs, in their main thread; elsewhere nothing is changed. As a library call a run
    leaves signals alone.
    """
    asked = threading.Event()
    before: dict[int, Any] = {}

    def ask(number: int, _frame: FrameType | None) -> None:
        asked.set()
        signal.signal(number, before[number])

    if threading.current_thread() is threading.main_thread():
        for which in (signal.SIGINT, signal.SIGTERM):
            before[which] = signal.signal(which, ask)
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
