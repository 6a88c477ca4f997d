"""A worker: another Python process that cuts sources, and this process's end of it.

Why not `multiprocessing`: its workers import the caller's main module, so that a script without an
``if __name__ == "__main__"`` guard starts itself again; they outlive a killed parent; and a dead
one takes the whole pool along without saying which source killed it. A pipe each way has none of
that: end of input is a worker's order to leave, and end of output is the news of its death.
"""

import contextlib
import io
import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import IO, Any, NamedTuple, cast

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, SourceWarning
from cleanbreak.core.splitters import Splitter
from cleanbreak.errors import CleanbreakError, SettingsError, WorkerDiedError

Source = str | Document | os.PathLike[str]


class Cut(NamedTuple):
    """The chunks of a source, what its reader warned of, and the digest of its file's bytes."""

    chunks: list[Chunk]
    warnings: tuple[SourceWarning, ...]
    source_sha256: str | None = None


Outcome = Cut | CleanbreakError
"""What became of a source. An error is a value here, as a worker sends it home."""
Failure = Exception
"""What a function of the caller's raised; to be raised again where the caller is."""

_DIED = (OSError, EOFError, pickle.UnpicklingError)
"""What a pipe to a process that died gives: before an answer, or in the middle of one."""


def cut(source: Source, splitter: Splitter) -> Outcome:
    """Read `source` if it is a path, and cut it. Other errors than ours are not caught."""
    try:
        if isinstance(source, os.PathLike):
            from cleanbreak.readers import read

            source = read(source)
        chunks = list(splitter.stream(source))  # not `split`, which may remember it
        if isinstance(source, str):
            return Cut(chunks, ())
        return Cut(chunks, source.warnings, source.source.sha256 if source.source else None)
    except CleanbreakError as error:
        return error


class Worker:
    """A process that cuts what it is asked to, and is started again if it died.

    Asked by one thread at a time; `kill` may be called from any.
    """

    def __init__(self, packed_splitter: bytes) -> None:
        self._packed = packed_splitter
        self._killed = False
        self._process = self._launch()
        self._ready = False

    def ask(self, batch: Iterable[Source]) -> Iterator[Outcome | Failure]:
        """Have the sources cut, and yield what becomes of each as it does.

        If the worker dies, the source that it was at is to blame; another worker goes on with the
        next one.
        """
        waiting = deque(batch)
        while waiting and not self._killed:
            try:
                self.greet()
                _send(self._process.stdin, list(waiting))
                while waiting:
                    yield _receive(self._process.stdout)
                    waiting.popleft()
            except _DIED:
                yield self._bury()
                waiting.popleft()
            except CleanbreakError as error:  # it could not be started again
                yield error
                waiting.popleft()

    def greet(self) -> None:
        """Hand over the splitter and wait until the worker has built it, if that is to be done.

        Raises:
            SettingsError: if it cannot be built there.
            WorkerDiedError: if the process ended first.
        """
        if self._ready:
            return
        if self._process.returncode is not None:
            self._process = self._launch()
        if self._killed:  # before this process was there to kill
            self._process.kill()
        try:
            _write(self._process.stdin, self._packed)
            failure = _receive(self._process.stdout)
        except _DIED:
            raise self._bury() from None
        if failure is not None:
            self._bury()
            raise SettingsError("splitter", failure, "one that another process can build")
        self._ready = True

    def kill(self) -> None:
        """End the process now, whatever it is doing, and for good; who waits for it stops waiting."""
        self._killed = True
        self._process.kill()

    def close(self) -> None:
        """Let go of a killed worker's pipes, once nobody waits for it."""
        self._bury()

    @staticmethod
    def _launch() -> subprocess.Popen[bytes]:
        # The worker searches for modules where this process does, which may not be the default.
        program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve()"
        return subprocess.Popen(  # noqa: S603 (our own interpreter and program)
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **_OUT_OF_REACH_OF_CTRL_C,
        )

    def _bury(self) -> WorkerDiedError:
        self._ready = False
        status = self._process.wait()
        with contextlib.suppress(OSError):  # closing tries to send what is left
            self._process.__exit__(None, None, None)
        return WorkerDiedError(
            f"A worker process ended with status {status} before it answered, perhaps for lack of "
            "memory; use fewer workers, or cut that source alone to see why.",
            status=status,
        )


_OUT_OF_REACH_OF_CTRL_C: dict[str, Any] = (
    {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined,unused-ignore]
    if sys.platform == "win32"
    else {"process_group": 0}
)
"""A terminal interrupts a whole group. The parent alone hears it, and ends its workers."""


class _Packer(pickle.Pickler):
    """Refuses what only this process's main module defines; a worker does not run that module."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, FunctionType | type) and value.__module__ == "__main__":
            raise pickle.PicklingError
        return NotImplemented


def pack(splitter: Splitter) -> bytes | None:
    """The splitter as a worker takes it; ``None`` if another process cannot build it."""
    packed = io.BytesIO()
    try:
        _Packer(packed, protocol=pickle.HIGHEST_PROTOCOL).dump(splitter)
    except (pickle.PicklingError, AttributeError, TypeError):  # all three mean "cannot be pickled"
        return None
    return packed.getvalue()


# --- in the worker -------------------------------------------------------------------------------


def serve() -> None:
    """Answer requests from standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What a caller's function reads or prints must not mix with requests and answers.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    try:
        splitter = _receive(requests)
    except Exception as error:  # noqa: BLE001 (whatever a stranger's object raises, the parent tells)
        _send(answers, type(error).__name__)
        return
    _send(answers, None)
    try:
        while True:
            batch: list[Source] = _receive(requests)
            for source in batch:
                _send(answers, _cut_or_failure(source, splitter))
    except (EOFError, pickle.UnpicklingError):  # the parent is done, or died while it was asking
        return
    except BrokenPipeError:  # the parent is gone, and nothing is left to flush to
        os._exit(1)


def _cut_or_failure(source: Source, splitter: Splitter) -> Outcome | Failure:
    try:
        return cut(source, splitter)
    except Exception as error:  # noqa: BLE001 (a caller's function failed; the parent raises it)
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 (our own, just pickled)
        except Exception:  # noqa: BLE001 (not every exception survives the way home)
            return RuntimeError(type(error).__name__)
        return error


# --- the pipe ------------------------------------------------------------------------------------


def _send(pipe: IO[bytes] | None, value: Any) -> None:
    _write(pipe, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def _write(pipe: IO[bytes] | None, packed: bytes) -> None:
    pipe = cast("IO[bytes]", pipe)  # all of ours are there
    pipe.write(packed)
    pipe.flush()


def _receive(pipe: IO[bytes] | None) -> Any:
    return pickle.load(cast("IO[bytes]", pipe))  # noqa: S301 (from a process of our own)
