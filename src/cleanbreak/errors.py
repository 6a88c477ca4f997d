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
        WorldMalformedError             WORLD_MALFORMED      world.json cannot be trusted
        VaultMissingError               VAULT_MISSING
        StateConflictError              STATE_CONFLICT       what is stored and what is asked differ
          AmbiguousSlotError            SLOT_AMBIGUOUS       several files could be a book's source
        FormatTooNewError               FORMAT_TOO_NEW       written by a later version
        IndexMissingError               INDEX_MISSING        nothing was indexed there yet
        IndexMalformedError             INDEX_MALFORMED      not an index of ours; may be rebuilt
        DiskFullError                   DISK_FULL
        VectorStoreError
          VectorStoreMalformedError     VECTOR_STORE_UNAVAILABLE   damaged, or of another program
          VectorStoreLockedError        VECTOR_STORE_LOCKED        another process holds it
          VectorCollectionMissingError  VECTOR_COLLECTION_NOT_SELECTED
          VectorCollectionMismatchError VECTOR_COLLECTION_MISMATCH dimensions differ
          VectorInvalidError            VECTOR_INVALID             zero, not finite, or too short
        WriteFailedError                WRITE_FAILED
      StageError                        STAGE_FAILED         a stage of a world failed for a book
      RunInterruptedError               RUN_INTERRUPTED      stopped on request; can be resumed
      WorkerDiedError                   WORKER_DIED          a process of a pool ended over a source
      DependencyMissingError            DEPENDENCY_MISSING   an extra is not installed
      CatalogueInvalidError             CATALOG_INVALID      a file of the catalogue of models
      ModelUnknownError                 MODEL_UNKNOWN        no such model in the catalogue
      ProviderError
        KeyInvalidError                 PROVIDER_KEY_INVALID       a key file is not valid
        KeysMissingError                PROVIDER_KEYS_MISSING      no key for the model
        KeyRejectedError                PROVIDER_KEY_REJECTED      the provider accepts no key
        RequestTooLargeError            REQUEST_EXCEEDS_QUOTA      larger than a minute's quota
        ProviderUnavailableError        PROVIDER_UNAVAILABLE_UNTIL no key is free in time
        ProviderStatusError             PROVIDER_STATUS            refused, or failed after retries
      EmbeddingError
        EmbeddingTooLargeError          EMBEDDING_CHUNK_TOO_LARGE  longer than the model takes
        EmbeddingMismatchError          EMBEDDING_BATCH_MISMATCH   not one vector for each text
        EmbeddingInvalidError           EMBEDDING_VECTOR_INVALID   zero, not finite, or too short
        EmbeddingUnsupportedError       UNSUPPORTED_EMBEDDING_MODEL
        EmbeddingContractError          EMBEDDING_MODEL_CONTRACT_INCOMPLETE  limits are not stated
        ModelNotInstalledError          MODEL_NOT_INSTALLED        fetch it first
        ModelMalformedError             MODEL_MALFORMED            not the files that were expected
        ModelInstallError               MODEL_INSTALL_FAILED       the weights cannot be had

A message is one sentence for a person, with what to do next. ``details`` holds what a program
can read: counts, lengths, offsets and file *names*. Neither ever holds source text, keys or the
path of a folder.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar


class CleanbreakError(Exception):
    """The root of the tree: a sentence for a person, a ``code`` and ``details`` for a program."""

    code: ClassVar[str] = "CLEANBREAK_ERROR"

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details: dict[str, Any] = details

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes send errors home by pickle, which otherwise drops keyword arguments.
        return (_rebuild, (type(self), self.message, self.details))

    def as_dict(self) -> dict[str, Any]:
        """The error as plain data, as ``--json`` prints it."""
        return {"code": self.code, "message": self.message, "details": self.details}


def _rebuild(cls: type[CleanbreakError], message: str, details: dict[str, Any]) -> CleanbreakError:
    error = cls.__new__(cls)
    CleanbreakError.__init__(error, message, **details)
    return error


class SettingsError(CleanbreakError, ValueError):
    """A setting is refused; raised when the splitter, world or vault is set up, never midway.

    ``details`` has ``field``, the setting's name in Python; ``value``, as shown to a person; and
    ``rule``, what is allowed, in words. Where the rule is a list of names, ``allowed`` has them, and
    ``suggestion`` the one that was probably meant. The sentence is made of these, unless the caller
    gives a better one.

    >>> print(SettingsError("chunk_size", 0, "a whole number from 1 up"))
    chunk_size is 0, but it must be a whole number from 1 up.
    >>> print(SettingsError("max_tokens", None, "a whole number from 1 up"))
    Give max_tokens: a whole number from 1 up.
    """

    code = "SETTINGS_INVALID"

    def __init__(
        self,
        field: str,
        value: object,
        rule: str,
        *,
        sentence: str | None = None,
        allowed: Iterable[str] = (),
        suggestion: str | None = None,
    ) -> None:
        details: dict[str, Any] = {"field": field, "value": _shown(value), "rule": rule}
        if names := tuple(allowed):
            details["allowed"] = names
        if suggestion is not None:
            details["suggestion"] = suggestion
        super().__init__(_sentence(details, value, sentence), **details)


def _sentence(details: dict[str, Any], value: object, sentence: str | None) -> str:
    field, rule = details["field"], details["rule"]
    if sentence is None and value is None:
        sentence = f"Give {field}: {rule}."
    elif sentence is None:
        sentence = f"{field} is {details['value']}, but it must be {rule}."
    suggestion = details.get("suggestion")
    return sentence if suggestion is None else f"{sentence} Did you mean {suggestion}?"


def _shown(value: object) -> str:
    """A value as a message may show it: short, and never the text of a source."""
    if isinstance(value, type):
        return f"of type {value.__name__}"
    if isinstance(value, str):
        if len(value) > 40:
            return f"a string of {len(value)} characters"
        # Not repr where it can be helped, which doubles the backslashes of Windows.
        return f"'{value}'" if value.isprintable() else repr(value)
    shown = repr(value)
    return shown if len(shown) <= 60 else f"of type {type(value).__name__}"


class SourceError(CleanbreakError):
    """A source cannot be used. ``details`` has ``name``, the file's name without its folder."""

    code = "SOURCE_ERROR"


class SourceMissingError(SourceError):
    """There is no file of that name."""

    code = "SOURCE_MISSING"


class SourceUnreadableError(SourceError):
    """The name is a folder, or the file may not be opened."""

    code = "SOURCE_UNREADABLE"


class SourceUnsupportedError(SourceError):
    """Neither the content nor the extension is of a kind that is read."""

    code = "SOURCE_UNSUPPORTED"


class SourceUndecodableError(SourceError):
    """The bytes are not text in the encoding tried. ``details`` has ``byte_offset``."""

    code = "SOURCE_UNDECODABLE"


class SourceEmptyError(SourceError):
    """The source holds no text, or only white space."""

    code = "SOURCE_EMPTY"


class SourceEncryptedError(SourceError):
    """The source needs a password, or is under DRM."""

    code = "SOURCE_ENCRYPTED"


class SourceMalformedError(SourceError):
    """The source is damaged beyond reading."""

    code = "SOURCE_MALFORMED"


class SourceLimitError(SourceError):
    """Reading went over a limit. ``details`` has ``limit`` (its name) and ``allowed``."""

    code = "SOURCE_LIMIT"


class SplitError(CleanbreakError):
    """A boundary chooser failed, did not progress, or pointed outside the text."""

    code = "SPLIT_FAILED"


class IndivisibleTextError(SplitError):
    """One character or grapheme alone is over the limit. ``details`` has ``offset``."""

    code = "TEXT_INDIVISIBLE"

    def moved(self, by: int) -> "IndivisibleTextError":
        """The same for a text with `by` more characters before it."""
        offset = self.details["offset"]
        message = self.message.replace(f"offset {offset} ", f"offset {offset + by} ", 1)
        return IndivisibleTextError(message, **{**self.details, "offset": offset + by})


class TextInvalidError(SplitError):
    """The text holds a lone surrogate, so it has no UTF-8 form. ``details`` has ``offset``."""

    code = "TEXT_INVALID"


class MeasureError(CleanbreakError):
    """A tokenizer or a token-counting server failed or gave what cannot be a count."""

    code = "MEASURE_FAILED"


class VectorError(CleanbreakError, ValueError):
    """Vectors or weights that cannot be combined.

    Raised by `embed_long_texts` for a list of texts, ``finished`` has the vectors of the texts that
    were done before, so that nothing that was paid for is lost.
    """

    finished: Sequence[Any] = ()

    code = "VECTOR_INVALID"


class DimensionMismatchError(VectorError):
    """A vector's length differs from the first one's."""

    code = "VECTOR_DIMENSION_MISMATCH"


class EmbedderError(VectorError):
    """The function that embeds failed, also after its retries. ``details`` has ``kind``."""

    code = "EMBEDDER_FAILED"


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


class RunInterruptedError(CleanbreakError):
    """A run stopped on request; it can be resumed."""

    code = "RUN_INTERRUPTED"


class WorkerDiedError(CleanbreakError):
    """A worker process ended before it answered, or could not be started.

    ``details`` has ``status``, as the system gave it; it is ``None`` if no process was started.
    """

    code = "WORKER_DIED"


class DependencyMissingError(CleanbreakError):
    """An optional dependency is not installed. ``details`` has ``package`` and ``extra``."""

    code = "DEPENDENCY_MISSING"


class CatalogueInvalidError(CleanbreakError):
    """A file of the catalogue of models is not valid. ``details`` has ``name``, the file's."""

    code = "CATALOG_INVALID"


class ModelUnknownError(CleanbreakError):
    """The catalogue has no model of that name. ``details`` has ``suggestion``."""

    code = "MODEL_UNKNOWN"


class ProviderError(CleanbreakError):
    """A provider of models cannot be asked, or did not answer as it should."""

    code = "PROVIDER_ERROR"


class KeyInvalidError(ProviderError):
    """A key file that is enabled is not valid. ``details`` has ``name``, the file's, and ``rule``."""

    code = "PROVIDER_KEY_INVALID"


class KeysMissingError(ProviderError):
    """No key allows the model. ``details`` has ``provider``."""

    code = "PROVIDER_KEYS_MISSING"


class KeyRejectedError(ProviderError):
    """The provider accepts none of the keys. ``details`` has ``provider`` and ``keys``, a count."""

    code = "PROVIDER_KEY_REJECTED"


class RequestTooLargeError(ProviderError):
    """A request is larger than the quota of a minute, so waiting would not help."""

    code = "REQUEST_EXCEEDS_QUOTA"


class ProviderUnavailableError(ProviderError):
    """No key is free in time. ``details`` has ``until``, in ISO 8601 and UTC."""

    code = "PROVIDER_UNAVAILABLE_UNTIL"


class ProviderStatusError(ProviderError):
    """A provider refused a request, or failed after all retries.

    ``details`` has ``status`` (``None`` for a failure of the network), ``why``, a word, and
    ``retryable``: whether the same request may work later.
    """

    code = "PROVIDER_STATUS"


class EmbeddingError(CleanbreakError):
    """Vectors cannot be made, or cannot be used."""

    code = "EMBEDDING_FAILED"


class EmbeddingTooLargeError(EmbeddingError):
    """A text is longer than the model takes; nothing was sent. ``details`` has ``index``."""

    code = "EMBEDDING_CHUNK_TOO_LARGE"


class EmbeddingMismatchError(EmbeddingError):
    """The model gave another number of vectors than it got texts."""

    code = "EMBEDDING_BATCH_MISMATCH"


class EmbeddingInvalidError(EmbeddingError):
    """A vector is zero, not finite, or of another length than the profile says."""

    code = "EMBEDDING_VECTOR_INVALID"


class EmbeddingUnsupportedError(EmbeddingError):
    """The model cannot make vectors. ``details`` has ``model`` where it is in the catalogue."""

    code = "UNSUPPORTED_EMBEDDING_MODEL"


class EmbeddingContractError(EmbeddingError):
    """The catalogue does not state the limits of the model. ``details`` has ``missing``."""

    code = "EMBEDDING_MODEL_CONTRACT_INCOMPLETE"


class ModelNotInstalledError(CleanbreakError):
    """The weights of a model are not on this machine. ``details`` has ``model``."""

    code = "MODEL_NOT_INSTALLED"


class ModelMalformedError(CleanbreakError):
    """The files of a model are not what was expected. ``details`` has ``name``, of a file."""

    code = "MODEL_MALFORMED"


class ModelInstallError(CleanbreakError):
    """The weights of a model cannot be had from anywhere."""

    code = "MODEL_INSTALL_FAILED"


class VectorStoreError(StoreError):
    """A store of vectors cannot be used."""

    code = "VECTOR_STORE_FAILED"


class VectorStoreMalformedError(VectorStoreError):
    """The file or the server cannot be read as a store of vectors; it can be made again."""

    code = "VECTOR_STORE_UNAVAILABLE"


class VectorStoreLockedError(VectorStoreError):
    """Another process holds the store."""

    code = "VECTOR_STORE_LOCKED"


class VectorCollectionMissingError(VectorStoreError):
    """No collection was chosen yet."""

    code = "VECTOR_COLLECTION_NOT_SELECTED"


class VectorCollectionMismatchError(VectorStoreError):
    """The collection has another number of dimensions than the profile."""

    code = "VECTOR_COLLECTION_MISMATCH"


class VectorInvalidError(VectorStoreError):
    """A vector that cannot be stored or asked with."""

    code = "VECTOR_INVALID"
