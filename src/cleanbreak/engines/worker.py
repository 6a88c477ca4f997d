"""A worker of the pool: a child process that cuts sources, and is replaced when it dies."""

import os
import pickle
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, SourceWarning
from cleanbreak.core.splitters import Splitter
from cleanbreak.errors import CleanbreakError, SettingsError, WorkerDiedError
from cleanbreak.processes.child import Child, ChildDiedError, NotPicklableError

Source = str | Document | os.PathLike[str]
"""A text, a document, or the path of a file."""


class Cut(NamedTuple):
    """The chunks of a source, the warnings of its reader, and the digest of its file's bytes."""

    chunks: list[Chunk]
    warnings: tuple[SourceWarning, ...]
    source_sha256: str | None = None


class Job(Protocol):
    """What a worker does with a source; another process must be able to build it."""

    @property
    def splitter(self) -> Splitter:
        """What cuts in it."""

    def __call__(self, source: Any) -> Any:
        """The outcome; an error of ours is returned and not raised, so that it can cross the pipe."""


@dataclass(frozen=True)
class CutJob:
    """Cuts a source with one splitter."""

    splitter: Splitter

    def __call__(self, source: Source | CleanbreakError) -> "Outcome":
        """See `cut`."""
        return cut(source, self.splitter)


Outcome = Cut | CleanbreakError
"""The result for one source. An error is a value here, so that it can cross the pipe."""
Failure = Exception
"""An exception of a function of the caller's, to be raised again in the caller's process."""


def cut(source: Source | CleanbreakError, splitter: Splitter) -> Outcome:
    """Read `source` if it is a path, and cut it. Only our own errors are returned as values.

    An error in place of a source, which could not be read before, is returned as it is.
    """
    if isinstance(source, CleanbreakError):
        return source
    try:
        if isinstance(source, os.PathLike):
            from cleanbreak.readers import read

            source = read(source)
        chunks = list(splitter.stream(source))
        if isinstance(source, str):
            return Cut(chunks, ())
        return Cut(chunks, source.warnings, source.source.sha256 if source.source else None)
    except CleanbreakError as error:
        return error


class Worker:
    """A child process that does one job with many sources, and is started again after it died.

    One thread at a time asks; any thread may `kill`.

    Args:
        packed_job: the `Job`, as `pack` gives it.

    Raises:
        WorkerDiedError: if no process can be started.
    """

    def __init__(self, packed_job: bytes) -> None:
        self._packed = packed_job
        self._killed = False
        self._ready = False
        self._child = _launch()

    def ask(self, batch: Sequence[Any]) -> Iterator[Any]:
        """Have the job done with each source, and yield the outcome of each as soon as it is known.

        If the process dies, the outcome of the source it was cutting is `WorkerDiedError`, and a
        new process cuts the remaining ones.
        """
        waiting = deque(batch)
        while waiting and not self._killed:
            try:
                self.start()
                self._child.send(list(waiting))
                while waiting:
                    yield self._child.receive()
                    waiting.popleft()
            except NotPicklableError:
                yield from self._ask_singly(waiting)
                return
            except ChildDiedError as death:
                yield self._reap(death)
                waiting.popleft()
            except CleanbreakError as error:  # no new process could be started
                yield error
                waiting.popleft()

    def start(self) -> None:
        """Send the job and wait until the process has built it, unless it has one already.

        Raises:
            SettingsError: if it cannot be built there.
            WorkerDiedError: if the process ended first, or none could be started.
        """
        if self._ready:
            return
        if not self._child.running:
            self._child.close()
            self._child = _launch()
        if self._killed:  # by another thread, before this process was there
            self._child.kill()
        try:
            failure = self._child.ask(self._packed)
        except ChildDiedError as death:
            raise self._reap(death) from None
        if failure is not None:
            self._child.close()
            raise SettingsError("splitter", failure, "one that another process can build")
        self._ready = True

    def kill(self) -> None:
        """End the process now and for good; a thread that waits for it stops waiting."""
        self._killed = True
        self._child.kill()

    def close(self) -> None:
        """Close the pipes of a killed worker, once no thread waits for it."""
        self._child.close()

    def _ask_singly(self, sources: Sequence[Any]) -> Iterator[Any]:
        """Ask for each source alone, as one of them cannot be sent to another process."""
        if len(sources) > 1:
            for source in sources:
                yield from self.ask([source])
            return
        rule = "a text, document or path that another process can build, or use workers=0"
        yield SettingsError("source", type(sources[0]), rule)

    def _reap(self, death: ChildDiedError) -> WorkerDiedError:
        self._ready = False
        return WorkerDiedError(
            f"A worker process ended with status {death.status} before it answered, perhaps for "
            "lack of memory; use fewer workers, or cut that source alone to see why.",
            status=death.status,
        )


def _launch() -> Child:
    try:
        return Child(answer)
    except OSError as error:
        raise WorkerDiedError(
            f"A worker process could not be started ({error.strerror}); use fewer workers.",
            status=None,
            errno=error.errno,
        ) from None


# --- in the child --------------------------------------------------------------------------------


def answer(requests: Iterator[Any]) -> Iterator[Any]:
    """Answer the requests of a `Worker`.

    The first is the packed job; its answer is `None`, or the name of the exception if the job
    cannot be built. Each other one is a list of sources, with an answer for each.
    """
    try:
        job: Job = pickle.loads(next(requests))  # noqa: S301 (from our own parent)
    except Exception as error:  # noqa: BLE001 (building runs the caller's code; the parent reports it)
        yield type(error).__name__
        return
    yield None
    for batch in requests:
        for source in batch:
            yield _done_or_failure(source, job)


def _done_or_failure(source: Any, job: Job) -> Any:
    try:
        return job(source)
    except Exception as error:  # noqa: BLE001 (a caller's function failed; the parent raises it)
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 (our own, just pickled)
        except Exception:  # noqa: BLE001 (not every exception can be pickled)
            return RuntimeError(type(error).__name__)
        return error
