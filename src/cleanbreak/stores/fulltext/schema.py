# ruff: noqa: S608 (statements are put together from constants of this file only)
"""The tables of an index. The columns of a chunk are the fields of its record.

An index is derived data, so there are no migrations: a writer empties an index whose format or
columns are not those of this version, and fills it again from the files.
"""

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.storage.columns import Columns
from cleanbreak.stores.fulltext.vault_tables import VAULT_TABLES

APPLICATION_ID = 0x636C6272
"""``clbr`` in ASCII: marks a database as an index of cleanbreak."""

FORMAT = 7
"""``PRAGMA user_version``. To be raised when the tables, or what they hold, change in another way
than by a field of the chunk's record."""

RECORD = Columns(ChunkRecord, without={"source_filename"})
"""A chunk's own columns; the file name is a column of its source."""

CHUNK_COLUMNS = (
    "id", "source_id", *RECORD.names, "line", "search_text", "extra_terms", "heading_terms", "seam"
)  # fmt: skip
"""All columns of the table ``chunks`` that are stored, in order."""

_FIELDS = "chunk_text, extra_terms, title, headings, tags, path, seam"

OWN_FIELDS = f"{{{_FIELDS.replace(', seam', '').replace(',', '')}}}"
"""A column filter for what a chunk itself holds, without the words of the chunk before it."""

_ADD = f"INSERT INTO fts_chunks (rowid, {_FIELDS}) SELECT * FROM chunk_terms"
_REMOVE = (
    f"INSERT INTO fts_chunks (fts_chunks, rowid, {_FIELDS}) SELECT 'delete', * FROM chunk_terms"
)
_WHEN_CHANGED = """
        WHEN (old.title_terms, old.tag_terms, old.path_terms)
          IS NOT (new.title_terms, new.tag_terms, new.path_terms)"""


def _unless_deferred(chunk_id: str) -> str:
    return f"WHEN NOT EXISTS (SELECT 1 FROM deferral WHERE {chunk_id} > after_id)"


def _written_chunks(source_id: str) -> str:
    return (
        f"(SELECT id FROM chunks WHERE source_id = {source_id}"
        " AND NOT EXISTS (SELECT 1 FROM deferral WHERE chunks.id > after_id))"
    )


_SOURCES_AND_CHUNKS = (
    """
    CREATE TABLE sources (
      id INTEGER PRIMARY KEY,
      source_key TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      source_filename TEXT NOT NULL,
      title TEXT NOT NULL,
      digest TEXT NOT NULL,
      size INTEGER NOT NULL,
      mtime_ns INTEGER NOT NULL,
      recipe TEXT NOT NULL,
      title_terms TEXT NOT NULL,
      tag_terms TEXT NOT NULL,
      path_terms TEXT NOT NULL
    )
    """,
    # note_id is the name by which the notes specification checks coverage.
    f"""
    CREATE TABLE chunks (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources (id),
      note_id INTEGER GENERATED ALWAYS AS (source_id) VIRTUAL,
      {RECORD.definitions},
      line INTEGER NOT NULL,
      search_text TEXT,
      extra_terms TEXT NOT NULL,
      heading_terms TEXT NOT NULL,
      seam TEXT NOT NULL,
      UNIQUE (source_id, chunk_number)
    )
    """,
    """
    CREATE VIEW chunk_terms AS
    SELECT chunks.id AS id, coalesce(search_text, chunk_text) AS chunk_text, extra_terms, title_terms AS title,
           heading_terms AS headings, tag_terms AS tags, path_terms AS path, seam
    FROM chunks CROSS JOIN sources ON sources.id = chunks.source_id
    """,
    # Words as SQLite folds them, accents away. Marks (M*) are kept inside words: without them
    # the words of Indic scripts fall apart at every vowel sign.
    f"""
    CREATE VIRTUAL TABLE fts_chunks USING fts5(
      {_FIELDS},
      content = 'chunk_terms', content_rowid = 'id',
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
    )
    """,
    # While it holds a row, the full text of chunks after that id is not written yet; see
    # cleanbreak.stores.fulltext.database.deferred. It is empty outside a transaction.
    "CREATE TABLE deferral (after_id INTEGER NOT NULL)",
    f"""
    CREATE TRIGGER chunk_added AFTER INSERT ON chunks {_unless_deferred("new.id")} BEGIN
      {_ADD} WHERE id = new.id;
    END
    """,
    f"""
    CREATE TRIGGER chunk_removed BEFORE DELETE ON chunks {_unless_deferred("old.id")} BEGIN
      {_REMOVE} WHERE id = old.id;
    END
    """,
    f"""
    CREATE TRIGGER chunk_before_change BEFORE UPDATE ON chunks {_unless_deferred("old.id")} BEGIN
      {_REMOVE} WHERE id = old.id;
    END
    """,
    f"""
    CREATE TRIGGER chunk_after_change AFTER UPDATE ON chunks {_unless_deferred("new.id")} BEGIN
      {_ADD} WHERE id = new.id;
    END
    """,
    # Chunks go first, while their source can still be looked up.
    """
    CREATE TRIGGER source_removed BEFORE DELETE ON sources BEGIN
      DELETE FROM chunks WHERE source_id = old.id;
    END
    """,
    f"""
    CREATE TRIGGER source_before_change
    BEFORE UPDATE OF title_terms, tag_terms, path_terms ON sources {_WHEN_CHANGED} BEGIN
      {_REMOVE} WHERE id IN {_written_chunks("old.id")};
    END
    """,
    f"""
    CREATE TRIGGER source_after_change
    AFTER UPDATE OF title_terms, tag_terms, path_terms ON sources {_WHEN_CHANGED} BEGIN
      {_ADD} WHERE id IN {_written_chunks("new.id")};
    END
    """,
)

DEFER = "INSERT INTO deferral SELECT coalesce(max(id), 0) FROM chunks"
WRITE_DEFERRED = (f"{_ADD} WHERE id > (SELECT after_id FROM deferral)", "DELETE FROM deferral")

STATEMENTS = (*_SOURCES_AND_CHUNKS, *VAULT_TABLES)
"""Make the tables of an empty index."""
