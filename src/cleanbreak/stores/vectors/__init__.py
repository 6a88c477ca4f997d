"""Where vectors are kept and searched: one protocol, one file a world or a server."""

from cleanbreak.stores.vectors.point import Found, Payload, Point
from cleanbreak.stores.vectors.store import VectorStore

__all__ = ["Found", "Payload", "Point", "VectorStore"]
