"""Ctrl-C and SIGTERM during a run."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C or SIGTERM into a request to stop; a second one ends the process.

    The value given says whether a stop was requested; a run asks it after each group of chunks.
    Only the main thread can receive signals; in another one nothing changes.
    """
    requested = threading.Event()
    before: dict[int, Any] = {}

    def request(number: int, _frame: FrameType | None) -> None:
        requested.set()
        signal.signal(number, before[number])

    if threading.current_thread() is threading.main_thread():
        for which in (signal.SIGINT, signal.SIGTERM):
            before[which] = signal.signal(which, request)
    try:
        yield requested.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
