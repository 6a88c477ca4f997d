"""Which store the vectors of a world are in, and how another one is chosen."""

from cleanbreak.core.checks import closest
from cleanbreak.errors import SettingsError, StateConflictError
from cleanbreak.stores.vectors.place import (
    STORE_KINDS,
    VectorPlace,
    VectorStoreRecord,
    checked_address,
    default_address,
)
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.records import WorldRecord


def place_of(record: WorldRecord, layout: Layout) -> VectorPlace:
    """Where the vectors of a world are: in its own file, unless another store was chosen."""
    chosen = record.vector_store or VectorStoreRecord("sqlite")
    return VectorPlace(chosen.kind, layout.vectors, record.world_uuid, chosen.address)


def chosen_store(store: str | None, address: str | None) -> VectorStoreRecord | None:
    """What a caller asked for; ``None`` if nothing.

    Raises:
        SettingsError: if there is no such store, or the address is none.
    """
    if store is None and address is None:
        return None
    kind = next((known for known in STORE_KINDS if known == (store or "qdrant")), None)
    if kind is None:
        raise SettingsError(
            "store",
            store,
            "one of " + ", ".join(STORE_KINDS),
            allowed=STORE_KINDS,
            suggestion=closest(str(store), STORE_KINDS),
        )
    if kind == "sqlite":
        if address is not None:
            raise SettingsError("address", "given", "given only for the store qdrant")
        return VectorStoreRecord("sqlite")
    found = address or default_address()
    return VectorStoreRecord("qdrant", None if found is None else checked_address(found))


def check_store(record: WorldRecord, asked: VectorStoreRecord | None, *, replace: bool) -> bool:
    """Whether the world's vectors have to move to another store.

    Raises:
        StateConflictError: if they have to and `replace` is not asked for.
    """
    now = record.vector_store or VectorStoreRecord("sqlite")
    if asked is None or asked == now:
        return False
    if record.embedding_profile is not None and not replace:
        raise StateConflictError(
            f"The vectors of this world are kept in {now.kind}; to make all of them again in "
            f"{asked.kind}: cleanbreak embed WORLD --replace --store {asked.kind}",
            kept=now.kind,
            asked=asked.kind,
        )
    return True
