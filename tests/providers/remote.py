"""Embedders of a provider that the tests start themselves; the extra providers is needed."""

from cleanbreak.providers.catalogue.records import Limits, Model, Provider
from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.providers.embedding.remote import RemoteEmbedder
from cleanbreak.providers.keys import KeyScheduler
from providers.embedding_server import DIMENSIONS
from providers.keys_for_tests import FakeClock


def embedder(folder, address, *, client=None, clock=None, protocol="openai", **changes):
    """An embedder of a provider at `address`, with the keys of a folder."""
    provider = Provider(id="acme", display_name="Acme", protocol=protocol, base_url=address)
    model = Model(
        id="acme/one",
        display_name="One",
        call_name="one",
        surfaces=frozenset({"embedding"}),
        limits=Limits(max_input_tokens=100, max_embedding_dimensions=DIMENSIONS),
        **changes,
    )
    profile = EmbeddingProfile(
        provider_id="acme",
        model_id="acme/one",
        dimensions=changes.get("dimensions", DIMENSIONS),
        max_input_tokens=100,
    )
    scheduler = KeyScheduler(
        provider, model.id, folder, clock=clock or FakeClock(), jitter=lambda: 1.0
    )
    made = RemoteEmbedder(provider, model, profile, scheduler=scheduler, client=client)
    made._pause.set()  # no test waits between tries
    return made
