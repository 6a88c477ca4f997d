"""Make an embedder of a name, a folder or an object."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cleanbreak.errors import (
    DependencyMissingError,
    EmbedderNeededError,
    EmbeddingContractError,
    EmbeddingUnsupportedError,
    ModelNotInstalledError,
    SettingsError,
)
from cleanbreak.providers.catalogue import Catalogue, catalogue
from cleanbreak.providers.catalogue.records import Limits, Model, Provider
from cleanbreak.providers.embedding.embedder import Embedder
from cleanbreak.providers.embedding.profile import EmbeddingProfile, LengthPolicy, Unit

if TYPE_CHECKING:
    from cleanbreak.providers.embedding.remote import RemoteEmbedder
    from cleanbreak.providers.keys import KeyScheduler

LOCAL = "local"
"""The provider of models that run on this machine."""


def make_embedder(
    spec: Any,
    *,
    name: str | None = None,
    dimensions: int | None = None,
    unit: Unit | None = None,
    max_length_policy: LengthPolicy = "block",
) -> Embedder:
    """An embedder, for `World.embed`, `Index.build` and your own code.

    Args:
        spec: ``"minilm"``, or another model of this machine; ``"PROVIDER/MODEL"`` of the catalogue,
            or of a server such as Ollama; a folder with ``model.onnx`` and ``tokenizer.json``; or an
            object with ``embed`` or ``encode``, such as a model of sentence-transformers.
        name: for an object without a name: what a world is to know it by.
        dimensions: for a model that offers several.
        unit: ``"chunk"`` or ``"passages"``; by default what suits the model.
        max_length_policy: ``"block"`` or ``"split_and_combine"``.

    Raises:
        SettingsError: if `spec` is none of these.
        ModelUnknownError: if the catalogue has no such model.
        EmbeddingUnsupportedError, EmbeddingContractError: if the model makes no vectors, or its
            limits are not known.
        ModelNotInstalledError: if its weights are not on this machine.
        DependencyMissingError: if the extra that it needs is not installed.
    """
    _require_numpy()
    if isinstance(spec, os.PathLike) or (isinstance(spec, str) and Path(spec).is_dir()):
        from cleanbreak.providers.local.folder import embedder_of

        return embedder_of(Path(spec), unit, max_length_policy)
    if not isinstance(spec, str):
        from cleanbreak.providers.embedding.objects import ObjectEmbedder

        return ObjectEmbedder(spec, name, unit or "chunk")
    known = catalogue()
    provider, model = _found(spec, known)
    if provider.protocol == LOCAL:
        from cleanbreak.providers.local.folder import installed_embedder

        return installed_embedder(model, unit, max_length_policy)
    listed = known.get(model.id) is not None
    profile = _profile(model, known, dimensions, unit, max_length_policy, listed=listed)
    embedder = remote_embedder(provider, model, profile)
    if not listed:
        embedder.ask_dimensions()
    return embedder


def remote_embedder(
    provider: Provider,
    model: Model,
    profile: EmbeddingProfile | None = None,
    scheduler: "KeyScheduler | None" = None,
) -> "RemoteEmbedder":
    """The embedder of a model of the catalogue that a provider serves. Raises: as `make_embedder`."""
    from cleanbreak.providers.embedding.remote import RemoteEmbedder

    made = profile or _profile(model, catalogue(), None, None, "block", listed=True)
    return RemoteEmbedder(provider, model, made, scheduler=scheduler)


def _require_numpy() -> None:
    if find_spec("numpy") is None:
        raise DependencyMissingError(
            "Vectors need one more package: pip install 'cleanbreak[vectors]'",
            package="numpy",
            extra="vectors",
        )


def _found(spec: str, known: Catalogue) -> tuple[Provider, Model]:
    model_id = spec if "/" in spec else f"{LOCAL}/{spec}"
    provider = known.provider(model_id.partition("/")[0])
    model = known.get(model_id)
    if model is None and provider is not None and provider.open_models:
        model = _unlisted(model_id)
    if model is None or provider is None:
        # Neither the one nor the other: `require` says so, and names the nearest.
        return known.providers()[0], known.require(model_id)
    if "embedding" not in model.surfaces:
        raise EmbeddingUnsupportedError(
            f"{model.id} makes no vectors; see: cleanbreak models list --embedding", model=model.id
        )
    return provider, model


def _unlisted(model_id: str) -> Model:
    """A model of a server of the person's own: it is asked for its dimensions."""
    return Model(
        id=model_id,
        display_name=model_id,
        call_name=model_id.partition("/")[2],
        surfaces=frozenset({"embedding"}),
        limits=Limits(),
    )


def _profile(
    model: Model,
    known: Catalogue,
    dimensions: int | None,
    unit: Unit | None,
    policy: LengthPolicy,
    *,
    listed: bool,
) -> EmbeddingProfile:
    most = model.limits.max_embedding_dimensions if listed else 1  # it is asked for
    if most is None or (listed and model.limits.max_input_tokens is None):
        missing = "maxEmbeddingDimensions" if most is None else "maxInputTokens"
        raise EmbeddingContractError(
            f"The catalogue does not state {missing} of {model.id}; add it in a file of your own.",
            model=model.id,
            missing=missing,
        )
    if dimensions is not None and dimensions not in (model.dimensions_allowed or (most,)):
        allowed = model.dimensions_allowed or (most,)
        rule = "one of " + ", ".join(map(str, allowed))
        raise SettingsError("dimensions", dimensions, rule)
    return EmbeddingProfile(
        provider_id=model.provider_id,
        model_id=model.id,
        dimensions=dimensions or most,
        max_input_tokens=model.limits.max_input_tokens,
        query_prefix=model.query_prefix,
        document_prefix=model.document_prefix,
        max_length_policy=policy,
        unit=unit or "chunk",
        fusion_weight=0.5 if model.fusion_weight is None else model.fusion_weight,
        catalogue_version=known.version,
    )


def embedder_for(profile: EmbeddingProfile) -> Embedder:
    """The embedder that makes vectors of a stored profile.

    What the profile says counts, also where the catalogue says something else by now.

    Raises:
        EmbedderNeededError: if only the caller has it: an object, or a folder.
        ModelUnknownError, ModelNotInstalledError, DependencyMissingError: as `make_embedder`.
    """
    if catalogue().provider(profile.provider_id) is None:
        raise EmbedderNeededError(
            f"The vectors are made by {profile.model_id}, which only you have; hand it in: "
            "world.embed(embedder).",
            model=profile.model_id,
        )
    _require_numpy()
    provider, model = _found(profile.model_id, catalogue())
    if provider.protocol == LOCAL:
        from cleanbreak.providers.local.folder import installed_embedder

        local = installed_embedder(model, profile.unit, profile.max_length_policy)
        if (local.profile.weights_sha256, local.profile.conversion) != (
            profile.weights_sha256,
            profile.conversion,
        ):
            raise ModelNotInstalledError(
                f"The vectors were made by other weights of {model.id} than those of this version; "
                "make them again: cleanbreak embed WORLD --replace --model " + model.call_name,
                model=model.id,
            )
        local.profile = profile
        return local
    return remote_embedder(provider, model, profile)
