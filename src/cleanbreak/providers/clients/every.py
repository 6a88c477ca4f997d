"""The protocols for vectors, by the names that the catalogue has for them."""

from collections.abc import Mapping

from cleanbreak.providers.clients.cohere import CohereEmbeddings
from cleanbreak.providers.clients.google import GoogleEmbeddings
from cleanbreak.providers.clients.ollama import OllamaEmbeddings
from cleanbreak.providers.clients.openai import OpenAIEmbeddings
from cleanbreak.providers.clients.protocol import EmbeddingProtocol
from cleanbreak.providers.clients.voyage import VoyageEmbeddings

EMBEDDINGS: Mapping[str, EmbeddingProtocol] = {
    "cohere": CohereEmbeddings(),
    "google": GoogleEmbeddings(),
    "ollama": OllamaEmbeddings(),
    "openai": OpenAIEmbeddings(),
    "voyage": VoyageEmbeddings(),
}
