"""The tables that only vaults fill: links, tags, names, problems."""

VAULT_TABLES = (
    """
    CREATE TABLE links (
      source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      kind TEXT NOT NULL,
      embed INTEGER NOT NULL,
      target TEXT NOT NULL,
      fragment TEXT,
      character_start_offset INTEGER NOT NULL,
      character_end_offset INTEGER NOT NULL,
      line INTEGER NOT NULL,
      target_key TEXT,
      candidates INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (source_id, number)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX links_to ON links (target_key)",
    "CREATE INDEX links_by_name ON links (name)",
    # Links that are to be resolved; inside a transaction only.
    "CREATE INDEX links_pending ON links (source_id) WHERE candidates < 0",
    # By what names a file is linked to; `vaults/names.py` makes them.
    """
    CREATE TABLE names (
      name TEXT NOT NULL,
      rank INTEGER NOT NULL,
      path TEXT NOT NULL,
      alias TEXT NOT NULL,
      PRIMARY KEY (name, rank, path, alias)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX names_of ON names (path)",
    """
    CREATE TABLE tags (
      source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      tag TEXT NOT NULL,
      folded TEXT NOT NULL,
      inline INTEGER NOT NULL,
      line INTEGER NOT NULL,
      PRIMARY KEY (source_id, number)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX tags_by_name ON tags (folded)",
    """
    CREATE TABLE aliases (
      source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
      alias TEXT NOT NULL,
      PRIMARY KEY (source_id, alias)
    ) WITHOUT ROWID
    """,
    "CREATE TABLE attachments (path TEXT PRIMARY KEY) WITHOUT ROWID",
    # What was wrong with a file in the last run that read it. A file that could not be indexed has
    # its size, time and recipe, so that it is not read again until they change.
    """
    CREATE TABLE problems (
      path TEXT NOT NULL,
      number INTEGER NOT NULL,
      code TEXT NOT NULL,
      message TEXT NOT NULL,
      is_error INTEGER NOT NULL,
      is_of_scan INTEGER NOT NULL,
      size INTEGER,
      mtime_ns INTEGER,
      recipe TEXT,
      PRIMARY KEY (path, is_of_scan, number)
    ) WITHOUT ROWID
    """,
    # One row when a run over the whole vault has ended, with the settings of the last one, as JSON.
    "CREATE TABLE completed (id INTEGER PRIMARY KEY CHECK (id = 1), settings TEXT NOT NULL)",
)
