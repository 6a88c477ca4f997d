"""Jobs: long work on a place, in a thread of its own, with progress, that can be stopped."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Any, Literal

import msgspec

from cleanbreak.errors import (
    CleanbreakError,
    NotHeldError,
    RunInterruptedError,
    StateConflictError,
)
from cleanbreak.worlds import RunProgress

State = Literal["running", "done", "stopped", "failed"]

# Jobs that are remembered.
_MOST = 100


class ProgressRecord(msgspec.Struct):
    """Where a job is."""

    book_number: int
    source_filename: str
    stage: str
    completed_chunks: int
    total_chunks: int
    books_done: int
    books: int


class ErrorRecord(msgspec.Struct):
    """An error, as every refusal of the interface is."""

    code: str
    message: str
    details: dict[str, Any]


class JobRecord(msgspec.Struct):
    """A job at one moment."""

    job_id: str
    kind: str
    place_id: str
    state: State
    progress: ProgressRecord | None
    report: dict[str, Any] | None
    error: ErrorRecord | None


@dataclass(slots=True)
class Job:
    """One job. The thread of the job writes, others read; ``version`` grows with each change."""

    job_id: str
    kind: str
    place_id: str
    state: State = "running"
    progress: ProgressRecord | None = None
    report: dict[str, Any] | None = None
    error: CleanbreakError | None = None
    version: int = 0
    _stopping: bool = field(default=False, repr=False)

    def stop(self) -> None:
        """Let the job end at the next place where it can be resumed."""
        self._stopping = True

    def wants_stop(self) -> bool:
        """Whether the job should end."""
        return self._stopping

    def on_progress(self, now: RunProgress) -> None:
        """Note where a run of a world is."""
        self.progress = ProgressRecord(
            now.book_number,
            now.filename,
            now.stage,
            now.completed_chunks,
            now.total_chunks,
            now.books_done,
            now.books,
        )
        self.version += 1

    def record(self) -> JobRecord:
        """The job as it is shown."""
        error = self.error and msgspec.convert(
            msgspec.to_builtins(self.error.as_dict()), ErrorRecord
        )
        return JobRecord(
            self.job_id,
            self.kind,
            self.place_id,
            self.state,
            self.progress,
            self.report,
            error or None,
        )

    def end(self, state: State) -> None:
        """Note that the job has ended."""
        self.state = state
        self.version += 1


Work = Callable[[Job], dict[str, Any]]
"""The work of a job; it returns the report as data."""


class Jobs:
    """All jobs of a server."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._threads: list[Thread] = []
        self._lock = Lock()

    def start(self, kind: str, place_id: str, work: Work) -> Job:
        """Start work on a place.

        Raises:
            StateConflictError: if a job is running there.
        """
        job = Job(secrets.token_hex(8), kind, place_id)
        with self._lock:
            if any(one.place_id == place_id and one.state == "running" for one in self.all()):
                raise StateConflictError("A job is running in this place; stop it or wait.")
            self._jobs[job.job_id] = job
            for old in [one.job_id for one in self.all() if one.state != "running"][_MOST:]:
                del self._jobs[old]
        # Not a daemon: a run that is stopped may end its write.
        thread = Thread(target=_run, args=(job, work), name=f"job-{kind}")
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()
        return job

    def get(self, job_id: str) -> Job:
        """The job with this id.

        Raises:
            NotHeldError: if there is none.
        """
        if job_id not in self._jobs:
            raise NotHeldError("There is no such job.")
        return self._jobs[job_id]

    def all(self) -> list[Job]:
        """All jobs, newest first."""
        return list(self._jobs.values())[::-1]

    def close(self) -> None:
        """Stop them all, and wait until each is where it can be resumed."""
        for job in self.all():
            job.stop()
        for thread in self._threads:
            thread.join()


def _run(job: Job, work: Work) -> None:
    try:
        job.report = work(job)
    except RunInterruptedError as error:
        job.error = error
        job.end("stopped")
    except CleanbreakError as error:
        job.error = error
        job.end("failed")
    except Exception as error:  # noqa: BLE001 (nobody else would hear of it)
        job.error = CleanbreakError(
            f"The job failed with {type(error).__name__}; please report it."
        )
        job.end("failed")
    else:
        job.end("done")
