"""Ctrl-C and SIGTERM during a run."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from cleanbreak.cli import console

_HEARD = "stopping at the next safe place; press Ctrl-C again to end at once"


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C or SIGTERM into a request to stop; a second one ends the process.

    A line on standard error says at once that the first was heard.

    The value given says whether a stop was requested; a run asks it after each group of chunks.
    Only the main thread can receive signals; in another one nothing changes.
    """
    requested = threading.Event()
    before: dict[int, Any] = {}

    def request(number: int, _frame: FrameType | None) -> None:
        requested.set()
        signal.signal(number, before[number])
        # Written at once, as the run may need a moment to come to a safe place.
        console.err.print(_HEARD)

    if threading.current_thread() is threading.main_thread():
        for which in (signal.SIGINT, signal.SIGTERM):
            before[which] = signal.signal(which, request)
    try:
        yield requested.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
