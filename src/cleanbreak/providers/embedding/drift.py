"""What a locked profile and the catalogue of today say differently of one model."""

from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.embedding.profile import EmbeddingProfile


def differing(profile: EmbeddingProfile) -> list[str]:
    """The names of the fields that differ; none where the catalogue does not list the model.

    The profile holds: vectors that are there were made by it.
    """
    model = catalogue().get(profile.model_id)
    if model is None:
        return []
    most = model.limits.max_embedding_dimensions
    today = {
        "dimensions": profile.dimensions
        if profile.dimensions in model.dimensions_allowed
        else most,
        "max_input_tokens": model.limits.max_input_tokens,
        "query_prefix": model.query_prefix,
        "document_prefix": model.document_prefix,
    }
    return [name for name, value in today.items() if getattr(profile, name) != value]
