"""Full text of many new chunks at once.

The triggers keep the full text in step whoever writes. But a statement that fires a trigger opens a
savepoint, at which FTS5 (of SQLite 3.40) writes out what it has gathered: one segment a chunk, to
be merged again. Chunks written within one transaction of ours are therefore passed over by the
triggers and added by one statement at its end, in a tenth of the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cleanbreak.stores.fulltext.schema import DEFER, WRITE_DEFERRED

if TYPE_CHECKING:
    import sqlite3


@contextmanager
def deferred(connection: "sqlite3.Connection") -> Iterator[None]:
    """Inside a transaction: add the full text of its new chunks at the end, all or none."""
    connection.execute(DEFER)
    yield
    for statement in WRITE_DEFERRED:
        connection.execute(statement)
