"""Counts asked from a server with the ``/tokenize`` endpoint of llama.cpp."""

import http.client
import json
import threading
from typing import Any, Self
from urllib.parse import urlsplit

from cleanbreak.errors import MeasureError, SettingsError
from cleanbreak.tokenizers.identity import Identified

# A longer answer is not an answer about tokens.
_MOST_BYTES = 64 * 1024 * 1024


class TokenCounter(Identified):
    """A measure that asks a server; safe between threads, and one connection is kept open.

    The server adds no special tokens, and text that looks like one is plain text. ``name`` is the
    given one, because the address of a server does not identify its model.
    """

    def __init__(self, url: str, timeout: float, name: str | None) -> None:
        self._url, self._timeout = url, timeout
        self.name = name
        self.identity = (url, timeout, name)
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        try:
            parts = urlsplit(url)
            connect, host, port = kinds[parts.scheme], parts.hostname, parts.port
        except (KeyError, ValueError):
            host = None
        if not host:  # the address is not shown, as it may hold a password
            raise SettingsError("url", "that address", "an http or https address")
        self._path = parts.path.rstrip("/").removesuffix("/tokenize") + "/tokenize"
        self._connection = connect(host, port, timeout=timeout)
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; it is opened again if a text is counted."""
        self._connection.close()

    def __call__(self, text: str, /) -> int:
        """The tokens of `text` alone.

        Raises:
            MeasureError: if the server cannot be reached in time, refuses, or answers otherwise.
        """
        question = {"content": text, "add_special": False, "parse_special": False}
        try:
            body = json.dumps(question).encode()
            with self._lock:
                status, answer = self._ask(body)
        except (OSError, http.client.HTTPException) as error:
            raise _failed(type(error).__name__, text) from None
        if status != http.HTTPStatus.OK:
            raise _failed(f"status {status}", text)
        return _tokens_in(answer, text)

    def _ask(self, body: bytes) -> tuple[int, bytes]:
        fresh = self._connection.sock is None
        try:
            return self._post(body)
        except (ConnectionError, http.client.HTTPException):
            self._connection.close()
            if fresh:
                raise
            return self._post(body)  # the server had closed the connection meanwhile
        except OSError:
            self._connection.close()
            raise

    def _post(self, body: bytes) -> tuple[int, bytes]:
        self._connection.request("POST", self._path, body, {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        return response.status, response.read(_MOST_BYTES)

    def __reduce__(self) -> tuple[Any, ...]:
        return (TokenCounter, (self._url, self._timeout, self.name))


def _tokens_in(answer: bytes, text: str) -> int:
    try:
        tokens = json.loads(answer)["tokens"]
    except (ValueError, KeyError, TypeError):
        raise _failed("an answer without tokens", text) from None
    if not isinstance(tokens, list):
        raise _failed("an answer without tokens", text)
    return len(tokens)


def _failed(why: str, text: str) -> MeasureError:
    return MeasureError(
        f"The token server failed ({why}) on a text of {len(text)} characters; check that it runs "
        "and that its address is right.",
        kind=why,
        length=len(text),
    )
