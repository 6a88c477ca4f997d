"""Answers: records as JSON, errors with the status that fits them."""

from typing import Any

import msgspec
from starlette.responses import Response

from cleanbreak.errors import (
    CleanbreakError,
    DependencyMissingError,
    IndexMissingError,
    NotHeldError,
    RequestError,
    RunInterruptedError,
    SettingsError,
    SourceError,
    SourceLimitError,
    SourceMissingError,
    SplitError,
    StateConflictError,
    TimeLimitError,
    UploadLimitError,
    VaultMissingError,
    WorldExistsError,
    WorldLockedError,
    WorldMissingError,
)

# The first class that an error belongs to decides.
_STATUSES: tuple[tuple[type[CleanbreakError], int], ...] = (
    (RequestError, 400),
    (SettingsError, 400),
    (DependencyMissingError, 400),
    (NotHeldError, 404),
    (SourceMissingError, 404),
    (WorldMissingError, 404),
    (VaultMissingError, 404),
    (IndexMissingError, 404),
    (WorldLockedError, 409),
    (WorldExistsError, 409),
    (StateConflictError, 409),
    (RunInterruptedError, 409),
    (UploadLimitError, 413),
    (SourceLimitError, 422),
    (SourceError, 422),
    (SplitError, 422),
    (TimeLimitError, 503),
)
_FAULT = 500


def json_answer(value: Any, status: int = 200) -> Response:
    """A record as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def error_answer(error: CleanbreakError) -> Response:
    """An error as JSON, with the status of its kind."""
    return json_answer(msgspec.to_builtins(error.as_dict()), status_of(error))


def refusal(status: int, code: str, message: str) -> Response:
    """The answer to a request that is not let in."""
    return json_answer({"code": code, "message": message, "details": {}}, status)


def status_of(error: CleanbreakError) -> int:
    """The HTTP status for an error: 500 for one that no request can avoid."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), _FAULT)
