"""What a writer does before its own work: finish what was committed, remove what was not.

Every step here can be repeated, so that a crash in the middle of it changes nothing. A world in
order is not written to at all.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cleanbreak.errors import StoreError, WriteFailedError
from cleanbreak.storage.files import Files, is_temporary
from cleanbreak.storage.lock import writing
from cleanbreak.worlds.layout import KINDS, Book, Layout, names_in, slot_name
from cleanbreak.worlds.opening import check_free, load_world
from cleanbreak.worlds.records import WorldRecord, decode_world
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.stage import guarded


@contextmanager
def open_for_writing(session: Session) -> Iterator[None]:
    """Hold the world of a session, with nothing half done in it.

    A world that is not on the disk yet is made now, from the session's record.

    Raises:
        WorldLockedError: if another process holds it.
        WriteFailedError: if it may only be read.
    """
    layout = session.layout
    if not layout.current_record.exists():
        # Where someone is making the world right now, the lock decides, not what lies there.
        if not layout.lock.exists():
            check_free(layout.root, session.record.name)
        session.files.make_folder(layout.root)
    with writing(layout.lock):
        if not layout.current_record.exists():
            check_free(layout.root, session.record.name)
            session.save()
        try:
            recover(session)
            yield
        except OSError as error:
            raise WriteFailedError(
                f"The world could not be read or written ({error.strerror}); remove the cause, "
                "then resume.",
                errno=error.errno,
            ) from None


def recover(session: Session) -> None:
    """Finish what was committed and remove what was not, so that nothing is left half done."""
    session.record = load_world(session.layout)
    finish_swap(session)
    if staged(session.layout) is None:
        # A staging without a record: the crash came before its record, which is written last.
        session.files.remove_tree(session.layout.staging.root)
    _finish_removals(session)
    _remove_leftovers(session.files, session.layout)


def staged(layout: Layout) -> WorldRecord | None:
    """The record of a re-ingest that was begun and not committed."""
    try:
        return decode_world(layout.staging.record.read_bytes())
    except (OSError, StoreError):
        return None


def finish_swap(session: Session) -> None:
    """Put a committed re-ingest in place.

    The rename of ``staging`` to ``swap`` was the commit: since then readers look in ``swap`` first.
    Here each of its folders takes the place of the old one, and ``world.json`` comes last. While
    it lies in ``swap`` every step before it is done again after a crash. A folder that is no longer
    in ``swap`` was moved already, so what lies in its place is new and is left alone.
    """
    layout, files, swap = session.layout, session.files, session.layout.swap
    if swap.record.exists():
        for number in swap.book_numbers():
            if swap.slot("books", number).exists():
                # The outputs of the old chunks go first, wherever they lie.
                discard_outputs(session, layout.live_book(number))
            for kind in KINDS:
                built, old = swap.slot(kind, number), layout.slot(kind, number)
                if built.exists():
                    files.remove_tree(old)
                    files.make_folder(old.parent)
                    files.rename_folder(built, old)
        files.replace(swap.record, layout.record)
        session.record = load_world(layout)
        session.look_again()
    files.remove_tree(swap.root)


def discard_outputs(session: Session, book: Book) -> None:
    """Remove all that the stages made of a book, the last stage first.

    The chunks are the first stage, so that its folder is there until nothing is left that was made
    from them. A crash on the way is seen by the folder, and all of it is done again.
    """
    for stage in reversed(session.stages):
        with guarded(stage, book.number):
            stage.discard(book, session)


def _finish_removals(session: Session) -> None:
    layout, files = session.layout, session.files
    for number in session.record.hidden_books:
        book = layout.live_book(number)
        if book.folder.exists():
            discard_outputs(session, book)
    for number in session.record.purged_books:
        for kind in ("sources", "backups"):
            files.remove_tree(layout.slot(kind, number))
    session.save(purged_books=())


def _remove_leftovers(files: Files, layout: Layout) -> None:
    """Remove temporary files, and slots that hold nothing: their copy was never put in place.

    Chunk folders are left to the chunks stage, as looking through all of them would make each
    ingest cost as much as the world is large.
    """
    _remove_temporaries(files, layout.root, names_in(layout.root))
    for number in layout.book_numbers():
        # Strings and not paths: every writer does this for all books.
        slots = [os.path.join(layout.root, kind, slot_name(number)) for kind in KINDS]  # noqa: PTH118
        left = [_remove_temporaries(files, slot, names_in(slot)) for slot in slots]
        if not any(left):
            for slot in slots:
                files.remove_tree(Path(slot))


def _remove_temporaries(files: Files, folder: str | Path, names: Sequence[str]) -> list[str]:
    """Remove unfinished files; the names that are left."""
    for name in sorted(names):
        if is_temporary(name):
            files.remove(Path(folder, name))
    return [name for name in names if not is_temporary(name)]
