"""The clock of a child process: the system ends the process when its time is over.

A process counts its own processor time, so that a busy machine does not refuse an honest book. Only a
process that was started to read one file after the other sets it; elsewhere it does nothing.
"""

import signal

from cleanbreak.readers.limits import COUNTS_PROCESSOR, Limits

# Pages that may take as much processor time as a whole file of another kind.
_PAGES = 1000

_running: Limits | None = None


def start(limits: Limits, wall_seconds: float) -> None:
    """End this process after the processor time allowed, or after these seconds by the clock."""
    global _running
    _running = limits
    _set(limits.processor_seconds, wall_seconds)


def stop() -> None:
    """Let this process live."""
    global _running
    _running = None
    _set(0, 0)


def allow_for(pages: int) -> None:
    """Give the file that is read now more processor time, as this number of its pages was read.

    It gets its time once more for each thousand pages, and never more than the time by the clock.
    """
    if _running is None or not COUNTS_PROCESSOR:
        return
    more = min(_running.max_seconds * pages / _PAGES, _running.wall_seconds)
    left = signal.getitimer(signal.ITIMER_PROF)[0]
    signal.setitimer(signal.ITIMER_PROF, min(left + more, _running.wall_seconds))


def _set(processor: float, wall: float) -> None:
    """Set the timers of processor time and of the clock; 0 is never."""
    if COUNTS_PROCESSOR:
        signal.setitimer(signal.ITIMER_PROF, processor)
        signal.setitimer(signal.ITIMER_REAL, wall)
