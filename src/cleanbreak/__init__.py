"""Cuts books and notes into chunks people can trust: exact, resumable, citable.

The laws that every chunk obeys are in docs/design/laws.md. The short of it::

    import cleanbreak as cb

    for chunk in cb.split(cb.read("book.txt")):
        print(chunk.number, chunk.start, chunk.end, chunk.text)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cleanbreak._version import __version__
from cleanbreak.core.chunk import Chunk, Heading, HeadingPath
from cleanbreak.core.document import Document, Metadata, Section, Source, SourceWarning, Span
from cleanbreak.core.measures.estimate import estimate_tokens
from cleanbreak.core.packing.by_lookback import find_split_point
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.sentences.clauses import clauses
from cleanbreak.core.sentences.segment import iter_sentences, sentences
from cleanbreak.core.splitters import (
    BoundarySplitter,
    CodeSplitter,
    MarkdownSplitter,
    SentenceSplitter,
    Splitter,
    TokenSplitter,
    make_splitter,
)
from cleanbreak.core.splitters.tokens import chunk_text_by_tokens
from cleanbreak.core.text.wrapping import is_hard_wrapped
from cleanbreak.core.vectors.combine import combine_chunk_vectors
from cleanbreak.core.vectors.long_texts import embed_long_texts, embedding_chunk_budget
from cleanbreak.errors import CleanbreakError

if TYPE_CHECKING:
    from cleanbreak.engines.local import clear_cache, split
    from cleanbreak.engines.pool import split_many
    from cleanbreak.export.html import to_html
    from cleanbreak.providers.catalogue import catalogue
    from cleanbreak.providers.embedding import make_embedder
    from cleanbreak.providers.keys import KeyScheduler
    from cleanbreak.readers import Limits, read, register_reader
    from cleanbreak.retrieval import Hit
    from cleanbreak.retrieval.chunk_index import Index
    from cleanbreak.tokenizers import make_token_counter
    from cleanbreak.vaults import Vault
    from cleanbreak.worlds import World

__all__ = [
    "BoundarySplitter",
    "Chunk",
    "CleanbreakError",
    "CodeSplitter",
    "Document",
    "Heading",
    "HeadingPath",
    "Hit",
    "Index",
    "KeyScheduler",
    "Limits",
    "MarkdownSplitter",
    "Metadata",
    "Recipe",
    "Section",
    "SentenceSplitter",
    "Source",
    "SourceWarning",
    "Span",
    "Splitter",
    "TokenSplitter",
    "Vault",
    "World",
    "__version__",
    "catalogue",
    "chunk_text_by_tokens",
    "clauses",
    "clear_cache",
    "combine_chunk_vectors",
    "embed_long_texts",
    "embedding_chunk_budget",
    "estimate_tokens",
    "find_split_point",
    "is_hard_wrapped",
    "iter_sentences",
    "make_embedder",
    "make_splitter",
    "make_token_counter",
    "read",
    "register_reader",
    "sentences",
    "split",
    "split_many",
    "to_html",
]

# The outer rings, loaded when first used: who only splits text does not wait for worlds.
_LATER = {
    "Hit": "cleanbreak.retrieval",
    "Index": "cleanbreak.retrieval.chunk_index",
    "KeyScheduler": "cleanbreak.providers.keys",
    "Limits": "cleanbreak.readers",
    "Vault": "cleanbreak.vaults",
    "World": "cleanbreak.worlds",
    "catalogue": "cleanbreak.providers.catalogue",
    "clear_cache": "cleanbreak.engines.local",
    "make_embedder": "cleanbreak.providers.embedding",
    "make_token_counter": "cleanbreak.tokenizers",
    "read": "cleanbreak.readers",
    "register_reader": "cleanbreak.readers",
    "split": "cleanbreak.engines.local",
    "split_many": "cleanbreak.engines.pool",
    "to_html": "cleanbreak.export.html",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
