"""All that decides a vector; a world locks it, and never mixes vectors of two profiles."""

import hashlib
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

PROFILE_VERSION = 1
TASK_TYPE = "RETRIEVAL_DOCUMENT"

Unit = Literal["chunk", "passages"]
LengthPolicy = Literal["block", "split_and_combine"]

# What does not change a vector: how long a text may be, and how vectors are used afterwards.
_NOT_IN_THE_KEY = frozenset({"max_input_tokens", "fusion_weight", "catalogue_version"})


class EmbeddingProfile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How vectors are made. Equal profiles give vectors that can be compared.

    Attributes:
        provider_id: who makes them.
        model_id: the catalogue's id, or the name of the caller's own object.
        dimensions: the length of a vector.
        task_type: what they are for; always that of documents, queries have their own.
        profile_version: the version of these rules.
        max_input_tokens: what the model takes at once; ``None`` if nobody knows.
        weights_sha256: the digest of the weights of a model on this machine.
        conversion: how the graph that runs was made of them.
        pooling: how the vectors of tokens become one.
        normalise: whether vectors are brought to length 1.
        query_prefix, document_prefix: what the model expects before each text.
        max_length_policy: whether a text that is too long is an error, or is cut and its vectors
            combined. Nothing is ever truncated.
        unit: ``"chunk"`` has one vector a chunk; ``"passages"`` one for each group of whole
            sentences of a chunk, of which the best counts.
        fusion_weight: what a similarity of 1 adds to the score of the words in a hybrid search.
        catalogue_version: the catalogue that it was made from.
    """

    provider_id: str
    model_id: str
    dimensions: Annotated[int, Meta(ge=1, le=65_536)]
    task_type: str = TASK_TYPE
    profile_version: int = PROFILE_VERSION
    max_input_tokens: int | None = None
    weights_sha256: str | None = None
    conversion: int | None = None
    pooling: Literal["mean", "cls"] | None = None
    normalise: bool = True
    query_prefix: str = ""
    document_prefix: str = ""
    max_length_policy: LengthPolicy = "block"
    dtype: Literal["float32"] = "float32"
    unit: Unit = "chunk"
    fusion_weight: float = 0.5
    catalogue_version: int | None = None

    @property
    def key(self) -> str:
        """16 hexadecimal digits that differ as soon as one vector might.

        >>> a = EmbeddingProfile(provider_id="acme", model_id="acme/one", dimensions=3)
        >>> a.key == msgspec.structs.replace(a, fusion_weight=0.1).key
        True
        >>> a.key == msgspec.structs.replace(a, dimensions=4).key
        False
        """
        # Without the fields that are as by default: one that is added later changes no old key.
        fields: dict[str, object] = msgspec.to_builtins(self)
        kept = {name: value for name, value in fields.items() if name not in _NOT_IN_THE_KEY}
        data = msgspec.json.encode(kept, order="sorted")
        return hashlib.sha256(data).hexdigest()[:16]
