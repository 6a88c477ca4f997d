"""What the child process that reads files other than text does; see `isolate` for the other side."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from cleanbreak.core.document import Document
from cleanbreak.errors import CleanbreakError, SourceLimitError, SourceMalformedError
from cleanbreak.readers import clock
from cleanbreak.readers.detect import Kind
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.limits import Limits
from cleanbreak.readers.reading import Options, read_here

# Bytes of memory above which a child is not asked again, as freed memory is seldom given back.
_RETIRE_ABOVE = 256 << 20

# Seconds that the child waits longer than its parent before it ends itself. It does so only if the
# parent was killed and cannot stop it any more.
_GRACE_SECONDS = 5.0


class Request(NamedTuple):
    """What to read."""

    source: str | SourceFile
    kind: Kind
    options: Options

    @property
    def name(self) -> str:
        """The name of the file, without its folder."""
        return self.source.name if isinstance(self.source, SourceFile) else Path(self.source).name


class Reply(NamedTuple):
    """The document or the error, and whether the child may be asked again."""

    outcome: Document | CleanbreakError
    reusable: bool


def answer(requests: Iterator[Request]) -> Iterator[Reply]:
    """A reply to each request, until the process has grown too large."""
    for request in requests:
        reply = _read(request)
        yield reply
        if not reply.reusable:
            return


def _read(request: Request) -> Reply:
    name = request.name
    outcome: Document | CleanbreakError
    try:
        with _limited(request.options.limits):
            outcome = read_here(request.source, request.kind, request.options)
    except CleanbreakError as error:
        outcome = error
    except MemoryError:
        outcome = _memory_exceeded(name, request.options.limits)
    except Exception as error:  # noqa: BLE001 (a process boundary: any failure must cross it as ours)
        outcome = _unforeseen(name, error)
    return Reply(outcome, _memory_used() < _RETIRE_ABOVE)


def _memory_exceeded(name: str, limits: Limits) -> SourceLimitError:
    allowed = limits.max_memory_bytes
    return SourceLimitError(
        f"Reading {name!r} took more than {allowed >> 20:,} MiB of memory; it may be made to do so. "
        "Raise max_memory_bytes if you trust it.",
        name=name,
        limit="max_memory_bytes",
        allowed=allowed,
    )


def _unforeseen(name: str, error: Exception) -> SourceMalformedError:
    """For a failure that no reader foresaw. Its message is left out: it may quote the source."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return SourceMalformedError(
        f"{name!r} could not be read ({type(error).__name__} in the reader); it is probably damaged.",
        name=name,
        cause=type(error).__name__,
        raised_at=f"{Path(where.filename).name}:{where.lineno}",
    )


@contextmanager
def _limited(limits: Limits) -> Iterator[None]:
    """Within this context the process has the limits of memory, and of time if its parent died."""
    _limit_memory(limits.max_memory_bytes)
    clock.start(limits, limits.wall_seconds + _GRACE_SECONDS)
    try:
        yield
    finally:
        clock.stop()
        _limit_memory(None)


def _limit_memory(allowed: int | None) -> None:
    """Let the address space grow by at most `allowed` bytes; ``None`` takes the limit away."""
    if not sys.platform.startswith("linux"):
        return  # other systems do not keep RLIMIT_AS, or do not say how large the process is
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    soft = hard
    if allowed is not None:
        soft = _address_space() + allowed
        soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    return _statm(0)


def _memory_used() -> int:
    return _statm(1) if sys.platform.startswith("linux") else 0


def _statm(field: int) -> int:
    """A field of /proc/self/statm in bytes: 0 is the address space, 1 is resident memory."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(pages[field]) * os.sysconf("SC_PAGE_SIZE")
