"""Many sources, cut in order and in parallel, with a bounded number in flight."""

import contextlib
import logging
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sized
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Literal, TypeVar, overload

from cleanbreak.core.checks import one_of, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document
from cleanbreak.core.splitters import Splitter
from cleanbreak.engines.paths import warn_of_path
from cleanbreak.engines.worker import Cut, CutJob, Failure, Job, Outcome, Source, Worker
from cleanbreak.errors import CleanbreakError, SettingsError
from cleanbreak.processes.child import NotPicklableError, pack

_log = logging.getLogger("cleanbreak")

_Answers = SimpleQueue[Any]
_T = TypeVar("_T")
# The consumer must close it and not leave that to the garbage collector: it owns processes.
Outcomes = Generator[_T, None, None]

# Batches for each worker that are taken from the sources and not yet yielded: more than one, so
# that a long source delays its own worker and not the others.
IN_FLIGHT = 4
# Asking a worker costs about 0.1 ms, ten times as much as cutting a short text. So short texts go
# together, up to a number of sources or of characters; a path goes alone.
BATCH_SOURCES = 32
BATCH_LENGTH = 1 << 16
MAX_WORKERS = 256


@overload
def split_many(
    sources: Iterable[Source],
    splitter: Splitter,
    workers: int | None = None,
    on_error: Literal["raise", "skip", "stop"] = "raise",
    progress: bool = False,
) -> Iterator[list[Chunk]]: ...
@overload
def split_many(
    sources: Iterable[Source],
    splitter: Splitter,
    workers: int | None = None,
    *,
    on_error: Literal["yield"],
    progress: bool = False,
) -> Iterator[list[Chunk] | CleanbreakError]: ...
def split_many(
    sources: Iterable[Source],
    splitter: Splitter,
    workers: int | None = None,
    on_error: Literal["raise", "skip", "stop", "yield"] = "raise",
    progress: bool = False,
) -> Iterator[list[Chunk] | CleanbreakError]:
    """Cut many sources, in parallel processes, and yield the chunks of each in the order given.

    Args:
        sources: texts, documents, or paths of files (`pathlib.Path`; a string is always a
            text, with a `UserWarning` if it is the path of a file).
            Only a few are taken before they are needed, so an endless generator is fine.
        splitter: cuts each of them.
        workers: how many processes; 0 or 1 cuts in this one. By default as many as there are
            processors, or none if another process cannot build the splitter (because its measure
            is a lambda, for example).
        on_error: what to do with a source that cannot be read or cut. ``"raise"`` stops there,
            ``"stop"`` ends there without an error, after the chunks of those before; ``"skip"``
            gives an empty list in its place, so that results and sources still pair up; both log
            its number. ``"yield"`` gives the `CleanbreakError` in place of the chunks. In each case
            ``details["source_number"]`` counts from 1. A measure, segmenter or boundary chooser
            that fails is such an error of its source; any other exception comes from a splitter of
            the caller's own, and is always raised.
        progress: show a bar on standard error, if that is a terminal.

    Stopping early, by an exception, by Ctrl-C or by closing the iterator, ends the workers at once.

    Raises:
        SettingsError: at once, for a setting out of range, or for `workers` with a splitter that
            another process cannot build.
        WorkerDiedError: while iterating, if no process can be started.
        CleanbreakError: while iterating, with ``on_error="raise"``; it is a `WorkerDiedError` if
            the worker died while it cut the source.

    >>> import cleanbreak as cb
    >>> texts = ["One. Two.", "Three."]
    >>> [len(chunks) for chunks in split_many(texts, cb.BoundarySplitter(6), workers=1)]
    [2, 1]
    """
    one_of("on_error", on_error, ("raise", "skip", "stop", "yield"))
    return _results(cut_many(sources, splitter, workers, progress=progress), on_error)


def cut_many(
    sources: Iterable[Source],
    splitter: Splitter,
    workers: int | None = None,
    *,
    progress: bool = False,
) -> Outcomes[Outcome]:
    """As `split_many`, but chunks come with the warnings of their source, and errors as values.

    Raises:
        SettingsError: as `split_many` does.
        WorkerDiedError: while iterating, if no process can be started.
    """
    if isinstance(sources, (str, os.PathLike)):  # else each character would be a text
        raise SettingsError("sources", type(sources), "a list of sources, even if it is only one")
    total = len(sources) if isinstance(sources, Sized) else None
    looked_at = map(_read_own, _looked_at(sources))
    numbered = _numbered(do_many(looked_at, CutJob(splitter), workers, total=total))
    return _with_bar(numbered, total) if progress else numbered


def do_many(
    sources: Iterable[Any], job: Job, workers: int | None = None, *, total: int | None = None
) -> Outcomes[Any]:
    """What `job` makes of each source, in order, in this process or in several.

    Exceptions of a job in another process come as values; here they are raised.

    Raises:
        SettingsError: for a number of workers out of range, or more than one for a job that another
            process cannot build.
        WorkerDiedError: while iterating, if no process can be started.
    """
    processes = (
        _processors()
        if workers is None
        else whole_number("workers", workers, minimum=0, maximum=MAX_WORKERS)
    )
    packed = _packed(job) if processes > 1 else None
    if packed is not None:
        return _in_processes(sources, packed, min(processes, total or processes))
    if workers is None or workers <= 1:
        return (job(source) for source in sources)
    raise SettingsError(
        "splitter",
        type(job.splitter).__name__,
        "one that another process can build (name its measure, define it in a module, or use "
        "workers=0)",
    )


def _looked_at(sources: Iterable[Source]) -> Iterator[Source]:
    for source in sources:
        warn_of_path(source)
        yield source


def _packed(job: Job) -> bytes | None:
    """The job as a worker takes it; ``None`` if another process cannot build it."""
    try:
        return pack(job)
    except NotPicklableError:
        return None


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_processes(sources: Iterable[Any], packed: bytes, processes: int) -> Outcomes[Any]:
    """Outcomes in order. Each thread waits for one worker, so nothing here polls."""
    workers: list[Worker] = []
    threads = ThreadPoolExecutor(processes, thread_name_prefix="cleanbreak")
    idle: SimpleQueue[Worker] = SimpleQueue()
    pending: deque[tuple[int, _Answers]] = deque()

    def ask(batch: list[Any], answers: _Answers) -> None:
        worker = idle.get()
        try:
            for answer in worker.ask(batch):
                answers.put(answer)
        except Exception as error:  # noqa: BLE001 (raised again in the thread that reads the answers)
            answers.put(error)
        finally:
            idle.put(worker)

    try:
        workers.extend(Worker(packed) for _ in range(processes))
        for worker in workers:  # each has started by itself while the next was launched
            worker.start()
            idle.put(worker)
        for batch in _batches(sources):
            answers: _Answers = SimpleQueue()
            threads.submit(ask, batch, answers)
            pending.append((len(batch), answers))
            if len(pending) == IN_FLIGHT * processes:
                yield from _read(*pending.popleft())
        while pending:
            yield from _read(*pending.popleft())
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()
        # A garbage collector may run this in one of the threads, which cannot wait for itself.
        with contextlib.suppress(RuntimeError):
            threads.shutdown()
        for worker in workers:
            worker.close()


def _read(count: int, answers: _Answers) -> Iterator[Any]:
    return (answers.get() for _ in range(count))


def _batches(sources: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    length = 0
    for source in sources:
        batch.append(source)
        length += _length(source)
        if len(batch) == BATCH_SOURCES or length >= BATCH_LENGTH:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _read_own(source: Source) -> Source | CleanbreakError:
    """The document or the error of a file whose reader was registered in this process.

    A worker does not have such a reader, and often could not: it may be a lambda, or need what only
    this process holds.
    """
    if not isinstance(source, os.PathLike):
        return source
    from cleanbreak.readers import has_own_reader, read

    if not has_own_reader(source):
        return source
    try:
        return read(source)
    except CleanbreakError as error:
        return error


def _length(source: Any) -> int:
    if isinstance(source, CleanbreakError):
        return 0
    if isinstance(source, Document):
        source = source.text
    return len(source) if isinstance(source, str) else BATCH_LENGTH


def _numbered(outcomes: Outcomes[Outcome | Failure]) -> Outcomes[Outcome]:
    with contextlib.closing(outcomes):
        for number, outcome in enumerate(outcomes, 1):
            if isinstance(outcome, CleanbreakError):
                outcome.details["source_number"] = number
            elif isinstance(outcome, Exception):
                raise outcome
            yield outcome


def _results(outcomes: Outcomes[Outcome], on_error: str) -> Outcomes[list[Chunk] | CleanbreakError]:
    """What `split_many` yields for the outcomes."""
    with contextlib.closing(outcomes):
        for outcome in outcomes:
            if isinstance(outcome, Cut):
                yield outcome.chunks
            elif on_error == "raise":
                raise outcome
            elif on_error == "yield":
                yield outcome
            else:
                number = outcome.details["source_number"]
                if on_error == "stop":
                    _log.warning("stopped at source %d: %s", number, outcome.code)
                    return
                _log.warning("source %d skipped: %s", number, outcome.code)
                yield []


def _with_bar(outcomes: Outcomes[Outcome], total: int | None) -> Outcomes[Outcome]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    bar = Progress(console=console, transient=True, disable=not console.is_terminal)
    with contextlib.closing(outcomes), bar:
        yield from bar.track(outcomes, total=total, description="Splitting")
