# ruff: noqa: S608 (statements are put together from constants of this file only)
"""The tables, as ordered migrations: ``user_version`` counts how many an index has had.

A migration that has been released is never edited; a change is a new one at the end.
"""

from typing import NamedTuple

APPLICATION_ID = 0x636C6272
"""``clbr`` in ASCII: tells an index of ours from another program's database."""


class Migration(NamedTuple):
    """A named step; its statements run in one transaction with the count of steps."""

    name: str
    statements: tuple[str, ...]


_FIELDS = "chunk_text, extra_terms, title, headings, tags, path"

_SOURCES_AND_CHUNKS = Migration(
    "sources, chunks and full text",
    (
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
        """
        CREATE TABLE chunks (
          id INTEGER PRIMARY KEY,
          source_id INTEGER NOT NULL REFERENCES sources (id),
          note_id INTEGER GENERATED ALWAYS AS (source_id) VIRTUAL,
          chunk_number INTEGER NOT NULL,
          chunk_id TEXT NOT NULL,
          character_start_offset INTEGER NOT NULL,
          character_end_offset INTEGER NOT NULL,
          byte_offset INTEGER NOT NULL,
          byte_length INTEGER NOT NULL,
          line INTEGER NOT NULL,
          heading_path TEXT,
          sections TEXT NOT NULL,
          token_count INTEGER,
          chunk_text TEXT NOT NULL,
          extra_terms TEXT NOT NULL,
          heading_terms TEXT NOT NULL,
          UNIQUE (source_id, chunk_number)
        )
        """,
        """
        CREATE VIEW chunk_terms AS
        SELECT chunks.id AS id, chunk_text, extra_terms, title_terms AS title,
               heading_terms AS headings, tag_terms AS tags, path_terms AS path
        FROM chunks JOIN sources ON sources.id = chunks.source_id
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
        f"""
        CREATE TRIGGER chunk_added AFTER INSERT ON chunks BEGIN
          INSERT INTO fts_chunks (rowid, {_FIELDS})
          SELECT * FROM chunk_terms WHERE id = new.id;
        END
        """,
        f"""
        CREATE TRIGGER chunk_removed BEFORE DELETE ON chunks BEGIN
          INSERT INTO fts_chunks (fts_chunks, rowid, {_FIELDS})
          SELECT 'delete', * FROM chunk_terms WHERE id = old.id;
        END
        """,
        f"""
        CREATE TRIGGER chunk_before_change BEFORE UPDATE ON chunks BEGIN
          INSERT INTO fts_chunks (fts_chunks, rowid, {_FIELDS})
          SELECT 'delete', * FROM chunk_terms WHERE id = old.id;
        END
        """,
        f"""
        CREATE TRIGGER chunk_after_change AFTER UPDATE ON chunks BEGIN
          INSERT INTO fts_chunks (rowid, {_FIELDS})
          SELECT * FROM chunk_terms WHERE id = new.id;
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
        BEFORE UPDATE OF title_terms, tag_terms, path_terms ON sources BEGIN
          INSERT INTO fts_chunks (fts_chunks, rowid, {_FIELDS})
          SELECT 'delete', * FROM chunk_terms
          WHERE id IN (SELECT id FROM chunks WHERE source_id = old.id);
        END
        """,
        f"""
        CREATE TRIGGER source_after_change
        AFTER UPDATE OF title_terms, tag_terms, path_terms ON sources BEGIN
          INSERT INTO fts_chunks (rowid, {_FIELDS})
          SELECT * FROM chunk_terms
          WHERE id IN (SELECT id FROM chunks WHERE source_id = new.id);
        END
        """,
    ),
)

MIGRATIONS = (_SOURCES_AND_CHUNKS,)
