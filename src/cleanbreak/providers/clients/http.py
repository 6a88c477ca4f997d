"""Sends requests. Every exception of the HTTP library ends here."""

import weakref
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cleanbreak.errors import DependencyMissingError
from cleanbreak.providers.clients.protocol import Request
from cleanbreak.providers.clients.refusal import TransientError, refusal

if TYPE_CHECKING:
    import httpx

# A model that is loaded first may need a minute; a connection never does.
_TIMEOUT_SECONDS, _CONNECT_SECONDS = 120.0, 10.0

# A vector of 3,072 numbers has about 60 kB as JSON; 128 of them are 8 MB.
_MOST_BYTES = 64 * 1024 * 1024


class HttpClient:
    """One provider's address, with connections that are kept open. Safe between threads.

    Args:
        base_url: the address that paths are put after.
        transport: another way to send, for tests.

    Raises:
        DependencyMissingError: if the HTTP library is not installed.
    """

    def __init__(self, base_url: str, transport: "httpx.BaseTransport | None" = None) -> None:
        httpx = _library()
        self._httpx = httpx
        self._base_url = base_url.rstrip("/")
        timeout = httpx.Timeout(_TIMEOUT_SECONDS, connect=_CONNECT_SECONDS)
        self._client = httpx.Client(timeout=timeout, transport=transport, follow_redirects=False)
        # Nobody need close an embedder: its connections end with it.
        self.close = weakref.finalize(self, self._client.close)

    def post(self, request: Request) -> Any:
        """The decoded JSON of a successful answer.

        Raises:
            LimitedError, RejectedError, RefusedError: by the status of another answer.
            TransientError: for a status that may pass, a failure of the network, or no JSON.
        """
        httpx = self._httpx
        try:
            answer = self._client.post(
                self._base_url + request.path, json=request.body, headers=request.headers
            )
            if answer.is_success:
                return self._decoded(answer)
            headers = {name.lower(): value for name, value in answer.headers.items()}
            raise refusal(answer.status_code, headers, answer.content, datetime.now(UTC))
        except (
            httpx.HTTPError,
            httpx.InvalidURL,
            httpx.StreamError,
            httpx.CookieConflict,
        ) as error:
            # The class says what happened; the text may hold the address and what was sent.
            raise TransientError(type(error).__name__) from None

    def _decoded(self, answer: "httpx.Response") -> Any:
        if len(answer.content) > _MOST_BYTES:
            raise TransientError("an answer of over 64 MB")
        try:
            return answer.json()
        except ValueError:
            raise TransientError("an answer that is no JSON") from None


def _library() -> Any:
    try:
        import httpx
    except ImportError:
        raise DependencyMissingError(
            "Models over the network need one more package: pip install 'cleanbreak[providers]'",
            package="httpx",
            extra="providers",
        ) from None
    return httpx
