"""Searching a world: what the index finds, and the files of record prove."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress

from cleanbreak.errors import StoreError
from cleanbreak.retrieval import Hit
from cleanbreak.retrieval import search as search_index
from cleanbreak.stores.fulltext import Index
from cleanbreak.worlds.opening import load_world
from cleanbreak.worlds.records import Malformed
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.chunk_files import load_chunk
from cleanbreak.worlds.stages.fulltext import catch_up, complete_books, held_by, is_current, is_held


def search(
    session: Session,
    write: Callable[[], AbstractContextManager[Session]],
    query: str,
    *,
    limit: int,
    context: int,
) -> list[Hit]:
    """The best chunks for a query; none where no book is complete yet.

    An index that is behind is brought up to date first, by what `write` opens.

    Raises:
        IndexMissingError: if there is no index, and it could not be made now.
    """
    if not is_current(session):
        # A world that is being written, or must not be, is searched as far as its index is proved.
        with suppress(StoreError), write() as writer:
            catch_up(writer)
        session.record = load_world(session.layout)
    if not session.layout.index.exists() and not complete_books(session):
        return []
    with Index.open(session.layout.index, readonly=True) as index:
        prove = _prover(session, index)
        return search_index(index, query, limit=limit, context=context, prove=prove)


def _prover(session: Session, index: Index) -> Callable[[str, int], bool]:
    """What the files of record say of a chunk that the index found."""
    held = held_by(index)
    current = {
        book.key: (book, manifest)
        for book, manifest in complete_books(session)
        if is_held(held, book, manifest)
    }

    def prove(source_key: str, number: int) -> bool:
        if source_key not in current:
            return False
        book, manifest = current[source_key]
        try:
            chunk = load_chunk(book, number)
        except Malformed:
            return False
        return chunk.text_sha256 == manifest.text_sha256

    return prove
