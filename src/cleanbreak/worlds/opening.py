"""Opening a world: its record, or why there is none."""

from cleanbreak.errors import StoreError, WorldMalformedError, WorldMissingError
from cleanbreak.worlds.layout import KINDS, Layout
from cleanbreak.worlds.records import WorldRecord, decode_world


def load_world(layout: Layout) -> WorldRecord:
    """``world.json`` as it counts now.

    Raises:
        WorldMissingError: if there is no world.
        WorldMalformedError: if it is lost or cannot be read.
        FormatTooNewError: if a later version of cleanbreak wrote it.
    """
    try:
        try:
            data = layout.current_record.read_bytes()
        except FileNotFoundError:
            # A swap may have been put in place between looking for its record and reading it.
            data = layout.current_record.read_bytes()
    except FileNotFoundError:
        raise no_world(layout) from None
    except NotADirectoryError:
        raise no_world(layout) from None
    except OSError as error:
        raise WorldMalformedError(
            f"world.json cannot be read ({error.strerror}); check its permissions.",
            name="world.json",
        ) from None
    return decode_world(data)


def no_world(layout: Layout) -> StoreError:
    """The error for a folder without ``world.json``: empty, or robbed of it."""
    if has_books(layout):
        return WorldMalformedError(
            "world.json is missing though books are stored here; restore it from a copy, as nothing "
            "else says which settings the world is locked to.",
            name="world.json",
        )
    return WorldMissingError(
        f"There is no world at {layout.root.name!r}; ingest a book to make one.",
        name=layout.root.name,
    )


def has_books(layout: Layout) -> bool:
    """Whether books are stored, whatever ``world.json`` says."""
    return any((layout.root / kind).exists() for kind in KINDS)
