"""Embedders of models in folders: those that were installed, and the person's own."""

import hashlib
import json
from pathlib import Path

from cleanbreak.errors import ModelMalformedError, ModelNotInstalledError
from cleanbreak.providers.catalogue.records import Model
from cleanbreak.providers.embedding.profile import EmbeddingProfile, LengthPolicy, Unit
from cleanbreak.providers.local.convert import CONVERSION
from cleanbreak.providers.local.onnx import (
    MODEL_FILE,
    TOKENIZER_FILE,
    LocalEmbedder,
    OnnxModel,
)
from cleanbreak.storage.files import sha256_of
from cleanbreak.storage.places import cache_folder

# What most models of this kind take, where the folder does not say.
_MOST_TOKENS = 512


def model_folder(model: Model) -> Path:
    """Where a model of the catalogue lies once it is installed.

    The folder is named after the digest of its weights and the way they were converted, so that
    another version is another folder.
    """
    digest = model.weights.sha256[:12] if model.weights else "own"
    return cache_folder() / "models" / f"{model.call_name}-{digest}-{CONVERSION}"


def is_installed(model: Model) -> bool:
    """Whether the model can be loaded; the graph is put in place last."""
    folder = model_folder(model)
    return (folder / MODEL_FILE).is_file() and (folder / TOKENIZER_FILE).is_file()


def installed_embedder(model: Model, unit: Unit | None, policy: LengthPolicy) -> LocalEmbedder:
    """The embedder of a model of the catalogue that runs on this machine.

    Raises:
        ModelNotInstalledError: if it was not fetched yet.
    """
    if not is_installed(model):
        raise ModelNotInstalledError(
            f"The model {model.call_name} is not on this machine; fetch it: "
            f"cleanbreak models install {model.call_name}",
            model=model.id,
        )
    profile = EmbeddingProfile(
        provider_id=model.provider_id,
        model_id=model.id,
        dimensions=model.limits.max_embedding_dimensions or 0,
        max_input_tokens=model.limits.max_input_tokens,
        weights_sha256=model.weights.sha256 if model.weights else None,
        conversion=CONVERSION,
        pooling=model.pooling,
        query_prefix=model.query_prefix,
        document_prefix=model.document_prefix,
        max_length_policy=policy,
        unit=unit or "passages",
        fusion_weight=0.5 if model.fusion_weight is None else model.fusion_weight,
    )
    return LocalEmbedder(profile, OnnxModel(model_folder(model)))


def embedder_of(folder: Path, unit: Unit | None, policy: LengthPolicy) -> LocalEmbedder:
    """The embedder of a person's own folder with ``model.onnx`` and ``tokenizer.json``.

    Its identity is the digest of both files, so that a world notices when they were changed. The
    longest text is read from ``config.json``, if there is one.

    Raises:
        ModelMalformedError: if the folder does not hold a model that can be loaded.
    """
    for name in (MODEL_FILE, TOKENIZER_FILE):
        if not (folder / name).is_file():
            raise ModelMalformedError(
                f"The folder has no {name!r}; a model is {MODEL_FILE} and {TOKENIZER_FILE}.",
                name=name,
            )
    model = OnnxModel(folder)
    rows = [encoding.ids for encoding in model.tokens(["dimensions"])]
    pooled = model.run(rows)
    digests = "".join(sha256_of(folder / name) for name in (MODEL_FILE, TOKENIZER_FILE))
    profile = EmbeddingProfile(
        provider_id="folder",
        model_id=f"folder/{folder.resolve().name}",
        dimensions=int(pooled.shape[1]),
        max_input_tokens=_most_tokens(folder),
        weights_sha256=hashlib.sha256(digests.encode()).hexdigest(),
        pooling="mean",
        max_length_policy=policy,
        unit=unit or "passages",
    )
    return LocalEmbedder(profile, model)


def _most_tokens(folder: Path) -> int:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return _MOST_TOKENS
    most = config.get("max_position_embeddings") if isinstance(config, dict) else None
    return most if isinstance(most, int) and most > 2 else _MOST_TOKENS
