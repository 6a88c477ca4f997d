"""An endpoint: one route of the interface, from the request to the answer.

The work runs in a thread, so that a long one keeps nobody waiting, and hears in `Stop` when the client
has gone or the time is over.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal

import anyio
import anyio.to_thread
import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from cleanbreak.errors import (
    CleanbreakError,
    RequestError,
    RunInterruptedError,
    TimeLimitError,
    UploadLimitError,
)
from cleanbreak.web.answers import error_answer, json_answer, refusal, status_of
from cleanbreak.web.desk import Desk

Method = Literal["GET", "POST", "DELETE"]

# The client went away, as nginx logs it; nobody reads the answer.
_CLIENT_GONE = 499

_log = logging.getLogger("cleanbreak.web")


class Stop:
    """Asked by long work whether to end: the client has gone, or the time is over."""

    def __init__(self, seconds: float) -> None:
        self._until = monotonic() + seconds
        self._gone = False

    def client_gone(self) -> None:
        """Let the work end."""
        self._gone = True

    def check(self) -> None:
        """Return if the work should continue.

        Raises:
            RunInterruptedError: if the client has gone.
            TimeLimitError: if the time is over.
        """
        if self._gone:
            raise RunInterruptedError("The client has gone.")
        if monotonic() > self._until:
            raise TimeLimitError(
                "This took longer than the page allows; use the command line for it."
            )


Call = Callable[[Desk, Any, Stop], Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A route. ``asks`` has the fields of path, query and JSON body together.

    With ``raw`` the body is bytes: the field ``data`` of ``asks``. ``answers`` describes the answer.
    ``alone`` endpoints run one at a time.
    """

    method: Method
    path: str
    call: Call
    asks: type[msgspec.Struct]
    answers: Any
    summary: str
    raw: bool = False
    alone: bool = False
    status: int = 200

    def route(self, desk: Desk) -> Route:
        """The route for Starlette."""

        async def answer(request: Request) -> Response:
            started = monotonic()
            try:
                response = await self._answer(desk, request)
            except CleanbreakError as error:
                response = error_answer(error)
                if status_of(error) >= 500:
                    _log.error("%s %s failed: %s", self.method, self.path, error.code)
            except ClientDisconnect:
                response = Response(status_code=_CLIENT_GONE)
            except Exception as error:  # noqa: BLE001 (a traceback in the log may hold text)
                response = _fault(error)
            milliseconds = (monotonic() - started) * 1000
            _log.info(
                "%s %s %d %.0f ms", self.method, self.path, response.status_code, milliseconds
            )
            return response

        return Route(f"/api/v1{self.path}", answer, methods=[self.method])

    async def _answer(self, desk: Desk, request: Request) -> Response:
        asked = await self._asked(desk, request)
        stop = Stop(desk.limits.seconds)
        async with anyio.create_task_group() as group:
            group.start_soon(_watch, request, stop)
            limiter = desk.one_at_a_time if self.alone else desk.threads
            found = await anyio.to_thread.run_sync(
                lambda: _guarded(self.call, desk, asked, stop), limiter=limiter
            )
            group.cancel_scope.cancel()
        if isinstance(found, Exception):
            raise found
        return found if isinstance(found, Response) else json_answer(found, self.status)

    async def _asked(self, desk: Desk, request: Request) -> Any:
        fields: dict[str, Any] = {}
        if self.method != "POST" or self.raw:
            fields |= _query(request, self.asks)
        if self.method == "POST":
            body = await _body(request, desk.limits.body_bytes)
            fields |= {"data": body} if self.raw else _decoded(body)
        fields |= request.path_params
        try:
            return msgspec.convert(fields, self.asks, strict=False)
        except msgspec.ValidationError as error:
            raise RequestError(_plain(error)) from None


def _guarded(call: Call, desk: Desk, asked: Any, stop: Stop) -> Any:
    """What the call gives, or its error as a value: a task group would wrap what is raised."""
    try:
        stop.check()  # it may have waited long for the one before
        return call(desk, asked, stop)
    except Exception as error:  # noqa: BLE001 (raised again outside of the group)
        return error


async def _watch(request: Request, stop: Stop) -> None:
    """Wait until the client goes."""
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            stop.client_gone()
            return


async def _body(request: Request, most: int) -> bytes:
    too_large = UploadLimitError(
        f"The page takes at most {most:,} bytes; use the command line for more.", limit=most
    )
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > most:
        raise too_large
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise too_large
        parts.append(part)
    return b"".join(parts)


def _query(request: Request, asks: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields of the query; one that may be given several times is a list."""
    several = {field.name for field in msgspec.structs.fields(asks) if field.type == list[int]}
    query = request.query_params
    return {name: query.getlist(name) if name in several else query[name] for name in query}


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(body or b"{}")
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise RequestError("The body of the request is not JSON.") from None
    if not isinstance(found, dict):
        raise RequestError("The body of the request must be a JSON object.")
    return found


def _plain(error: msgspec.ValidationError) -> str:
    """What is wrong, with the field's name; the message of msgspec never has the value."""
    return f"The request is refused: {error}."


def _fault(error: Exception) -> Response:
    """The answer after a fault of ours; the log has its kind and place, never its words."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    file = place.tb_frame.f_code.co_name if place else "?"
    _log.error(
        "fault: %s in %s, line %d", type(error).__name__, file, place.tb_lineno if place else 0
    )
    return refusal(500, "FAULT", "The server failed; please report it.")


async def unknown(_request: Request, error: Exception) -> Response:
    """The answer where no route fits."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    return refusal(status, "ROUTE_UNKNOWN", "There is nothing at this address.")
