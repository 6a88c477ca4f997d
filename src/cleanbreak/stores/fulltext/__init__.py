"""SQLite full-text search over chunks: derived data, rebuilt from the sources at any time.

The tables are described in docs/index-format.md.
"""

from cleanbreak.stores.fulltext.index import Index
from cleanbreak.stores.fulltext.query import Query, parse_query
from cleanbreak.stores.fulltext.rows import Counts, FoundChunk, SourceRow, SourceState
from cleanbreak.stores.fulltext.writer import SourceWriter

__all__ = [
    "Counts",
    "FoundChunk",
    "Index",
    "Query",
    "SourceRow",
    "SourceState",
    "SourceWriter",
    "parse_query",
]
