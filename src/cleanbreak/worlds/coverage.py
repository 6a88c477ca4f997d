"""Which books of a world an index holds as they are now, found out without reading every manifest."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cleanbreak.errors import StoreError
from cleanbreak.stores.fulltext import Index, SourceState
from cleanbreak.worlds.layout import Book, slot_name
from cleanbreak.worlds.records import Manifest
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.fulltext import is_held, stamp_of


@dataclass(slots=True)
class Coverage:
    """The numbers of books: those held, those complete and not held, and those not complete.

    ``gone`` are keys of rows whose book is not in the world, or not complete.
    """

    held: set[str] = field(default_factory=set)
    behind: list[int] = field(default_factory=list)
    unfinished: list[int] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)

    @property
    def is_current(self) -> bool:
        """Whether the index holds every complete book, and no other."""
        return not self.behind and not self.gone


def coverage_of(session: Session, states: Mapping[str, SourceState]) -> Coverage:
    """Compare what an index holds with the books of the world.

    The index noted the size and time of each manifest when it took the book. Only manifests that
    have others now are read. What is found is proved by its manifest in any case.
    """
    found = Coverage()
    for number in session.book_numbers():
        book = session.layout.book(number)
        state = states.get(book.key)
        if state and (state.size, state.mtime_ns) == stamp_of(book):
            found.held.add(book.key)
        else:
            _compare(found, book, session.manifest(book), state)
    complete = {*found.held, *map(slot_name, found.behind)}
    found.gone = states.keys() - complete
    return found


def read_coverage(session: Session) -> Coverage:
    """What the index on the disk covers; nothing where it is missing or damaged."""
    try:
        with Index.open(session.layout.index, readonly=True) as index:
            return coverage_of(session, index.sources())
    except StoreError:
        return coverage_of(session, {})


def _compare(
    found: Coverage, book: Book, manifest: Manifest | None, state: SourceState | None
) -> None:
    if manifest is None or not manifest.complete:
        found.unfinished.append(book.number)
    elif is_held({book.key: (state.digest, state.chunks)} if state else {}, book, manifest):
        found.held.add(book.key)
    else:
        found.behind.append(book.number)
