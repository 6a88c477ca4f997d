"""Small indexes for tests, built in memory from notes and books given as texts."""

import sqlite3
from collections.abc import Iterable, Sequence

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.stores.fulltext import Index, SourceRow
from cleanbreak.stores.fulltext.database import prepare


def note(key: str, *texts: str, title: str = "", tags: Sequence[str] = (), kind: str = "note"):
    """A source and its chunks; the texts are those of its chunks."""
    source = SourceRow(key, kind, key.rsplit("/", 1)[-1], title, tags=tuple(tags))
    return source, chunk_records(texts)


def chunk_records(texts: Iterable[str], **fields: object) -> list[ChunkRecord]:
    """Chunks that follow each other; `fields` are the same for all of them."""
    records = []
    start = byte = 0
    for number, text in enumerate(texts, 1):
        size = len(text.encode())
        values = {
            "source_filename": None,
            "chunk_number": number,
            "chunk_id": f"id-{number}",
            "chunk_text": text,
            "overlap_text": "",
            "character_start_offset": start,
            "character_end_offset": start + len(text),
            "byte_offset": byte,
            "byte_length": size,
            "token_count": None,
            "heading_path": None,
            "sections": (),
            "oversize": False,
            "break_level": "word",
        }
        records.append(ChunkRecord(**{**values, **fields}))
        start, byte = start + len(text), byte + size
    return records


def make_index(*sources) -> Index:
    """An index of what `note` gave, in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    prepare(connection)
    index = Index(connection, "index.sqlite")
    for source, chunks in sources:
        index.replace_source(source, chunks)
    return index
