"""Vectors in Qdrant: a server that many worlds share, or a folder for one process at a time."""

import threading
import uuid
import weakref
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from cleanbreak.errors import (
    VectorCollectionMismatchError,
    VectorCollectionMissingError,
    VectorDeleteError,
    VectorQueryError,
    VectorReadError,
    VectorStoreError,
    VectorStoreMalformedError,
    VectorWriteError,
)
from cleanbreak.stores.vectors.fields import (
    FIELDS,
    check_field,
    check_not_empty,
    no_collection,
    unit_vector,
)
from cleanbreak.stores.vectors.point import Found, Kind, Point
from cleanbreak.stores.vectors.qdrant_connection import (
    Connection,
    open_folder,
    open_server,
    quiet,
    translated,
)
from cleanbreak.stores.vectors.store import Where

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Points of one request: with 4,096 dimensions about 20 MB, and a server takes 32 MB.
_MANY = 256

# Fields that a filter names need an index on a server: without it each point is looked at, and a
# server in strict mode refuses the filter.
_NUMBERS = ("book_number", "chunk_number")

# Cosines of equal vectors differ by the rounding of 32-bit floats, and are ties all the same.
_ROUNDED = 6


class QdrantVectors:
    """A `VectorStore` by ``qdrant-client``. Use `in_folder` or `on_server`.

    Up to 256 points are written all or none. A server answers from its approximate index once a
    collection is large (about 10,000 points); a folder is searched exactly.
    """

    def __init__(self, connection: Connection, *, readonly: bool = False) -> None:
        self._connection = connection
        self._client = connection.client
        self._is_folder = connection.folder is not None
        self._lock = connection.lock if self._is_folder else threading.RLock()
        self._readonly = readonly
        self._name: str | None = None
        self._dimensions = 0
        # A store that is kept for later searches need not be closed by anybody.
        self._end = weakref.finalize(self, connection.close)

    @classmethod
    def in_folder(cls, folder: Path, *, readonly: bool = False) -> Self:
        """The store in a folder of this user. Raises: as `open_folder`."""
        if readonly and not folder.is_dir():
            raise no_collection(folder.name)
        return cls(open_folder(folder), readonly=readonly)

    @classmethod
    def on_server(cls, address: str, key: str | None = None, *, readonly: bool = False) -> Self:
        """The store on a server. Raises: as `open_server`."""
        return cls(open_server(address, key), readonly=readonly)

    def ensure_collection(self, kind: Kind, name: str, dimensions: int) -> None:  # noqa: ARG002
        """See `VectorStore`. The kind is part of the name."""
        with self._calling(VectorStoreMalformedError, "opened"):
            if not self._client.collection_exists(name):
                if self._readonly:
                    raise no_collection(name)
                self._create(name, dimensions)
            collection = self._client.get_collection(name)
            _check_shape(collection, name, dimensions)
            if not (self._readonly or self._is_folder):
                self._index_fields(name, collection.payload_schema)
        self._name, self._dimensions = name, dimensions

    def get(self, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, dict[str, Any]]:
        """See `VectorStore`."""
        name = self._selected()
        found: dict[uuid.UUID, dict[str, Any]] = {}
        for start in range(0, len(ids), _MANY):
            some = [str(point) for point in ids[start : start + _MANY]]
            with self._calling(VectorReadError, "read"):
                records = self._client.retrieve(name, some, with_payload=True)
                found.update((uuid.UUID(str(one.id)), one.payload or {}) for one in records)
        return found

    def upsert(self, points: Sequence[Point]) -> None:
        """See `VectorStore`."""
        from qdrant_client.models import PointStruct

        name = self._selected()
        rows = [
            PointStruct(
                id=str(point.id),
                vector=unit_vector(point.vector, self._dimensions).tolist(),
                payload=dict(point.payload),
            )
            for point in points
        ]
        for start in range(0, len(rows), _MANY):
            with self._calling(VectorWriteError, "written"):
                # A server answers when it has applied the points, which are in its log by then.
                self._client.upsert(name, rows[start : start + _MANY], wait=True)

    def delete(self, ids: Iterable[uuid.UUID]) -> None:
        """See `VectorStore`."""
        from qdrant_client.models import PointIdsList

        name = self._selected()
        # A folder raises for ids that it does not have.
        there: list[Any] = [str(point) for point in self.get(list(ids))]
        for start in range(0, len(there), _MANY):
            with self._calling(VectorDeleteError, "removed"):
                some = PointIdsList(points=there[start : start + _MANY])
                self._client.delete(name, some, wait=True)

    def delete_where(self, where: Where) -> None:
        """See `VectorStore`."""
        from qdrant_client.models import FilterSelector

        check_not_empty(where)
        name, chosen = self._selected(), _filter(where)
        with self._calling(VectorDeleteError, "removed"):
            self._client.delete(name, FilterSelector(filter=chosen), wait=True)

    def query(
        self,
        vector: "npt.NDArray[np.float32]",
        *,
        limit: int,
        where: Where,
        score_threshold: float | None = None,
    ) -> list[Found]:
        """See `VectorStore`."""
        if limit <= 0:
            return []
        name, chosen = self._selected(), _filter(where)
        asked = unit_vector(vector, self._dimensions).tolist()
        wanted = limit + 1
        with self._calling(VectorQueryError, "searched"):
            while True:
                found = self._client.query_points(
                    name,
                    query=asked,
                    limit=wanted,
                    query_filter=chosen,
                    score_threshold=score_threshold,
                    with_payload=True,
                ).points
                # Of equal ones any may come first, so all that tie with the last are needed.
                if len(found) < wanted or _rounded(found[-1]) < _rounded(found[limit - 1]):
                    break
                wanted *= 2
            hits = sorted(found, key=_place)[:limit]
            return [Found(uuid.UUID(str(hit.id)), hit.score, hit.payload or {}) for hit in hits]

    def count(self, where: Where) -> int:
        """See `VectorStore`."""
        name, chosen = self._selected(), _filter(where)
        with self._calling(VectorReadError, "counted"):
            return int(self._client.count(name, count_filter=chosen, exact=True).count)

    def scroll(self, where: Where) -> Iterator[tuple[uuid.UUID, dict[str, Any]]]:
        """See `VectorStore`."""
        name, chosen = self._selected(), _filter(where)
        after: Any = None
        while True:
            with self._calling(VectorReadError, "read"):
                records, after = self._client.scroll(
                    name, scroll_filter=chosen, limit=_MANY, offset=after, with_payload=True
                )
                page = [(uuid.UUID(str(one.id)), one.payload or {}) for one in records]
            yield from page
            if after is None:
                return

    def close(self) -> None:
        """See `VectorStore`."""
        self._name = None
        with self._lock:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # --- collections -----------------------------------------------------------------------------

    def _create(self, name: str, dimensions: int) -> None:
        from qdrant_client.models import Distance, VectorParams

        params = VectorParams(size=dimensions, distance=Distance.COSINE, on_disk=True)
        try:
            self._client.create_collection(name, vectors_config=params, on_disk_payload=True)
        except Exception:
            # Another process may have made it in between, which is as good; its shape is looked at.
            if not self._client.collection_exists(name):
                raise

    def _index_fields(self, name: str, known: Container[str]) -> None:
        """Make the indexes that are missing, also where a writer was killed between two of them."""
        from qdrant_client.models import PayloadSchemaType

        for field in FIELDS:
            schema = PayloadSchemaType.INTEGER if field in _NUMBERS else PayloadSchemaType.KEYWORD
            if field not in known:
                self._client.create_payload_index(name, field, field_schema=schema, wait=True)

    def _selected(self) -> str:
        if self._name is None:
            raise VectorCollectionMissingError("Choose a collection first: ensure_collection().")
        return self._name

    @contextmanager
    def _calling(self, failure: type[VectorStoreError], done: str) -> Iterator[None]:
        hushed = quiet() if self._is_folder else nullcontext()
        with self._lock, translated(failure, done), hushed:
            yield


def _check_shape(collection: Any, name: str, dimensions: int) -> None:
    from qdrant_client.models import Distance

    params = collection.config.params.vectors
    size, distance = getattr(params, "size", None), getattr(params, "distance", None)
    if (size, distance) != (dimensions, Distance.COSINE):
        raise VectorCollectionMismatchError(
            f"The vectors {name} in Qdrant have {size} dimensions and the profile {dimensions}, "
            "or are not compared by the cosine; delete that collection and embed again.",
            name=name,
            dimensions=size,
            expected=dimensions,
        )


def _filter(where: Where) -> Any:
    from qdrant_client.models import FieldCondition, Filter, MatchAny, MatchValue

    conditions: list[Any] = []
    for name, value in where.items():
        check_field(name)
        one = isinstance(value, str | int)
        match = MatchValue(value=value) if one else MatchAny(any=list(value))  # type: ignore[arg-type]
        conditions.append(FieldCondition(key=name, match=match))
    return Filter(must=conditions) if conditions else None


def _rounded(hit: Any) -> float:
    return round(float(hit.score), _ROUNDED)


def _place(hit: Any) -> tuple[float, int, int]:
    payload = hit.payload or {}
    return -_rounded(hit), payload.get("book_number", 0), payload.get("chunk_number", 0)
