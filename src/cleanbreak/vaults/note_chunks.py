"""The chunks of one note, as the index holds them."""

from itertools import count

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.errors import SourceMissingError
from cleanbreak.vaults.index_file import PathLike, folder_at, opened


def note_chunks(vault: PathLike, note: str) -> list[ChunkRecord]:
    """The chunks of the note with this path, in order; together they are its text.

    Raises:
        SourceMissingError: if the index holds no such note.
        VaultMissingError, StoreError: if there is no vault or index, or it cannot be read.
    """
    index, _ = opened(folder_at(vault), None)
    with index:
        if not index.holds(note):
            raise SourceMissingError("The vault has no such note; index it again.", name=note)
        found: list[ChunkRecord] = []
        for number in count(1):
            at = (note, number)
            held = index.chunks_at([at]).get(at)
            if held is None:
                return found
            found.append(held.chunk)
    return found
