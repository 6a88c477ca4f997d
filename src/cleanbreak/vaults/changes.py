"""What changed in a vault since it was indexed, seen without writing."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from cleanbreak.stores.fulltext import Index
from cleanbreak.stores.fulltext.note_states import NoteStates
from cleanbreak.stores.fulltext.rows import NoteState
from cleanbreak.vaults.config import VaultConfig
from cleanbreak.vaults.scan import FileStamp, scan


class Changes(NamedTuple):
    """The notes and canvases that are not as the index has them, by path, in order.

    A renamed note is one that was removed and one that is new.
    """

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(self[:])


def changes_since(folder: Path, index: Index, config: VaultConfig) -> Changes:
    """Compare names, sizes and times with the index; read only files that differ in the time alone.

    A note that was saved in the two seconds before it was indexed, and again within one step of the
    clock of its file system to the same size, is taken for unchanged.
    """
    found = scan(folder, config.notes, config.left_out)
    states = NoteStates(index)
    held, refused = states.states(), states.refused()
    new = [
        key for key in found.notes if key not in held and not _is_like(refused, key, found.notes)
    ]
    removed = [key for key in held if key not in found.notes and not found.may_hold(key)]
    changed = [
        key
        for key, stamp in found.notes.items()
        if key in held and not _is_same(folder, key, held[key], stamp)
    ]
    return Changes(*(tuple(sorted(keys)) for keys in (new, changed, removed)))


def _is_like(refused: dict[str, NoteState], key: str, stamps: dict[str, FileStamp]) -> bool:
    """Whether a file that could not be indexed is as it was then."""
    state = refused.get(key)
    return state is not None and _looks_same(state, stamps[key])


def _is_same(folder: Path, key: str, state: NoteState, stamp: FileStamp) -> bool:
    return _looks_same(state, stamp) or (
        state.size == stamp.size and _digest(folder / key) == state.digest
    )


def _looks_same(state: NoteState, stamp: FileStamp) -> bool:
    # A time below zero was too near to that of the run to be trusted by the next one.
    return (state.size, abs(state.mtime_ns)) == (stamp.size, abs(stamp.mtime_ns))


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
