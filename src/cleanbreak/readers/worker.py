"""The child process that reads hostile kinds of files: one request in, one reply out, again.

It speaks pickles over its standard streams; see `isolate` for the parent's side.
"""

import os
import pickle
import signal
import sys
import traceback
from pathlib import Path
from typing import NamedTuple

from cleanbreak.core.document import Document
from cleanbreak.errors import CleanbreakError, SourceLimitError, SourceMalformedError
from cleanbreak.readers.detect import Kind
from cleanbreak.readers.reading import Options, read_here

_RETIRE_ABOVE = 256 << 20
"""Bytes of memory from which on a worker is not used again: freed memory is seldom given back."""


class Request(NamedTuple):
    """What to read."""

    path: str
    kind: Kind
    options: Options


class Reply(NamedTuple):
    """What came of it, and whether the worker may be asked again."""

    outcome: Document | CleanbreakError
    reusable: bool


def serve() -> None:
    """Answer requests until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    requests = sys.stdin.buffer
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What a C library prints must not land among the replies.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    while True:
        try:
            request: Request = pickle.load(requests)  # noqa: S301 (our own parent's)
        except EOFError:
            return
        reply = _answer(request)
        pickle.dump(reply, replies, protocol=pickle.HIGHEST_PROTOCOL)
        replies.flush()
        if not reply.reusable:
            return


def _answer(request: Request) -> Reply:
    name = Path(request.path).name
    _limit_memory(request.options.limits.max_memory_bytes)
    outcome: Document | CleanbreakError
    try:
        outcome = read_here(request.path, request.kind, request.options)
    except CleanbreakError as error:
        outcome = error
    except MemoryError:
        outcome = memory_exceeded(name, request.options)
    except Exception as error:  # noqa: BLE001 (a process boundary: any failure must cross it coded)
        outcome = _unforeseen(name, error)
    finally:
        _limit_memory(None)
    return Reply(outcome, _memory_used() < _RETIRE_ABOVE)


def memory_exceeded(name: str, options: Options) -> SourceLimitError:
    """The error that reading `name` took more memory than allowed."""
    allowed = options.limits.max_memory_bytes
    return SourceLimitError(
        f"Reading {name!r} took more than {allowed >> 20:,} MiB of memory; it may be made to do so. "
        "Raise max_memory_bytes if you trust it.",
        name=name,
        limit="max_memory_bytes",
        allowed=allowed,
    )


def _unforeseen(name: str, error: Exception) -> SourceMalformedError:
    """A failure that no reader foresaw: told without its message, which may quote the source."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return SourceMalformedError(
        f"{name!r} could not be read ({type(error).__name__} in the reader); it is probably damaged.",
        name=name,
        cause=type(error).__name__,
        raised_at=f"{Path(where.filename).name}:{where.lineno}",
    )


def _limit_memory(allowed: int | None) -> None:
    """Let the process grow by `allowed` bytes of address space, or as the system lets it."""
    if not sys.platform.startswith("linux"):
        return  # elsewhere RLIMIT_AS is not kept, or the size it counts from is not to be had
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    soft = hard
    if allowed is not None:
        soft = _address_space() + allowed
        soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    return _pages(0)


def _memory_used() -> int:
    return _pages(1) if sys.platform.startswith("linux") else 0


def _pages(field: int) -> int:
    """A field of /proc/self/statm (0 the address space, 1 what is resident), in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[field]) * os.sysconf("SC_PAGE_SIZE")
