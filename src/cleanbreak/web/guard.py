"""The guard: which requests reach the page, and the headers of every answer.

A page of any site can send requests to a server on this machine, and can let a name of its own
point here (DNS rebinding). So a request needs the server's own address in ``Host``, the token of
this start, and, to change anything, this page as its origin. All of it is checked before routing,
for files, data and server-sent events alike; see docs/design/110-page.md.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cleanbreak.web.answers import refusal

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Headers of every answer."""

CONTENT_TYPES = ("application/json", "application/octet-stream")
"""Types of bodies. A form of another site can send neither without asking first."""

_READS = ("GET", "HEAD")


def new_token() -> str:
    """A token for one start: 32 random bytes."""
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Access:
    """The address of a server, and the token that opens it. The representation hides the token."""

    port: int
    token: str = field(repr=False)
    host: str = "127.0.0.1"

    @property
    def hosts(self) -> tuple[str, ...]:
        """What ``Host`` may be."""
        names = dict.fromkeys(("127.0.0.1", "localhost", "::1", self.host))
        return tuple(f"{_bracketed(name)}:{self.port}" for name in names)

    @property
    def url(self) -> str:
        """The address without the token."""
        return f"http://{_bracketed(self.host)}:{self.port}/"

    @property
    def cookie(self) -> str:
        """The cookie's name. Browsers do not keep cookies of two ports apart, so it has the port."""
        return f"cleanbreak-{self.port}"

    def is_token(self, given: str) -> bool:
        """Whether `given` is the token, compared in constant time."""
        return hmac.compare_digest(given.encode(), self.token.encode())


class Guard:
    """Middleware that refuses what may not be asked, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # there is no other kind of connection, so a websocket is closed

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        answer = self._refused(scope) or self._entered(scope)
        await (answer or self._app)(scope, receive, send_with_headers)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self._access.hosts]:
            return refusal(403, "HOST_REFUSED", "This address is not the page's own.")
        if scope["path"].startswith("/api/") and not _is_own(headers.get("sec-fetch-site")):
            return refusal(403, "ORIGIN_REFUSED", "Requests from other sites are refused.")
        if scope["method"] in _READS:
            return None
        origin = headers.get("origin")
        # A program that sends the token itself has no origin; a browser sends one with the cookie.
        if origin not in self._origins and not (origin is None and self._has_bearer(headers)):
            return refusal(403, "ORIGIN_REFUSED", "Requests from other sites are refused.")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in CONTENT_TYPES and headers.get("content-length", "0") != "0":
            return refusal(415, "CONTENT_TYPE_REFUSED", f"Send {' or '.join(CONTENT_TYPES)}.")
        return None

    def _entered(self, scope: Scope) -> Response | None:
        """The answer to a request without the token, or to the one that brings it; else nothing."""
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        token = query.pop("token", None)
        if scope["path"] == "/" and token is not None and self._access.is_token(token):
            return self._with_cookie(f"/?{urlencode(query)}" if query else "/")
        headers = Headers(scope=scope)
        if self._has_bearer(headers) or self._has_cookie(headers):
            return None
        return refusal(
            401,
            "TOKEN_NEEDED",
            "The page opens with its token: run `cleanbreak serve` again, or see what it printed.",
        )

    def _with_cookie(self, path: str) -> Response:
        answer = RedirectResponse(path, status_code=303)
        answer.set_cookie(
            self._access.cookie, self._access.token, path="/", httponly=True, samesite="strict"
        )
        return answer

    @property
    def _origins(self) -> list[str]:
        return [f"http://{host}" for host in self._access.hosts]

    def _has_bearer(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self._access.is_token(given)

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        given = cookies.get(self._access.cookie)
        return given is not None and self._access.is_token(given.value)


def _is_own(site: str | None) -> bool:
    """Whether a request comes from this page, from the address bar or from no browser."""
    return site in (None, "same-origin", "none")


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
