"""What a writer does first: finish what was committed, clear away what was not.

Every step here can be repeated, so that a crash in the middle of it changes nothing. A world in
order is not written to at all.
"""

from pathlib import Path

from cleanbreak.errors import StoreError
from cleanbreak.storage.files import Files, is_temporary
from cleanbreak.worlds.layout import KINDS, Layout
from cleanbreak.worlds.records import WorldRecord, decode_world
from cleanbreak.worlds.workspace import Workspace


def recover(place: Workspace) -> None:
    """Bring a world that is held for writing to a state with nothing half done."""
    finish_swap(place.files, place.layout)
    place.record = decode_world(place.layout.record.read_bytes())
    if staged(place.layout) is None:
        place.files.remove_tree(place.layout.staging.root)
    _finish_removals(place)
    _remove_strays(place.files, place.layout)


def staged(layout: Layout) -> WorldRecord | None:
    """The record of a re-ingest that was begun and not committed."""
    try:
        return decode_world(layout.staging.record.read_bytes())
    except (OSError, StoreError):
        return None


def finish_swap(files: Files, layout: Layout) -> None:
    """Put a committed re-ingest in place: folders first, ``world.json`` last."""
    swap = layout.swap
    if swap.record.exists():
        for kind in KINDS:
            for number in swap.book_numbers():
                built, old = swap.slot(kind, number), layout.slot(kind, number)
                if built.exists():
                    files.remove_tree(old)
                    files.make_folder(old.parent)
                    files.rename_folder(built, old)
        files.replace(swap.record, layout.record)
    files.remove_tree(swap.root)


def _finish_removals(place: Workspace) -> None:
    layout, files = place.layout, place.files
    for number in place.record.hidden_books:
        files.remove_tree(layout.slot("books", number))
    for number in place.record.purged_books:
        for kind in ("sources", "backups"):
            files.remove_tree(layout.slot(kind, number))
    place.save(purged_books=())


def _remove_strays(files: Files, layout: Layout) -> None:
    """Remove temporary files, and slots that hold nothing: their copy never came to be.

    Chunk folders are left to the writer of the book, as looking through all would make each
    ingest cost as much as the world is large.
    """
    _remove_temporaries(files, layout.root)
    for number in layout.book_numbers():
        for kind in KINDS:
            _remove_temporaries(files, layout.slot(kind, number))
        if not any(_holds_something(layout.slot(kind, number)) for kind in KINDS):
            for kind in KINDS:
                files.remove_tree(layout.slot(kind, number))


def _remove_temporaries(files: Files, folder: Path) -> None:
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            if is_temporary(path.name):
                files.remove(path)


def _holds_something(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())
