"""The server: uvicorn on one address, the token's file, and the browser."""

import contextlib
import ipaddress
import logging
import os
import socket
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import uvicorn

from cleanbreak.errors import SettingsError
from cleanbreak.web.app import make_app
from cleanbreak.web.desk import Desk
from cleanbreak.web.guard import Access, new_token

LOOPBACK = "127.0.0.1"
_OWNER_ONLY = 0o600


@dataclass(frozen=True, slots=True)
class Opened:
    """A server that listens: its address, and the file with its token."""

    access: Access
    token_file: Path

    @property
    def url(self) -> str:
        """The address with the token, for a browser."""
        return f"{self.access.url}?token={self.access.token}"


def serve(
    desk: Desk,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    open_browser: bool = True,
    on_open: Callable[[Opened], None] = lambda _: None,
) -> None:
    """Serve the page until Ctrl-C.

    Args:
        desk: what there is to show.
        host: the address to listen on. Others than this machine's own can be reached from the
            network.
        port: 0 for one that is free.
        open_browser: whether the page is opened.
        on_open: called once the port is open.

    Raises:
        SettingsError: if the address is none, stands for several, or is in use.
    """
    listener = _listener(host, port)
    with contextlib.closing(desk), contextlib.closing(listener):
        access = Access(listener.getsockname()[1], new_token(), host)
        config = uvicorn.Config(
            make_app(desk, access),
            log_config=None,
            access_log=False,  # its lines have the query
            server_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        # Faults of requests are logged by the endpoints, without text.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        server = uvicorn.Server(config)
        with _token_file(access) as token_file:
            opened = Opened(access, token_file)
            on_open(opened)
            if open_browser:
                webbrowser.open(opened.url)
            with contextlib.suppress(KeyboardInterrupt):  # how a person ends it
                server.run(sockets=[listener])


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    return host == "localhost" or _address(host).is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        raise SettingsError("host", host, "an address of this machine, such as 127.0.0.1") from None


def _listener(host: str, port: int) -> socket.socket:
    address = LOOPBACK if host == "localhost" else host
    if _address(address).is_unspecified:
        raise SettingsError("host", host, "one address, as the page proves that it is asked by it")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if os.name != "nt":  # there it would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
    except (OSError, OverflowError):
        listener.close()
        raise SettingsError("port", port, f"a port that is free on {host}") from None
    listener.listen(128)
    return listener


@contextmanager
def _token_file(access: Access) -> Iterator[Path]:
    """A file with the token that only its owner can read; it is removed when the server ends."""
    path = (
        platformdirs.user_runtime_path("cleanbreak", ensure_exists=True) / f"{access.cookie}.token"
    )
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(access.token + "\n")
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
