"""What the files of record say of the chunks that an index found."""

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.errors import IndexMalformedError
from cleanbreak.retrieval import Hit
from cleanbreak.storage.lock import is_held
from cleanbreak.worlds.layout import number_of
from cleanbreak.worlds.records import Malformed, StoredChunk, WarningRecord
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.chunk_files import load_chunk

# The index keeps the start of a long heading path only, with an ellipsis at its end.
_SHORTENED = "heading_path"
_COMPARED = tuple(name for name in ChunkRecord.__struct_fields__ if name != _SHORTENED)


class Proof:
    """Proves the rows of an index, for one search."""

    def __init__(self, session: Session, held: set[str]) -> None:
        self._session = session
        self._held = held
        self._found: dict[tuple[str, int], StoredChunk] = {}
        self._not_proved: set[tuple[str, int]] = set()

    def holds(self, source_key: str, number: int) -> bool:
        """Whether the files hold a chunk of that number, made from the text of its book."""
        if source_key not in self._held:
            return False
        book = self._session.layout.book(number_of(source_key))
        manifest = self._session.manifest(book)
        if manifest is None or not manifest.complete:
            return False
        try:
            chunk = load_chunk(book, number)
        except Malformed:
            self._not_proved.add((source_key, number))
            return False
        self._found[source_key, number] = chunk
        if chunk.text_sha256 == manifest.text_sha256:
            return True
        self._not_proved.add((source_key, number))
        return False

    def warnings(self) -> list[WarningRecord]:
        """That chunks were found and left out, as their files do not prove them."""
        count = len(self._not_proved)
        # A book that is replaced meanwhile is no damage.
        if not count or is_held(self._session.layout.lock):
            return []
        what = "1 chunk was" if count == 1 else f"{count:,} chunks were"
        message = (
            f"{what} found and not shown, as the files are missing or altered; repair the world: "
            "cleanbreak verify WORLD --repair"
        )
        return [WarningRecord("CHUNKS_NOT_PROVED", message, count)]

    def check(self, hit: Hit) -> None:
        """Compare a proved hit and its neighbours, whole, with the files.

        Raises:
            IndexMalformedError: if the index says something else: a byte of it was damaged.
        """
        texts = [(neighbour.number, neighbour.text) for neighbour in hit.context]
        same = _is_row_of(hit.chunk, self._found[hit.source_key, hit.number]) and all(
            text == self._found[hit.source_key, number].chunk_text for number, text in texts
        )
        if not same:
            raise IndexMalformedError(
                "index.sqlite holds other text than the chunk files; reindex.", name="index.sqlite"
            )


def _is_row_of(row: ChunkRecord, chunk: StoredChunk) -> bool:
    if any(getattr(row, name) != getattr(chunk, name) for name in _COMPARED):
        return False
    heading = chunk.heading_path
    if row.heading_path is None or heading is None:
        return row.heading_path == heading
    return heading.startswith(row.heading_path.removesuffix("…"))
