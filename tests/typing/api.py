"""The public API as its users type it; mypy checks this file, nothing runs it."""

from collections.abc import Iterator
from pathlib import Path

import cleanbreak as cb

chunks: list[cb.Chunk] = cb.split("text", chunk_size=100)
splitter: cb.Splitter = cb.BoundarySplitter()
recipe: cb.Recipe = splitter.recipe
point: int = cb.find_split_point("text", 10, 5)
for chunk in splitter.stream(cb.Document("text")):
    path: cb.HeadingPath | None = chunk.heading_path
    identity: str = chunk.id
    where: str = chunk.citation
    names: tuple[str, ...] = chunk.pages + chunk.chapters
    context: str = chunk.with_context(headings=True, overlap=True)
    plain: dict[str, object] = chunk.as_dict()

with cb.Vault.index("notes", chunk_size=500) as vault:
    citations: list[str] = [hit.citation for hit in vault.search("query", limit=3)]
    sources: list[str] = [link.source for link in vault.backlinks("Home")]
    notes: int = vault.stats().notes

sentence_splitter: cb.Splitter = cb.SentenceSplitter(max_sentences=5, overlap_percent=20)
for every in cb.split_many(["text", Path("book.txt")], sentence_splitter, workers=2):
    count: int | None = every[0].token_count
for outcome in cb.split_many(["text"], sentence_splitter, on_error="yield"):
    code: str = outcome.code if isinstance(outcome, cb.CleanbreakError) else ""
tokens: cb.Splitter = cb.TokenSplitter(512, "words", overlap_tokens=64, oversize="emit")
limit: int = cb.TokenSplitter(512, len).max_tokens
sized: int = cb.CodeSplitter(500, "python", "words", 20, oversize="emit").max_size
counted: int = cb.MarkdownSplitter(500, 50, "tiktoken:cl100k_base", 20).measure("text")
cb.BoundarySplitter(100, 20, 0, "auto").chunk_size = 50  # type: ignore[misc] # a frozen value
cb.clear_cache()
texts_and_counts: tuple[list[str], list[int]] = cb.chunk_text_by_tokens("text", len, 8)
budget: int = cb.embedding_chunk_budget(2048, 2, "search_document: ", "words")
estimate: int = cb.estimate_tokens("text")


class Lines(cb.Splitter):
    """A splitter of one's own: whoever inherits the protocol has `split` already."""

    @property
    def recipe(self) -> cb.Recipe:
        """The splitter as one frozen value."""
        return cb.Recipe("lines", 1)

    def stream(self, source: str | cb.Document) -> Iterator[cb.Chunk]:
        """Yield the chunks."""
        return cb.BoundarySplitter().stream(source)


own: list[cb.Chunk] = Lines().split("text")

vectors_of: list[list[float]] = cb.make_embedder("minilm").embed(["text"]).tolist()
model_ids: list[str] = [model.id for model in cb.catalogue().models("embedding")]
with cb.KeyScheduler.for_model("openai", "openai/gpt-5-mini").lease(100) as lease:
    lease.succeeded(tokens=120)
cost: float | None = cb.World.open("shelf").embedding_cost("openai/text-embedding-3-small").cost

cb.split("text", chunk_sise=3)  # type: ignore[call-overload] # a misspelt setting
cb.split("text", by="bondary")  # type: ignore[call-overload] # a misspelt splitter
cb.split("text", by="sentences", chunk_size=3)  # type: ignore[call-overload] # another splitter's setting
cb.split("text", chunk_size="3")  # type: ignore[call-overload] # text for a number
cb.make_splitter("tokens", max_token=3)  # type: ignore[call-overload] # a misspelt setting
by_words: list[cb.Chunk] = cb.split("text", by="tokens", max_tokens=5, measure="words")
