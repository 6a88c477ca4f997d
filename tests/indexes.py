"""Small indexes for tests, built in memory from notes and books given as texts."""

import sqlite3
from collections.abc import Iterable, Sequence

from cleanbreak.stores.fulltext import ChunkRow, Index, SourceRow
from cleanbreak.stores.fulltext.database import prepare


def note(key: str, *texts: str, title: str = "", tags: Sequence[str] = (), kind: str = "note"):
    """A source and its chunks; the texts are those of its chunks."""
    return SourceRow(key, kind, key.rsplit("/", 1)[-1], title, tags=tuple(tags)), chunk_rows(texts)


def chunk_rows(texts: Iterable[str]) -> list[ChunkRow]:
    """Chunks that follow each other."""
    rows = []
    start = byte = 0
    for number, text in enumerate(texts, 1):
        end, byte_end = start + len(text), byte + len(text.encode())
        rows.append(ChunkRow(number, f"id-{number}", text, start, end, byte, byte_end))
        start, byte = end, byte_end
    return rows


def make_index(*sources) -> Index:
    """An index of what `note` gave, in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    prepare(connection)
    index = Index(connection, "index.sqlite")
    for source, chunks in sources:
        index.replace_source(source, chunks)
    return index
