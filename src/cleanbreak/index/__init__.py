"""SQLite full-text search over chunks: derived data, rebuilt from the sources at any time.

The tables are described in docs/index-format.md.
"""

from cleanbreak.index.index import Index
from cleanbreak.index.query import Query, parse_query
from cleanbreak.index.rows import ChunkRow, Counts, FoundRow, SourceRow, SourceState

__all__ = [
    "ChunkRow",
    "Counts",
    "FoundRow",
    "Index",
    "Query",
    "SourceRow",
    "SourceState",
    "parse_query",
]
