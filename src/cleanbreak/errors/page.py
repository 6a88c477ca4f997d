"""Errors of requests to the local page."""

from cleanbreak.errors.base import CleanbreakError


class RequestError(CleanbreakError):
    """A request to the page cannot be understood. ``details`` has ``field``, where one is wrong."""

    code = "REQUEST_INVALID"


class NotHeldError(CleanbreakError):
    """The page's server holds nothing with this id: it never did, or dropped it for newer ones."""

    code = "NOT_HELD"


class UploadLimitError(CleanbreakError):
    """The body of a request is over the limit of the page's server."""

    code = "UPLOAD_LIMIT"


class TimeLimitError(CleanbreakError):
    """A cut took longer than the page's server allows."""

    code = "TIME_LIMIT"
