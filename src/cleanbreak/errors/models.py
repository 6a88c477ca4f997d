"""Errors of models, of providers and their keys, and of making vectors."""

from cleanbreak.errors.base import CleanbreakError


class CatalogueInvalidError(CleanbreakError):
    """A file of the catalogue of models is not valid. ``details`` has ``name``, the file's."""

    code = "CATALOG_INVALID"


class ModelUnknownError(CleanbreakError):
    """The catalogue has no model of that name. ``details`` has ``suggestion``."""

    code = "MODEL_UNKNOWN"


class ModelNotInstalledError(CleanbreakError):
    """The weights of a model are not on this machine. ``details`` has ``model``."""

    code = "MODEL_NOT_INSTALLED"


class ModelMalformedError(CleanbreakError):
    """The files of a model are not what was expected. ``details`` has ``name``, of a file."""

    code = "MODEL_MALFORMED"


class ModelInstallError(CleanbreakError):
    """The weights of a model cannot be had from anywhere."""

    code = "MODEL_INSTALL_FAILED"


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


class KeyExistsError(ProviderError):
    """There is a key of that name already. ``details`` has ``provider`` and ``name``."""

    code = "PROVIDER_KEY_EXISTS"


class KeyUnknownError(ProviderError):
    """There is no key file of that name. ``details`` has ``provider`` and ``name``."""

    code = "PROVIDER_KEY_UNKNOWN"


class ProviderUnknownError(ProviderError):
    """The catalogue has no such provider. ``details`` has ``suggestion``."""

    code = "PROVIDER_UNKNOWN"


class RequestTooLargeError(ProviderError):
    """A request is larger than the quota of a minute, so waiting would not help."""

    code = "REQUEST_EXCEEDS_QUOTA"


class ProviderUnavailableError(ProviderError):
    """No key is free in time. ``details`` has ``until``, in ISO 8601 and UTC."""

    code = "PROVIDER_UNAVAILABLE_UNTIL"


class ProviderStatusError(ProviderError):
    """A provider refused a request, or failed after all retries.

    ``details`` has ``status`` (``None`` for a failure of the network), ``why``, a word,
    ``retryable``: whether the same request may work later, ``reached``: whether a connection was
    made, and ``tries``: how often it was sent, where that was more than once.
    """

    code = "PROVIDER_STATUS"


class ModelWithdrawnError(ProviderError):
    """The provider has no such model, or no longer. ``details`` has ``model`` and ``status``."""

    code = "MODEL_WITHDRAWN"


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


class EmbedderNeededError(EmbeddingError):
    """Only the caller has the embedder of the stored vectors. ``details`` has ``model``."""

    code = "EMBEDDER_NEEDED"


class ProfileRequiredError(EmbeddingError):
    """The world has no vectors yet, and no model was chosen for them."""

    code = "EMBEDDING_PROFILE_REQUIRED"
