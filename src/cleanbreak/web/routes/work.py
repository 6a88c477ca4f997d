"""Routes of long work: uploads, jobs, and their progress as server-sent events."""

from collections.abc import AsyncIterator
from typing import Any, Literal

import anyio
import msgspec
from starlette.responses import Response, StreamingResponse

from cleanbreak.errors import RequestError, RunInterruptedError
from cleanbreak.vaults import NoteOutcome, Vault
from cleanbreak.web.desk import Desk
from cleanbreak.web.endpoint import Endpoint, Stop
from cleanbreak.web.jobs import Job, JobRecord
from cleanbreak.web.places import Place
from cleanbreak.web.routes.settings import new_splitter
from cleanbreak.web.routes.texts import Nothing

# How often the events of a job look for a change.
_LOOKS_EVERY_SECONDS = 0.1

Kind = Literal["ingest", "resume", "verify", "repair", "reingest", "reindex", "index"]


class NewUpload(msgspec.Struct, forbid_unknown_fields=True):
    """A file for an ingest."""

    data: bytes
    name: str


class UploadRecord(msgspec.Struct):
    """A file that is held for an ingest."""

    upload_id: str
    source_filename: str
    size: int


class NewJob(msgspec.Struct, forbid_unknown_fields=True):
    """Work to start in a place."""

    kind: Kind
    place_id: str
    uploads: list[str] = []
    by: str | None = None
    settings: dict[str, Any] = {}
    books: list[int] = []


class JobId(msgspec.Struct, forbid_unknown_fields=True):
    """A job."""

    job_id: str


class JobList(msgspec.Struct):
    """All jobs, newest first."""

    jobs: list[JobRecord]


def upload(desk: Desk, asked: NewUpload, _stop: Stop) -> UploadRecord:
    """Hold a file for an ingest."""
    upload_id, name = desk.uploads.add(asked.name, asked.data)
    return UploadRecord(upload_id, name, len(asked.data))


def start(desk: Desk, asked: NewJob, _stop: Stop) -> JobRecord:
    """Start a job."""
    place = desk.places.get(asked.place_id)
    if (asked.kind == "index") != (place.kind == "vault"):
        raise RequestError(f"A {place.kind} has no job {asked.kind}.", field="kind")
    paths = [desk.uploads.path(one) for one in asked.uploads]
    if (asked.kind == "ingest") != bool(paths):
        raise RequestError("An ingest needs uploads, and other jobs have none.", field="uploads")
    splitter = None if asked.by is None else new_splitter(asked.by, asked.settings)

    def work(job: Job) -> dict[str, Any]:
        if asked.kind == "index":
            return _index(place, job)
        world, stop, report = place.world(), job.wants_stop, job.on_progress
        if asked.kind == "ingest":
            found = world.ingest(
                paths, settings=splitter, on_plan=report, on_progress=report, stop=stop
            ).as_dict()
            for one in asked.uploads:
                desk.uploads.discard(one)
            return found
        if asked.kind == "resume":
            return world.resume(on_progress=report, stop=stop).as_dict()
        if asked.kind == "reingest":
            numbers = asked.books or None
            return world.reingest(
                numbers, settings=splitter, on_progress=report, stop=stop
            ).as_dict()
        if asked.kind == "reindex":
            return {"books": world.reindex(on_progress=report, stop=stop)}
        repair = asked.kind == "repair"
        return world.verify(repair=repair, on_progress=report, stop=stop).as_dict()

    return desk.jobs.start(asked.kind, asked.place_id, work).record()


def jobs(desk: Desk, _asked: Nothing, _stop: Stop) -> JobList:
    """All jobs."""
    return JobList([one.record() for one in desk.jobs.all()])


def job(desk: Desk, asked: JobId, _stop: Stop) -> JobRecord:
    """A job."""
    return desk.jobs.get(asked.job_id).record()


def stop_job(desk: Desk, asked: JobId, _stop: Stop) -> JobRecord:
    """Let a job end where it can be resumed."""
    found = desk.jobs.get(asked.job_id)
    found.stop()
    return found.record()


def events(desk: Desk, asked: JobId, _stop: Stop) -> Response:
    """The job at each change, until it has ended."""
    found = desk.jobs.get(asked.job_id)
    return StreamingResponse(_events(found), media_type="text/event-stream")


async def _events(job: Job) -> AsyncIterator[bytes]:
    seen = -1
    while True:
        version, state = job.version, job.state
        if version != seen:
            seen = version
            yield b"event: job\ndata: " + msgspec.json.encode(job.record()) + b"\n\n"
        if state != "running":
            return
        await anyio.sleep(_LOOKS_EVERY_SECONDS)


def _index(place: Place, job: Job) -> dict[str, Any]:
    def on_note(_: NoteOutcome) -> None:
        if job.wants_stop():
            raise RunInterruptedError("Stopped; index the notes again to continue.")

    with Vault.index(place.path, on_note=on_note) as vault:
        return vault.report.as_dict() if vault.report else {}


_JOB = "/jobs/{job_id}"

ENDPOINTS = (
    Endpoint("POST", "/uploads", upload, NewUpload, UploadRecord, "Hold a file.", raw=True),
    Endpoint("POST", "/jobs", start, NewJob, JobRecord, "Start a job.", status=202),
    Endpoint("GET", "/jobs", jobs, Nothing, JobList, "All jobs."),
    Endpoint("GET", _JOB, job, JobId, JobRecord, "A job."),
    Endpoint("POST", f"{_JOB}/stop", stop_job, JobId, JobRecord, "Stop a job."),
    Endpoint("GET", f"{_JOB}/events", events, JobId, str, "The job at each change."),
)
