"""One writer at a time. The kernel holds the lock, so a dead holder's lock is free by itself."""

import json
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cleanbreak.errors import WorldLockedError, WriteFailedError
from cleanbreak.storage.files import NO_ROOM, translated

_WAIT_SECONDS = 0.2
_WAIT_FOR_DEAD_SECONDS = 3.0
_SUFFIX = ".lock"


def holder_of(lock: Path) -> Path:
    """The file beside a lock that says who holds it.

    >>> holder_of(Path("world.lock")).name
    'world.holder.json'
    """
    return lock.with_suffix(".holder.json")


class _WithoutPaths(logging.Filter):
    """Keeps the whole paths of our locks, which the lock library logs, out of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        arguments = record.args if isinstance(record.args, tuple) else ()
        return not any(str(argument).endswith(_SUFFIX) for argument in arguments)


logging.getLogger("filelock").addFilter(_WithoutPaths())


@contextmanager
def writing(lock: Path) -> Iterator[None]:
    """Hold the world for writing.

    Readers take no lock and never wait: all they read is replaced whole.

    Raises:
        WorldLockedError: if another process or thread holds it, with who and since when.
        WriteFailedError: if the world may only be read.
    """
    from filelock import FileLock, Timeout

    # Wait a moment, as `is_held` takes the lock for an instant to see whether it is free.
    held = FileLock(lock, timeout=_WAIT_SECONDS, thread_local=False)
    try:
        try:
            held.acquire()
        except Timeout:
            if not _holder_is_dead(lock):
                raise
            # A child that it was starting when it was killed may hold the lock a moment longer.
            held.acquire(timeout=_WAIT_FOR_DEAD_SECONDS)
    except Timeout:
        raise _locked(lock) from None
    except OSError as error:
        if error.errno in NO_ROOM:
            raise translated(error, lock) from None
        raise WriteFailedError(
            f"The world cannot be written to ({error.strerror}); reading and searching still work.",
            name=lock.name,
            errno=error.errno,
        ) from None
    try:
        _say_who(lock)
        yield
    finally:
        with suppress(OSError):
            holder_of(lock).unlink(missing_ok=True)
        held.release()


@contextmanager
def holding(lock: Path) -> Iterator[None]:
    """Hold a lock for a moment, such as to read, change and write one file; waits for others."""
    from filelock import FileLock

    with FileLock(lock, thread_local=False):
        yield


def is_held(lock: Path) -> bool:
    """Whether a writer is at work now."""
    from filelock import FileLock, Timeout

    # No note of a holder: nobody writes. Without this two readers that probe would see each other.
    if not holder_of(lock).exists():
        return False
    probe = FileLock(lock, timeout=0, thread_local=False)
    try:
        probe.acquire()
    except Timeout:
        return True
    except OSError:  # a world that may only be read has no writer of ours
        return False
    probe.release()
    return False


def _say_who(lock: Path) -> None:
    """Best effort: it only serves the message to a second writer."""
    holder = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    with suppress(OSError):
        holder_of(lock).write_text(json.dumps(holder), encoding="utf-8")


def _holder(lock: Path) -> dict[str, Any]:
    """Who says to hold the lock; empty if nobody does."""
    with suppress(OSError, ValueError):
        said = json.loads(holder_of(lock).read_text(encoding="utf-8"))
        return said if isinstance(said, dict) else {}
    return {}


def _holder_is_dead(lock: Path) -> bool:
    """Whether the holder was a process of this machine that is there no more."""
    holder = _holder(lock)
    pid = holder.get("pid")
    if os.name == "nt" or holder.get("host") != socket.gethostname() or not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _locked(lock: Path) -> WorldLockedError:
    holder = _holder(lock)
    who = (
        f"process {holder['pid']} on {holder['host']} since {holder['since']}"
        if {"pid", "host", "since"} <= holder.keys()
        else "another process"
    )
    return WorldLockedError(
        f"The world is being written by {who}; wait until it is done, or stop it first.", **holder
    )
