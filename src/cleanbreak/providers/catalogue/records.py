"""The fields of a catalogue file. On disk the names are in camel case: ``maxInputTokens``."""

from datetime import date
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Surface = Literal["chat", "embedding", "rerank", "count"]
"""What a model can be used for."""

Status = Literal["ga", "preview", "deprecated", "withdrawn"]
"""Whether a provider still serves a model; ``ga`` is general availability."""

# A name that can be part of a bucket's name, a folder's and a shell's word.
_Id = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
_ModelId = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._:/-]*$")]
_Count = Annotated[int, Meta(ge=1)]


class _Record(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A record that nobody can change. Fields of a later version are ignored."""


class Limits(_Record, frozen=True, kw_only=True):
    """What a model takes and gives, in tokens and dimensions. ``None``: not stated by the provider."""

    max_context_tokens: _Count | None = None
    max_input_tokens: _Count | None = None
    max_output_tokens: _Count | None = None
    max_embedding_dimensions: _Count | None = None


class Price(_Record, frozen=True, kw_only=True):
    """A price per million tokens, and the day on which it was read."""

    input_per_million: Annotated[float, Meta(ge=0)]
    output_per_million: Annotated[float, Meta(ge=0)] = 0.0
    currency: str = "USD"
    as_of: date


class Quota(_Record, frozen=True, kw_only=True):
    """What a provider allows in a time; ``None``: no limit is known."""

    requests_per_minute: _Count | None = None
    tokens_per_minute: _Count | None = None
    requests_per_day: _Count | None = None


class Weights(_Record, frozen=True, kw_only=True):
    """Where the weights of a model that runs on this machine come from.

    ``repository`` is a name on the model hub, ``package`` one on the package index; ``sha256`` is of
    ``file``, which is the same in both.
    """

    repository: str
    revision: str
    package: str | None = None
    package_version: str | None = None
    file: str
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]


class SettingUse(_Record, frozen=True, kw_only=True):
    """A setting that a model has, and where it is narrower than the setting's definition."""

    setting_id: str
    limit_key: str | None = None
    default_value: Any = None
    min: float | None = None
    max: float | None = None
    step: float | None = None
    options: tuple[dict[str, Any], ...] | None = None


class Setting(_Record, frozen=True, kw_only=True):
    """A setting of a request, as a page would show it."""

    id: str
    display_name: str
    description: str = ""
    value_type: Literal["number", "boolean", "enum", "string"]
    control: Literal["slider", "toggle", "select", "input", "textarea"]
    default_value: Any = None
    min: float | None = None
    max: float | None = None
    step: float | None = None
    unit: str | None = None
    options: tuple[dict[str, Any], ...] | None = None


class Model(_Record, frozen=True, kw_only=True):
    """A model: what it is called, what it can do, and what decides its vectors.

    ``id`` is ours and never changes its meaning, since worlds lock it; ``call_name`` is what the
    provider's API expects. ``tokenizer`` names a measure, so that tokens can be counted here.
    """

    id: _ModelId
    display_name: str
    description: str = ""
    call_name: str
    surfaces: Annotated[frozenset[Surface], Meta(min_length=1)]
    limits: Limits = Limits()
    capabilities: dict[str, bool] = {}
    settings: tuple[SettingUse, ...] = ()
    tokenizer: str | None = None
    price: Price | None = None
    quota: Quota | None = None
    query_prefix: str = ""
    document_prefix: str = ""
    pooling: Literal["mean", "cls"] | None = None
    normalised: bool | None = None
    license: str | None = None
    weights: Weights | None = None
    status: Status = "ga"
    replaced_by: str | None = None
    dimensions_allowed: tuple[_Count, ...] = ()
    # The part of the fused score that vectors of this model get in a hybrid search.
    fusion_weight: Annotated[float, Meta(ge=0, le=1)] | None = None

    @property
    def provider_id(self) -> str:
        """The part of the id before the first slash."""
        return self.id.partition("/")[0]


class Provider(_Record, frozen=True, kw_only=True):
    """Who serves models: where, in which protocol, and where its keys are looked for.

    A file that adds models to a provider that is shipped needs only ``id`` and ``models``.
    ``keyless`` providers run on this machine; ``open_models`` have models that no catalogue lists.
    """

    id: _Id
    display_name: str = ""
    protocol: Literal["openai", "google", "anthropic", "cohere", "voyage", "ollama", "local"] = (
        "openai"
    )
    base_url: str | None = None
    api_key_variables: tuple[str, ...] = ()
    keyless: bool = False
    open_models: bool = False
    daily_reset_zone: str = "UTC"
    settings: tuple[Setting, ...] = ()
    models: tuple[Model, ...] = ()


class CatalogueFile(_Record, frozen=True, kw_only=True):
    """One file: some providers with their models."""

    catalogue_version: _Count
    settings: tuple[Setting, ...] = ()
    providers: tuple[Provider, ...] = ()


def decode(data: bytes) -> CatalogueFile:
    """The file's records.

    Raises:
        msgspec.ValidationError: if a field is missing or of another type; its text names the field.
        msgspec.DecodeError: if it is no JSON.
    """
    return msgspec.json.decode(data, type=CatalogueFile)
