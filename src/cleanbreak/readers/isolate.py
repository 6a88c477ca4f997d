"""Reading in a child process, so that a hostile file costs an error and not the program.

A child is started for the first PDF or EPUB and kept for the next: starting takes some 0.2 s,
asking again a millisecond, so a thousand small books cost one start. Threads that read at once
get a child each (PDFium is not thread-safe; here it need not be). A child is killed when its time
is up, and not used again once it grew. It is no jail: it runs with the rights of its parent, and
what it limits is time, memory and crashes.
"""

import atexit
import contextlib
import os
import pickle
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import IO, cast

from cleanbreak.core.document import Document, SourceWarning
from cleanbreak.errors import CleanbreakError, SourceLimitError, SourceMalformedError
from cleanbreak.readers.detect import Kind
from cleanbreak.readers.reading import Options, read_here
from cleanbreak.readers.worker import Reply, Request

_BOOT = (
    # Not multiprocessing, whose children run the caller's main script again.
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from cleanbreak.readers.worker import serve; serve()"
)

_idle: list["_Child"] = []
"""Children that wait for work. Taking and giving back are single, atomic list operations."""


class _Child:
    """A worker process and the pipes to it."""

    __slots__ = ("_process", "_replies", "_requests")

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and code)
            [sys.executable, "-c", _BOOT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a traceback may quote the source
        )
        self._requests = cast("IO[bytes]", self._process.stdin)
        self._replies = cast("IO[bytes]", self._process.stdout)
        self._send(sys.path)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def ask(self, request: Request) -> Reply | None:
        """The reply; ``None`` if the child ended without one."""
        try:
            self._send(request)
            return cast("Reply", pickle.load(self._replies))  # noqa: S301 (our own child's)
        except (EOFError, OSError, pickle.UnpicklingError):
            return None

    def kill(self) -> None:
        """End the child, whatever it does."""
        self._process.kill()

    def close(self) -> int:
        """Close the pipes, which ends an idle child, and tell how it ended."""
        self._close_pipes()
        return self._process.wait()

    def disown(self) -> None:
        """Forget the child without ending it: after a fork it is the parent's."""
        self._close_pipes()
        self._process.returncode = 0  # nothing to wait for here

    def _send(self, value: object) -> None:
        pickle.dump(value, self._requests, protocol=pickle.HIGHEST_PROTOCOL)
        self._requests.flush()

    def _close_pipes(self) -> None:
        for pipe in (self._requests, self._replies):
            # What was still to be written to a dead child is lost, as is the child.
            with contextlib.suppress(OSError):
                pipe.close()


def read_isolated(path: str | os.PathLike[str], kind: Kind, options: Options) -> Document:
    """Read the file at `path` as `kind` in a child process, within the time and memory allowed.

    Where no process can be started the file is read in this one, and a warning says so.

    Raises:
        SourceLimitError: if the time or the memory did not suffice.
        SourceMalformedError: if the file crashed its reader.
        SourceError: whatever the reader raises.
    """
    try:
        child = _take()
    except OSError:
        return _read_unlimited(path, kind, options)
    request = Request(str(Path(path).absolute()), kind, options)
    reply, expired = _ask_in_time(child, request, options.limits.max_seconds)
    if reply is not None and reply.reusable and not expired:
        _idle.append(child)
    else:
        _explain(child.close(), expired=expired, answered=reply is not None, request=request)
    outcome = cast("Reply", reply).outcome
    if isinstance(outcome, CleanbreakError):
        raise outcome
    return outcome


def _take() -> _Child:
    while _idle:
        # Another thread may have been faster.
        with contextlib.suppress(IndexError):
            child = _idle.pop()
            if child.alive:
                return child
            child.close()
    return _Child()


def _ask_in_time(child: _Child, request: Request, seconds: int) -> tuple[Reply | None, bool]:
    """The reply, if any, and whether the time ran out. The child is killed if it did."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        child.kill()

    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    timer.start()
    try:
        reply = child.ask(request)
    except BaseException:
        # Interrupted: the child may be midway through a reply that nobody will read.
        child.kill()
        child.close()
        raise
    finally:
        timer.cancel()
    return reply, expired.is_set()


def _explain(status: int, *, expired: bool, answered: bool, request: Request) -> None:
    """Raise for a child that ended without an answer."""
    if answered:
        return
    name = Path(request.path).name
    if expired:
        allowed = request.options.limits.max_seconds
        raise SourceLimitError(
            f"Reading {name!r} took more than {allowed:,} s and was stopped; "
            "raise max_seconds if you trust it.",
            name=name,
            limit="max_seconds",
            allowed=allowed,
        )
    raise SourceMalformedError(
        f"{name!r} ended the process that read it; it is damaged, or made to do so.",
        name=name,
        exit_status=status,
    )


def _read_unlimited(path: str | os.PathLike[str], kind: Kind, options: Options) -> Document:
    document = read_here(path, kind, options)
    message = "No process could be started, so the file was read without a limit of time or memory."
    warning = SourceWarning("READ_WITHOUT_LIMITS", message)
    return replace(document, warnings=(*document.warnings, warning))


def _end_idle() -> None:
    while _idle:
        _idle.pop().close()


def _disown_idle() -> None:
    while _idle:
        _idle.pop().disown()


atexit.register(_end_idle)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown_idle)
