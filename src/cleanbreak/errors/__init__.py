"""Every error that leaves cleanbreak.

The tree; the code of each class is stable, and programs may rely on it::

    CleanbreakError
      SettingsError (also ValueError)   SETTINGS_INVALID
      SourceError
        SourceMissingError              SOURCE_MISSING       no such file
        SourceUnreadableError           SOURCE_UNREADABLE    a folder, or no permission
        SourceUnsupportedError          SOURCE_UNSUPPORTED   not a kind we read
        SourceUndecodableError          SOURCE_UNDECODABLE   bytes are not text in any known encoding
        SourceEmptyError                SOURCE_EMPTY         no text, or only white space
        SourceEncryptedError            SOURCE_ENCRYPTED     needs a password, or has DRM
        SourceMalformedError            SOURCE_MALFORMED     damaged beyond reading
        SourceLimitError                SOURCE_LIMIT         over the limit of size, ratio, time or memory
      SplitError                        SPLIT_FAILED         a boundary chooser broke its promise
        IndivisibleTextError            TEXT_INDIVISIBLE     one character is over the limit
        TextInvalidError                TEXT_INVALID         lone surrogates: not Unicode text
      MeasureError                      MEASURE_FAILED       a tokenizer or token server failed
      VectorError (also ValueError)     VECTOR_INVALID
        DimensionMismatchError          VECTOR_DIMENSION_MISMATCH
        EmbedderError                   EMBEDDER_FAILED      the function that embeds failed
      StoreError
        WorldExistsError                WORLD_EXISTS
        WorldMissingError               WORLD_MISSING
        WorldLockedError                WORLD_LOCKED         another run is writing
          VaultLockedError              VAULT_LOCKED         another run is indexing the vault
        WorldMalformedError             WORLD_MALFORMED      world.json cannot be trusted
        VaultMissingError               VAULT_MISSING
        StateConflictError              STATE_CONFLICT       what is stored and what is asked differ
          AmbiguousSlotError            SLOT_AMBIGUOUS       several files could be a book's source
          ProfileLockedError            WORLD_EMBEDDING_PROFILE_LOCKED  vectors are of another profile
        FormatTooNewError               FORMAT_TOO_NEW       written by a later version
        IndexMissingError               INDEX_MISSING        nothing was indexed there yet
        IndexMalformedError             INDEX_MALFORMED      not an index of ours; may be rebuilt
        DiskFullError                   DISK_FULL
        VectorStoreError                VECTOR_STORE_FAILED
          VectorStoreMalformedError     VECTOR_STORE_UNAVAILABLE   damaged, or of another program
          VectorStoreLockedError        VECTOR_STORE_LOCKED        another process holds it
          VectorStoreUnreachableError   VECTOR_STORE_UNREACHABLE   a server is away, or refuses the key
          VectorReadError               VECTOR_STORE_READ_FAILED
          VectorWriteError              VECTOR_STORE_WRITE_FAILED
          VectorDeleteError             VECTOR_STORE_DELETE_FAILED
          VectorQueryError              VECTOR_STORE_QUERY_FAILED
          VectorCollectionMissingError  VECTOR_COLLECTION_NOT_SELECTED
          VectorCollectionMismatchError VECTOR_COLLECTION_MISMATCH dimensions differ
          VectorInvalidError            VECTOR_NOT_STORABLE        zero, not finite, or too short
        WriteFailedError                WRITE_FAILED
      StageError                        STAGE_FAILED         a stage of a world failed for a book
      RunInterruptedError               RUN_INTERRUPTED      stopped on request; can be resumed
      WorkerDiedError                   WORKER_DIED          a process of a pool ended over a source
      DependencyMissingError            DEPENDENCY_MISSING   an extra is not installed
      CatalogueInvalidError             CATALOG_INVALID      a file of the catalogue of models
      RequestError                      REQUEST_INVALID      of a request to the local page
      NotHeldError                      NOT_HELD             the page's server has no such id
      UploadLimitError                  UPLOAD_LIMIT         a body is too large for the page
      TimeLimitError                    TIME_LIMIT           a cut took too long for the page
      ModelUnknownError                 MODEL_UNKNOWN        no such model in the catalogue
      ProviderError                     PROVIDER_ERROR
        KeyInvalidError                 PROVIDER_KEY_INVALID       a key file is not valid
        KeysMissingError                PROVIDER_KEYS_MISSING      no key for the model
        KeyRejectedError                PROVIDER_KEY_REJECTED      the provider accepts no key
        KeyExistsError                  PROVIDER_KEY_EXISTS        one of that name is there
        KeyUnknownError                 PROVIDER_KEY_UNKNOWN       no key file of that name
        ProviderUnknownError            PROVIDER_UNKNOWN           no such provider in the catalogue
        RequestTooLargeError            REQUEST_EXCEEDS_QUOTA      larger than a minute's quota
        ProviderUnavailableError        PROVIDER_UNAVAILABLE_UNTIL no key is free in time
        ModelWithdrawnError             MODEL_WITHDRAWN            the provider does not have it
        ProviderStatusError             PROVIDER_STATUS            refused, or failed after retries
      EmbeddingError                    EMBEDDING_FAILED
        EmbeddingTooLargeError          EMBEDDING_CHUNK_TOO_LARGE  longer than the model takes
        EmbeddingMismatchError          EMBEDDING_BATCH_MISMATCH   not one vector for each text
        EmbeddingInvalidError           EMBEDDING_VECTOR_INVALID   zero, not finite, or too short
        EmbeddingUnsupportedError       UNSUPPORTED_EMBEDDING_MODEL
        EmbeddingContractError          EMBEDDING_MODEL_CONTRACT_INCOMPLETE  limits are not stated
        EmbedderNeededError             EMBEDDER_NEEDED            only the caller has it
        ProfileRequiredError            EMBEDDING_PROFILE_REQUIRED no model was chosen
        ModelNotInstalledError          MODEL_NOT_INSTALLED        fetch it first
        ModelMalformedError             MODEL_MALFORMED            not the files that were expected
        ModelInstallError               MODEL_INSTALL_FAILED       the weights cannot be had

A message is one sentence for a person, with what to do next. ``details`` holds what a program
can read: counts, lengths, offsets and file *names*. Neither ever holds source text, keys or the
path of a folder.
"""

from cleanbreak.errors.base import (
    CleanbreakError,
    DependencyMissingError,
    RunInterruptedError,
    SettingsError,
    WorkerDiedError,
)
from cleanbreak.errors.models import (
    CatalogueInvalidError,
    EmbedderNeededError,
    EmbeddingContractError,
    EmbeddingError,
    EmbeddingInvalidError,
    EmbeddingMismatchError,
    EmbeddingTooLargeError,
    EmbeddingUnsupportedError,
    KeyExistsError,
    KeyInvalidError,
    KeyRejectedError,
    KeysMissingError,
    KeyUnknownError,
    ModelInstallError,
    ModelMalformedError,
    ModelNotInstalledError,
    ModelUnknownError,
    ModelWithdrawnError,
    ProfileRequiredError,
    ProviderError,
    ProviderStatusError,
    ProviderUnavailableError,
    ProviderUnknownError,
    RequestTooLargeError,
)
from cleanbreak.errors.page import (
    NotHeldError,
    RequestError,
    TimeLimitError,
    UploadLimitError,
)
from cleanbreak.errors.sources import (
    SourceEmptyError,
    SourceEncryptedError,
    SourceError,
    SourceLimitError,
    SourceMalformedError,
    SourceMissingError,
    SourceUndecodableError,
    SourceUnreadableError,
    SourceUnsupportedError,
)
from cleanbreak.errors.splitting import (
    IndivisibleTextError,
    MeasureError,
    SplitError,
    TextInvalidError,
)
from cleanbreak.errors.stores import (
    AmbiguousSlotError,
    DiskFullError,
    FormatTooNewError,
    IndexMalformedError,
    IndexMissingError,
    ProfileLockedError,
    StageError,
    StateConflictError,
    StoreError,
    VaultLockedError,
    VaultMissingError,
    VectorCollectionMismatchError,
    VectorCollectionMissingError,
    VectorDeleteError,
    VectorInvalidError,
    VectorQueryError,
    VectorReadError,
    VectorStoreError,
    VectorStoreLockedError,
    VectorStoreMalformedError,
    VectorStoreUnreachableError,
    VectorWriteError,
    WorldExistsError,
    WorldLockedError,
    WorldMalformedError,
    WorldMissingError,
    WriteFailedError,
)
from cleanbreak.errors.vectors import (
    DimensionMismatchError,
    EmbedderError,
    VectorError,
)

__all__ = [
    "AmbiguousSlotError",
    "CatalogueInvalidError",
    "CleanbreakError",
    "DependencyMissingError",
    "DimensionMismatchError",
    "DiskFullError",
    "EmbedderError",
    "EmbedderNeededError",
    "EmbeddingContractError",
    "EmbeddingError",
    "EmbeddingInvalidError",
    "EmbeddingMismatchError",
    "EmbeddingTooLargeError",
    "EmbeddingUnsupportedError",
    "FormatTooNewError",
    "IndexMalformedError",
    "IndexMissingError",
    "IndivisibleTextError",
    "KeyExistsError",
    "KeyInvalidError",
    "KeyRejectedError",
    "KeyUnknownError",
    "KeysMissingError",
    "MeasureError",
    "ModelInstallError",
    "ModelMalformedError",
    "ModelNotInstalledError",
    "ModelUnknownError",
    "ModelWithdrawnError",
    "NotHeldError",
    "ProfileLockedError",
    "ProfileRequiredError",
    "ProviderError",
    "ProviderStatusError",
    "ProviderUnavailableError",
    "ProviderUnknownError",
    "RequestError",
    "RequestTooLargeError",
    "RunInterruptedError",
    "SettingsError",
    "SourceEmptyError",
    "SourceEncryptedError",
    "SourceError",
    "SourceLimitError",
    "SourceMalformedError",
    "SourceMissingError",
    "SourceUndecodableError",
    "SourceUnreadableError",
    "SourceUnsupportedError",
    "SplitError",
    "StageError",
    "StateConflictError",
    "StoreError",
    "TextInvalidError",
    "TimeLimitError",
    "UploadLimitError",
    "VaultLockedError",
    "VaultMissingError",
    "VectorCollectionMismatchError",
    "VectorCollectionMissingError",
    "VectorDeleteError",
    "VectorError",
    "VectorInvalidError",
    "VectorQueryError",
    "VectorReadError",
    "VectorStoreError",
    "VectorStoreLockedError",
    "VectorStoreMalformedError",
    "VectorStoreUnreachableError",
    "VectorWriteError",
    "WorkerDiedError",
    "WorldExistsError",
    "WorldLockedError",
    "WorldMalformedError",
    "WorldMissingError",
    "WriteFailedError",
]
