"""A child process: another Python that answers requests, and this process's end of it.

Requests go to the standard input of the child and answers come from its standard output, both as
pickles. Closing its standard input makes the child exit; the end of its output means that it died.

Why not `multiprocessing`: its children import the caller's main module, so a script without an
``if __name__ == "__main__"`` guard starts itself again; they wait for ever if the parent is killed,
because each of them holds both ends of the queue; and a child that dies breaks the whole pool
without saying which request killed it.
"""

import contextlib
import io
import os
import pickle
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, BinaryIO, cast

Service = Callable[[Iterator[Any]], Iterator[Any]]
"""What a child runs: a function that takes the requests as they come and yields the answers."""

# The copy of standard input is made before anything is read, as `serve` closes the original.
# `sys.path` comes first: the child must find the same modules as this process.
_PROGRAM = (
    "import os, pickle, sys; requests = os.fdopen(os.dup(0), 'rb'); "
    f"sys.path[:] = pickle.load(requests); from {__name__} import serve; serve(requests)"
)

# A terminal sends Ctrl-C to a whole process group. The parent alone receives it and decides what
# becomes of its children.
_OWN_GROUP: dict[str, Any] = (
    {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined,unused-ignore]
    if sys.platform == "win32"
    else {"process_group": 0}
)

# What a pipe to a dead process raises: before an answer, or in the middle of one.
_DEATH = (OSError, EOFError, pickle.UnpicklingError)


class ChildDiedError(Exception):
    """The child ended before it answered. Callers turn it into an error of `cleanbreak.errors`."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
        """As `subprocess` gives it: the exit code, or minus the number of the signal."""


class NotPicklableError(Exception):
    """The value cannot be sent to another process. Callers turn it into one of our errors."""


class Child:
    """A process that runs `service`. One thread at a time asks; any thread may `kill`.

    If this process ends, in any way, the child exits after it has answered its last request.
    Ctrl-C does not reach it. After a fork it belongs to the parent alone: in the new process the
    pipes are closed at once, and `kill` and `close` do nothing.

    Args:
        service: a function that another process can import.
        quiet: discard what the child prints and its tracebacks. Otherwise both go to the standard
            error of this process, and never into the answers.

    Raises:
        OSError: if no process can be started.
        NotPicklableError: if another process cannot import `service`.
    """

    def __init__(self, service: Service, *, quiet: bool = False) -> None:
        first = pickle.dumps(list(sys.path)) + pack(service)
        self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and program)
            [sys.executable or "", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # A program without a console has no standard error to share.
            stderr=subprocess.DEVNULL if quiet or sys.stderr is None else None,
            **_OWN_GROUP,
        )
        self._requests = cast("io.BufferedWriter", self._process.stdin)
        self._answers = cast("io.BufferedReader", self._process.stdout)
        _children.add(self)
        try:
            self._write(first)
        except OSError:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.poll() is None

    def ask(self, request: Any) -> Any:
        """Send a request and wait for its answer.

        Raises:
            ChildDiedError: if the child ended, or was killed, before the answer was complete.
            NotPicklableError: if the request cannot be sent; the child does not see any of it.
        """
        self.send(request)
        return self.receive()

    def send(self, request: Any) -> None:
        """Send a request, whose answers are then to be received. Raises as `ask` does."""
        packed = pack(request)
        try:
            self._write(packed)
        except _DEATH:
            raise ChildDiedError(self.close()) from None

    def receive(self) -> Any:
        """Wait for the next answer. Raises as `ask` does."""
        try:
            return pickle.load(self._answers)  # noqa: S301 (from a process of our own)
        except _DEATH:
            raise ChildDiedError(self.close()) from None

    def kill(self) -> None:
        """End the process now. A thread that waits for its answer gets `ChildDiedError`."""
        self._process.kill()

    def close(self) -> int:
        """Close the pipes, which ends an idle child; wait for the end and return the exit status."""
        for pipe in (self._requests, self._answers):
            if not pipe.closed:
                # Closing tries to send what is left; to a dead child it cannot.
                with contextlib.suppress(OSError):
                    pipe.close()
        return self._process.wait()

    def disown(self) -> None:
        """Forget the process without ending it: after a fork it belongs to the parent alone."""
        for pipe in (self._requests, self._answers):
            # Not the buffers: they would send what is left in them, or wait for a lock that a
            # thread held which the fork did not copy.
            pipe.raw.close()
        self._process.returncode = 0  # nothing to wait for or to kill

    def _write(self, packed: bytes) -> None:
        self._requests.write(packed)
        self._requests.flush()


# A forked process that kept the pipes open would keep the children alive after the parent's death.
_children: weakref.WeakSet[Child] = weakref.WeakSet()


def _disown_all() -> None:
    for child in _children:
        child.disown()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown_all)


def pack(value: Any) -> bytes:
    """The pickle of a value that another process can build.

    Raises:
        NotPicklableError: if none can: because `pickle` refuses it, or because it needs a function
            or class of this process's main module, which a child does not run.
    """
    packed = io.BytesIO()
    try:
        _Pickler(packed, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    except Exception as error:  # noqa: BLE001 (pickling runs code of the value's class)
        raise NotPicklableError(type(error).__name__) from None
    return packed.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, FunctionType | type) and value.__module__ == "__main__":
            raise pickle.PicklingError
        return NotImplemented


# --- in the child --------------------------------------------------------------------------------


def serve(requests: BinaryIO) -> None:
    """Be the child: run the service whose name comes first, until the requests end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    # From here on what the service or a C library reads or prints does not touch the pipes.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    service: Service = pickle.load(requests)  # noqa: S301 (from our own parent)
    for answer in service(_received(requests)):
        try:
            pickle.dump(answer, answers, protocol=pickle.HIGHEST_PROTOCOL)
            answers.flush()
        except OSError:  # the parent is gone; an ordinary exit would try to flush again
            os._exit(1)


def _received(requests: BinaryIO) -> Iterator[Any]:
    while True:
        try:
            request = pickle.load(requests)  # noqa: S301 (from our own parent)
        except (EOFError, pickle.UnpicklingError):  # the parent closed the pipe, or died writing
            return
        yield request
