"""Services of children in which reading a file goes wrong."""

import os
import signal
import time
from collections.abc import Callable, Iterator

from cleanbreak.readers import clock, worker
from cleanbreak.readers.limits import Limits
from cleanbreak.readers.worker import Reply, Request

Requests = Iterator[Request]
Replies = Iterator[Reply]


def _instead_of_reading(action: Callable[[], object], requests: Requests) -> Replies:
    def read_here(*_: object) -> object:
        return action()

    worker.read_here = read_here  # type: ignore[assignment]
    return worker.answer(requests)


def too_slow(requests: Requests) -> Replies:
    return _instead_of_reading(_never_end, requests)


def too_slow_without_timers(requests: Requests) -> Replies:
    """As on Windows."""
    clock._HAS_TIMERS = False
    return too_slow(requests)


def grows_without_timers(requests: Iterator[tuple[Limits, int]]) -> Iterator[float]:
    """Seconds of processor time, where this number of pages was read, as on Windows."""
    clock._HAS_TIMERS = False
    for limits, pages in requests:
        clock.start(limits, wall_seconds=1000)
        clock.allow_for(pages)
        assert clock._running is not None
        yield round(clock._running.processor - time.process_time())
        clock.stop()


def _never_end() -> None:
    while True:
        pass


def time_left_after_pages(requests: Iterator[tuple[Limits, int]]) -> Iterator[int]:
    """Seconds of processor time, where this number of pages was read."""
    for limits, pages in requests:
        clock.start(limits, wall_seconds=1000)
        clock.allow_for(pages)
        yield round(signal.getitimer(signal.ITIMER_PROF)[0])
        clock.stop()


def waiting(requests: Requests) -> Replies:
    """As on a machine that has no time for it."""

    def wait() -> None:
        time.sleep(1.5)
        raise MemoryError

    return _instead_of_reading(wait, requests)


def too_slow_for_itself(requests: Requests) -> Replies:
    """Nobody stops it, as nobody does a child whose parent was killed."""
    worker._GRACE_SECONDS = -9.8
    return _instead_of_reading(lambda: time.sleep(60), requests)


def too_large(requests: Requests) -> Replies:
    return _instead_of_reading(lambda: bytearray(300 << 20), requests)


def crash(requests: Requests) -> Replies:
    return _instead_of_reading(os.abort, requests)


def bug(requests: Requests) -> Replies:
    def fail() -> None:
        raise KeyError("secret words of the source")

    return _instead_of_reading(fail, requests)


def grown(requests: Requests) -> Replies:
    """After any file it is too large."""
    worker._RETIRE_ABOVE = 0
    return worker.answer(requests)
