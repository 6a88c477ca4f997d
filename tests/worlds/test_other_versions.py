"""Chunk files and indexes that another version of cleanbreak wrote."""

import hashlib
import json
import sqlite3
from pathlib import Path

import msgspec

import cleanbreak as cb
from cleanbreak.stores.fulltext import Index
from cleanbreak.worlds.records import decode_chunk

CHUNK = "books/book-0001/chunks/000001.json"


def test_chunk_files_without_break_level_are_read(world: cb.World, root: Path) -> None:
    """The field was added later: a file without it is whole, and says nothing of the level."""
    record = json.loads((root / CHUNK).read_bytes())
    assert decode_chunk((root / CHUNK).read_bytes()).break_level == record["break_level"]
    del record["break_level"], record["record_sha256"]
    body = msgspec.json.encode(record)
    digest = hashlib.sha256(body).hexdigest()
    older = decode_chunk(body[:-1] + b',"record_sha256":"%s"}\n' % digest.encode())
    assert (older.break_level, older.chunk_text) == (None, record["chunk_text"])


def test_an_index_of_another_version_is_made_again_by_a_search(world: cb.World, root: Path) -> None:
    """A person need not know that there is one."""
    before = [hit.as_dict() for hit in world.search("storm")]
    connection = sqlite3.connect(root / "index.sqlite")
    connection.execute("ALTER TABLE chunks DROP COLUMN break_level")
    connection.execute("PRAGMA user_version = 2")
    connection.commit()
    connection.close()
    assert before == [hit.as_dict() for hit in world.search("storm")]
    with Index.open(root / "index.sqlite") as index:
        index.check()
