"""The clock of a child process, which ends when its time is over.

A process counts its own processor time, so that a busy machine does not refuse an honest book. Only a
process that was started to read one file after the other sets it; elsewhere it does nothing.

Timers of the system end the process at any moment. Windows has none: there a thread looks at the
time ten times a second. It waits while a call of C keeps Python's lock, and the parent, which counts time
by the clock, is then the limit.
"""

import os
import signal
import threading
import time
from dataclasses import dataclass

from cleanbreak.readers.limits import Limits

# Pages that may take as much processor time as a whole file of another kind.
_PAGES = 1000
_HAS_TIMERS = hasattr(signal, "setitimer")
# The exit status of a process that the thread ends: that of a shell for a signal of processor time.
_OVER = 152
# Seconds between two looks.
_STEP = 0.1


@dataclass(slots=True)
class _Running:
    """A file that is being read, and when its time is over."""

    limits: Limits
    processor: float
    wall: float
    latest: float


_running: _Running | None = None
_watcher: threading.Thread | None = None


def start(limits: Limits, wall_seconds: float) -> None:
    """End this process after the processor time allowed, or after these seconds by the clock."""
    global _running
    now = time.process_time()
    _running = _Running(
        limits,
        now + limits.processor_seconds,
        time.monotonic() + wall_seconds,
        now + limits.wall_seconds,
    )
    if _HAS_TIMERS:
        _set(limits.processor_seconds, wall_seconds)
    else:
        _watch()


def stop() -> None:
    """Let this process live."""
    global _running
    _running = None
    if _HAS_TIMERS:
        _set(0, 0)


def allow_for(pages: int) -> None:
    """Give the file that is read now more processor time, as this number of its pages was read.

    It gets its time once more for each thousand pages, and never more than the time by the clock.
    """
    running = _running
    if running is None:
        return
    more = min(running.limits.max_seconds * pages / _PAGES, running.limits.wall_seconds)
    running.processor = min(running.processor + more, running.latest)
    if _HAS_TIMERS:
        left = signal.getitimer(signal.ITIMER_PROF)[0]
        signal.setitimer(signal.ITIMER_PROF, min(left + more, running.limits.wall_seconds))


def was_over(status: int) -> bool:
    """Whether a process with this exit status had used up its processor time."""
    return status == (-signal.SIGPROF if _HAS_TIMERS else _OVER)


def _set(processor: float, wall: float) -> None:
    """Set the timers of processor time and of the clock; 0 is never."""
    signal.setitimer(signal.ITIMER_PROF, processor)
    signal.setitimer(signal.ITIMER_REAL, wall)


def _watch() -> None:
    """Have a thread look at the time, one for all files of this process."""
    global _watcher
    if _watcher is None:
        _watcher = threading.Thread(target=_look, daemon=True)
        _watcher.start()


def _look() -> None:
    while True:
        time.sleep(_STEP)
        running = _running
        if running is not None and (
            time.process_time() > running.processor or time.monotonic() > running.wall
        ):
            os._exit(_OVER)
