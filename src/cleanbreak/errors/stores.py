"""Errors of what is kept: worlds, vaults, indexes, stores of vectors."""

from cleanbreak.errors.base import CleanbreakError


class StoreError(CleanbreakError):
    """A world, vault or index cannot do what is asked."""

    code = "STORE_ERROR"


class WorldExistsError(StoreError):
    """A world of that name or at that place exists."""

    code = "WORLD_EXISTS"


class WorldMissingError(StoreError):
    """There is no world at that place."""

    code = "WORLD_MISSING"


class WorldLockedError(StoreError):
    """Another run is writing. ``details`` has ``pid``, ``host`` and ``since`` where known."""

    code = "WORLD_LOCKED"


class VaultLockedError(WorldLockedError):
    """Another run is indexing the vault."""

    code = "VAULT_LOCKED"


class WorldMalformedError(StoreError):
    """``world.json`` cannot be read, so nothing in the world can be trusted to mean what it says."""

    code = "WORLD_MALFORMED"


class VaultMissingError(StoreError):
    """There is no folder of notes, or no index of it, at that place."""

    code = "VAULT_MISSING"


class StateConflictError(StoreError):
    """What is stored and what is asked differ; nothing was written."""

    code = "STATE_CONFLICT"


class AmbiguousSlotError(StateConflictError):
    """It is not clear which file of a slot is the source; only that book is concerned."""

    code = "SLOT_AMBIGUOUS"


class FormatTooNewError(StoreError):
    """A later version of cleanbreak wrote this; upgrade to read it."""

    code = "FORMAT_TOO_NEW"


class IndexMissingError(StoreError):
    """Nothing was indexed there yet."""

    code = "INDEX_MISSING"


class IndexMalformedError(StoreError):
    """The index file is not one of ours or is damaged; it can be rebuilt."""

    code = "INDEX_MALFORMED"


class DiskFullError(StoreError):
    """The disk is full; what was acknowledged before is safe, and the run can be resumed."""

    code = "DISK_FULL"


class WriteFailedError(StoreError):
    """A write failed for another reason than a full disk."""

    code = "WRITE_FAILED"


class StageError(CleanbreakError):
    """A stage of a world raised an exception that is not ours; the other books continued.

    ``details`` has ``stage``, ``kind`` (the type of the exception, never its text) and
    ``book_number``.
    """

    code = "STAGE_FAILED"


class VectorStoreError(StoreError):
    """A store of vectors cannot be used."""

    code = "VECTOR_STORE_FAILED"


class VectorStoreMalformedError(VectorStoreError):
    """The file or the server cannot be read as a store of vectors; it can be made again."""

    code = "VECTOR_STORE_UNAVAILABLE"


class VectorStoreLockedError(VectorStoreError):
    """Another process holds the store."""

    code = "VECTOR_STORE_LOCKED"


class VectorStoreUnreachableError(VectorStoreError):
    """The server of the vectors does not answer, or refuses the key."""

    code = "VECTOR_STORE_UNREACHABLE"


class VectorReadError(VectorStoreError):
    """Points could not be read. ``details`` has ``kind`` or ``status``, as for the next three."""

    code = "VECTOR_STORE_READ_FAILED"


class VectorWriteError(VectorStoreError):
    """Points could not be written; they count as missing."""

    code = "VECTOR_STORE_WRITE_FAILED"


class VectorDeleteError(VectorStoreError):
    """Points could not be removed; they are removed by the next run."""

    code = "VECTOR_STORE_DELETE_FAILED"


class VectorQueryError(VectorStoreError):
    """A search among the vectors failed."""

    code = "VECTOR_STORE_QUERY_FAILED"


class VectorCollectionMissingError(VectorStoreError):
    """No collection was chosen yet."""

    code = "VECTOR_COLLECTION_NOT_SELECTED"


class VectorCollectionMismatchError(VectorStoreError):
    """The collection has another number of dimensions than the profile."""

    code = "VECTOR_COLLECTION_MISMATCH"


class VectorInvalidError(VectorStoreError):
    """A vector that cannot be stored or asked with."""

    code = "VECTOR_NOT_STORABLE"


class ProfileLockedError(StateConflictError):
    """The world's vectors are of another profile. ``details`` has ``model``, the locked one."""

    code = "WORLD_EMBEDDING_PROFILE_LOCKED"
