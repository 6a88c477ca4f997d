"""Reading in a child process, so that a hostile file costs an error and not the whole program.

A child is started for the first PDF, say, and kept for the next one: starting takes about 0.2 s,
asking again about a millisecond, so a thousand small books cost one start. Threads that read at the
same time get a child each (PDFium is not thread-safe; here it need not be). A child is killed when
its time is over, and not used again after it has grown. This is not a sandbox: the child has the
rights of its parent, and only time, memory and crashes are limited.
"""

import atexit
import contextlib
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import cast

from cleanbreak.core.document import Document, SourceWarning
from cleanbreak.errors import CleanbreakError, SourceLimitError, SourceMalformedError
from cleanbreak.processes.child import Child, ChildDiedError
from cleanbreak.readers import clock, worker
from cleanbreak.readers.detect import Kind
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.reading import Options, read_here
from cleanbreak.readers.worker import Reply, Request

# Children that wait for work. Threads share it without a lock: `pop` and `append` are atomic.
_idle: list[Child] = []


def read_isolated(
    source: str | os.PathLike[str] | SourceFile, kind: Kind, options: Options
) -> Document:
    """Read a file, or the one at a path, in a child process, within the time and memory allowed.

    If no process can be started, the file is read in this one, with a warning.

    Raises:
        SourceLimitError: if the time or the memory was not enough.
        SourceMalformedError: if the file crashed its reader.
        SourceError: any other error of the reader.
    """
    try:
        child = _take()
    except OSError:
        return _read_unlimited(source, kind, options)
    if not isinstance(source, SourceFile):
        source = str(Path(source).absolute())
    outcome = _ask(child, Request(source, kind, options))
    if isinstance(outcome, CleanbreakError):
        raise outcome
    return outcome


def _take() -> Child:
    while _idle:
        with contextlib.suppress(IndexError):  # another thread took the last one
            child = _idle.pop()
            if child.running:
                return child
            child.close()
    return Child(worker.answer, quiet=True)  # quiet, as a traceback may quote the source


def _ask(child: Child, request: Request) -> Document | CleanbreakError:
    """What the child answers, or an error if it ends or is too slow; afterwards keep it or end it."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        child.kill()

    timer = threading.Timer(request.options.limits.wall_seconds, expire)
    timer.daemon = True
    timer.start()
    try:
        reply = cast("Reply", child.ask(request))
    except ChildDiedError as death:
        slow = expired.is_set() or clock.was_over(death.status)
        return _too_slow(request) if slow else _crashed(request, death.status)
    except BaseException:
        # Interrupted: the child may be in the middle of a reply that nobody will read.
        child.kill()
        child.close()
        raise
    finally:
        timer.cancel()
        timer.join()  # else it might still kill a child that has been given to another thread
    if reply.reusable and not expired.is_set():
        _idle.append(child)
    else:
        child.close()
    return reply.outcome


def _too_slow(request: Request) -> SourceLimitError:
    name = request.name
    allowed = request.options.limits.max_seconds
    return SourceLimitError(
        f"Reading {name!r} took more than {allowed:,} s and was stopped; "
        "raise max_seconds if you trust it.",
        name=name,
        limit="max_seconds",
        allowed=allowed,
    )


def _crashed(request: Request, status: int) -> SourceMalformedError:
    name = request.name
    return SourceMalformedError(
        f"{name!r} ended the process that read it; it is damaged, or made to do so.",
        name=name,
        exit_status=status,
    )


def _read_unlimited(
    source: str | os.PathLike[str] | SourceFile, kind: Kind, options: Options
) -> Document:
    document = read_here(source, kind, options)
    message = "No process could be started, so the file was read without a limit of time or memory."
    warning = SourceWarning("READ_WITHOUT_LIMITS", message)
    return replace(document, warnings=(*document.warnings, warning))


def _close_idle() -> None:
    while _idle:
        _idle.pop().close()


atexit.register(_close_idle)
