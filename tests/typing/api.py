"""The public API as its users type it; mypy checks this file, nothing runs it."""

import cleanbreak as cb

chunks: list[cb.Chunk] = cb.split("text", chunk_size=100)
splitter: cb.Splitter = cb.BoundarySplitter()
point: int = cb.find_split_point("text", 10, 5)
for chunk in splitter.stream(cb.Document("text")):
    path: cb.HeadingPath | None = chunk.heading_path
    identity: str = chunk.id

with cb.Vault.index("notes", chunk_size=500) as vault:
    citations: list[str] = [hit.citation for hit in vault.search("query", limit=3)]
    sources: list[str] = [link.source for link in vault.backlinks("Home")]
    notes: int = vault.stats().notes
