"""Waiting for another process, for tests that start some."""

import os
import time
from collections.abc import Callable
from pathlib import Path


def is_alive(process: int) -> bool:
    """Whether a process of that number runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # A killed orphan whose new parent has not yet asked for its status is dead all the same.
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(true: Callable[[], bool]) -> None:
    """Return when the condition holds; fail after half a minute."""
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline, "waited for half a minute"
        time.sleep(0.02)
