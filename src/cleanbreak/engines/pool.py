"""Many sources, cut in order and in parallel, with a bounded number in flight."""

import contextlib
import logging
import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Literal, overload

from cleanbreak.core.checks import one_of, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document
from cleanbreak.core.splitters import Splitter
from cleanbreak.engines.worker import Failure, Outcome, Source, Worker, cut, pack
from cleanbreak.errors import CleanbreakError, SettingsError

_log = logging.getLogger("cleanbreak")

IN_FLIGHT = 4
"""Batches taken and not yet given back, for each worker: a long source then holds up its own worker
and not the others."""
BATCH_SOURCES = 32
BATCH_LENGTH = 1 << 16
"""Characters. Asking a worker costs about 0.1 ms, ten times what cutting a short text costs, so short
texts go together; a path goes alone."""
MAX_WORKERS = 256


@overload
def split_many(
    sources: Iterable[Source],
    splitter: Splitter,
    workers: int | None = None,
    on_error: Literal["raise", "skip"] = "raise",
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
) -> Iterator[Outcome]: ...
def split_many(
    sources: Iterable[Source],
    splitter: Splitter,
    workers: int | None = None,
    on_error: Literal["raise", "skip", "yield"] = "raise",
    progress: bool = False,
) -> Iterator[Outcome]:
    """Cut many sources, in parallel processes, and yield the chunks of each in the order given.

    Args:
        sources: texts, documents, or paths of files (`pathlib.Path`; a string is always a text).
            Taken only a few ahead of what is yielded, so an endless generator is fine.
        splitter: cuts each of them.
        workers: how many processes; 0 or 1 cuts in this one. Not given, there are as many as
            processors, or none if no other process can build the splitter (its measure is a
            lambda, say).
        on_error: what becomes of a source that cannot be read or cut. ``"raise"`` stops there,
            ``"skip"`` leaves it out and logs its number, ``"yield"`` gives the `CleanbreakError`
            in place of the chunks. Whichever it is, ``details["source_number"]`` counts from 1.
            Any other exception comes from a function of the caller's, such as a measure, and is
            always raised.
        progress: show a bar on standard error, if that is a terminal.

    Stopping early, by an exception, by Ctrl-C or by closing the iterator, ends the workers at once.

    Raises:
        SettingsError: at once, for a setting out of range, or `workers` asked for a splitter that
            no other process can build.
        CleanbreakError: while iterating, with ``on_error="raise"``; a worker that died over a
            source is a `WorkerDiedError`.

    >>> import cleanbreak as cb
    >>> texts = ["One. Two.", "Three."]
    >>> [len(chunks) for chunks in split_many(texts, cb.BoundarySplitter(6), workers=1)]
    [2, 1]
    """
    one_of("on_error", on_error, ("raise", "skip", "yield"))
    processes = (
        _processors()
        if workers is None
        else whole_number("workers", workers, minimum=0, maximum=MAX_WORKERS)
    )
    packed = pack(splitter) if processes > 1 else None
    outcomes: Generator[Outcome | Failure, None, None]
    if packed is not None:
        outcomes = _in_processes(sources, packed, processes)
    elif workers is None or workers <= 1:
        outcomes = (cut(source, splitter) for source in sources)
    else:
        raise SettingsError(
            "splitter",
            type(splitter).__name__,
            "one that another process can build (name its measure, define it in a module, or use "
            "workers=0)",
        )
    settled = _settle(outcomes, on_error)
    if progress:
        return _with_bar(settled, len(sources) if isinstance(sources, Sized) else None)
    return settled


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_processes(
    sources: Iterable[Source], packed: bytes, processes: int
) -> Generator[Outcome | Failure, None, None]:
    """Outcomes in order. Each thread waits for one worker, so nothing here ever polls."""
    workers = [Worker(packed) for _ in range(processes)]
    idle: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def ask(batch: list[Source]) -> list[Outcome | Failure]:
        worker = idle.get()
        try:
            return worker.ask(batch)
        finally:
            idle.put(worker)

    threads = ThreadPoolExecutor(processes, thread_name_prefix="cleanbreak")
    pending: deque[Future[list[Outcome | Failure]]] = deque()
    try:
        for batch in _batches(sources):
            pending.append(threads.submit(ask, batch))
            if len(pending) == IN_FLIGHT * processes:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()
        threads.shutdown()
        for worker in workers:
            worker.close()


def _batches(sources: Iterable[Source]) -> Iterator[list[Source]]:
    batch: list[Source] = []
    length = 0
    for source in sources:
        batch.append(source)
        length += _length(source)
        if len(batch) == BATCH_SOURCES or length >= BATCH_LENGTH:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _length(source: Source) -> int:
    if isinstance(source, Document):
        source = source.text
    return len(source) if isinstance(source, str) else BATCH_LENGTH


def _settle(outcomes: Generator[Outcome | Failure, None, None], on_error: str) -> Iterator[Outcome]:
    # Closed here and now, not when the garbage collector finds it: processes hang on it.
    with contextlib.closing(outcomes):
        for number, outcome in enumerate(outcomes, 1):
            if isinstance(outcome, Exception) and not isinstance(outcome, CleanbreakError):
                raise outcome
            if isinstance(outcome, CleanbreakError):
                outcome.details["source_number"] = number
                if on_error == "raise":
                    raise outcome
                if on_error == "skip":
                    _log.warning("source %d skipped: %s", number, outcome.code)
                    continue
            yield outcome


def _with_bar(outcomes: Iterator[Outcome], total: int | None) -> Iterator[Outcome]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(outcomes, total=total, description="Splitting")
