"""Clients of Qdrant: one for each folder in a process, or one for a server; its errors as ours.

A folder is locked by the client that opened it, also against a second client of the same process,
so all stores of a process share one. Its points are pickled, which runs code when they are read:
open only a folder that this program made for this user, never one that came with a world.
"""

import errno
import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cleanbreak.errors import (
    CleanbreakError,
    DependencyMissingError,
    DiskFullError,
    StoreError,
    VectorCollectionMissingError,
    VectorStoreError,
    VectorStoreLockedError,
    VectorStoreMalformedError,
    VectorStoreUnreachableError,
)

# Longer than any query, and shorter than a person waits for a server that is away.
_TIMEOUT_SECONDS = 30

_ONE_AT_A_TIME = threading.RLock()


@dataclass(slots=True)
class Connection:
    """A client and how many stores use it. Calls to a folder come one at a time."""

    client: Any
    folder: str | None = None
    users: int = 1
    lock: Any = field(default_factory=threading.RLock)

    def close(self) -> None:
        """End one use; the last one closes the client, which frees the folder."""
        with _ONE_AT_A_TIME:
            self.users -= 1
            if self.users:
                return
            if self.folder is not None:
                _folders.pop(self.folder, None)
            self.client.close()


_folders: dict[str, Connection] = {}


def open_folder(folder: Path) -> Connection:
    """The client of a folder, which is made if it is missing.

    Raises:
        VectorStoreLockedError: if another process has it open.
        VectorStoreMalformedError: if it cannot be read.
        DependencyMissingError: without the extra ``qdrant``.
    """
    made = _client_class()
    place = str(folder.resolve())
    with _ONE_AT_A_TIME:
        if place in _folders:
            _folders[place].users += 1
            return _folders[place]
        with translated(VectorStoreMalformedError, "opened"), quiet():
            # Our lock and not the threads decide who calls, so SQLite need not check them.
            client = made(path=place, force_disable_check_same_thread=True)
        _folders[place] = Connection(client, place)
        return _folders[place]


def open_server(address: str, key: str | None = None) -> Connection:
    """A client of a server; nothing is sent yet.

    Raises:
        VectorStoreUnreachableError: if `address` is none.
        DependencyMissingError: without the extra ``qdrant``.
    """
    made = _client_class()
    with translated(VectorStoreUnreachableError, "reached"), quiet():
        client = made(url=address, api_key=key, timeout=_TIMEOUT_SECONDS, check_compatibility=False)
    return Connection(client)


def _client_class() -> Any:
    try:
        from qdrant_client import QdrantClient
    except ImportError as error:
        raise DependencyMissingError(
            "Vectors in Qdrant need one more package: pip install 'cleanbreak[qdrant]'",
            package=error.name,
            extra="qdrant",
        ) from None
    # httpx writes the address of each request into its log.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    return QdrantClient


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings of the client: its advice is in our documents, and may quote a path."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def translated(failure: type[VectorStoreError], done: str) -> Iterator[None]:
    """Turn every exception of the client into ours; `failure` if it says nothing more exact.

    The client raises classes of its own, of httpx, pydantic, SQLite and pickle, and plain ones; its
    messages quote addresses, paths and points, so none is kept.
    """
    try:
        yield
    except CleanbreakError:
        raise
    except Exception as error:  # noqa: BLE001 (any class, see above)
        raise _ours(error, failure, done) from None


def _ours(error: Exception, failure: type[VectorStoreError], done: str) -> StoreError:
    cause = getattr(error, "source", None) or error  # the client wraps what httpx raised
    kind = type(cause).__name__
    status = getattr(error, "status_code", None)
    if _says_full(cause):
        return DiskFullError(
            "The disk of the vectors is full; what was stored is kept. Make room and run again."
        )
    if isinstance(cause, RuntimeError) and "already accessed" in str(cause):
        return VectorStoreLockedError(
            "Another process has the folder of these vectors open; wait for it to end, or use a "
            "Qdrant server, which many can use at once."
        )
    if status in (401, 403):
        return VectorStoreUnreachableError(
            "The Qdrant server refused the key; set QDRANT_API_KEY, and QDRANT_URL to the same "
            "address.",
            status=status,
        )
    if status == 404:
        return VectorCollectionMissingError("The Qdrant server has no such vectors; embed first.")
    if _is_transport(cause):
        return VectorStoreUnreachableError(
            "The Qdrant server does not answer; see whether it runs, and check its address.",
            kind=kind,
        )
    answer = f"status {status}" if status else kind
    return failure(
        f"The vectors in Qdrant could not be {done} ({answer}); run again, and look at the server's "
        "log or delete the folder if it happens again.",
        kind=kind,
        status=status,
    )


def _says_full(error: Exception) -> bool:
    if getattr(error, "errno", None) in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return True
    content = getattr(error, "content", None)
    if isinstance(content, bytes):  # the server has no status of its own for it
        return b"No space left" in content
    return getattr(error, "sqlite_errorname", None) == "SQLITE_FULL"


def _is_transport(error: Exception) -> bool:
    import httpx

    return isinstance(
        error, (httpx.TransportError, httpx.InvalidURL, ConnectionError, TimeoutError)
    )
