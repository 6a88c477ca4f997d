"""Where the vectors of one world are: its own file, a folder of the user, or a server.

A world may come from somebody else, so what it says is not trusted. Its vectors in a Qdrant folder
lie with the user's own data and never in the world, since reading such a folder can run code. A key
is sent only to the address that the user named beside it.
"""

import os
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from cleanbreak.errors import SettingsError
from cleanbreak.storage.places import data_folder

if TYPE_CHECKING:
    from cleanbreak.stores.vectors.store import VectorStore

StoreKind = Literal["sqlite", "qdrant"]
STORE_KINDS: tuple[StoreKind, ...] = ("sqlite", "qdrant")

ADDRESS_VARIABLE, KEY_VARIABLE = "QDRANT_URL", "QDRANT_API_KEY"


class VectorStoreRecord(Struct, frozen=True, omit_defaults=True):
    """Where the vectors are, if not in ``vectors.sqlite``. It never holds a key."""

    kind: StoreKind
    address: str | None = None
    """Of a server; without it a folder of the user."""


@dataclass(frozen=True, slots=True)
class VectorPlace:
    """The store of one world.

    Attributes:
        file: the file of its vectors, for ``"sqlite"``.
        world_uuid: names its folder, for ``"qdrant"`` without an address.
        address: of the server, for ``"qdrant"``.
    """

    kind: StoreKind
    file: Path
    world_uuid: str
    address: str | None = None

    def exists(self) -> bool:
        """Whether there may be vectors; a server is not asked."""
        if self.kind == "sqlite":
            return self.file.exists()
        return self.address is not None or self._folder.is_dir()

    def version(self) -> tuple[int, int] | None:
        """What differs once the file is another one; ``None`` where nothing is replaced."""
        if self.kind != "sqlite":
            return None
        found = self.file.stat()
        return found.st_dev, found.st_ino

    def open(self, *, readonly: bool = False) -> "VectorStore":
        """The store, without a collection yet.

        Raises:
            VectorStoreError: by its code, if it cannot be opened.
            DependencyMissingError: without the extra ``qdrant``, where it is needed.
        """
        if self.kind == "sqlite":
            from cleanbreak.stores.vectors.sqlite import SqliteVectors

            return SqliteVectors(self.file, readonly=readonly)
        from cleanbreak.stores.vectors.qdrant import QdrantVectors

        if self.address is None:
            return QdrantVectors.in_folder(self._folder, readonly=readonly)
        address = checked_address(self.address)
        return QdrantVectors.on_server(address, _key_for(address), readonly=readonly)

    @property
    def _folder(self) -> Path:
        # As a UUID, so that a world cannot name another folder.
        return data_folder() / "qdrant" / str(uuid.UUID(self.world_uuid))


def checked_address(address: str) -> str:
    """The address of a server, which a world may keep.

    Raises:
        SettingsError: unless it is http or https with a host, and without a name, password or query.
    """
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or "@" in address or "?" in address or "#" in address:
        # Its value is not repeated, as it may hold a password.
        raise SettingsError(
            "address",
            "this",
            "such as http://localhost:6333, without a name, password or query",
            sentence="The address of a Qdrant server must be such as http://localhost:6333, without "
            f"a name, password or query; a key goes into {KEY_VARIABLE}.",
        )
    return address


def default_address() -> str | None:
    """The server that the user's environment names."""
    return os.environ.get(ADDRESS_VARIABLE) or None


def _key_for(address: str) -> str | None:
    named = os.environ.get(ADDRESS_VARIABLE)
    if not named or _origin(checked_address(named)) != _origin(address):
        return None
    return os.environ.get(KEY_VARIABLE)


def _origin(address: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port
