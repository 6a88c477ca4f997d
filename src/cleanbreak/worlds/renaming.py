"""Another name for a world, or another path for one of its books."""

from cleanbreak.errors import StateConflictError
from cleanbreak.worlds.opening import check_beside, check_name
from cleanbreak.worlds.removal import check_book
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.sources import name_key


def rename(session: Session, name: str, book: int | None) -> None:
    """Change ``world.json``; see `World.rename`."""
    check_name(name)
    if book is None:
        check_beside(session.layout.root, name)
        session.save(name=name)
        return
    check_book(session, book)
    record = session.record
    for number, filename in record.books.items():
        if number != book and name_key(record.path_of(number, filename)) == name_key(name):
            raise StateConflictError(
                f"Book {number} has the path {name!r} already; choose another one.",
                book_number=number,
            )
    others = {n: path for n, path in record.paths.items() if n != book}
    own = {} if record.books.get(book) == name else {book: name}
    session.save(paths=others | own)
