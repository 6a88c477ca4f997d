"""The laws of a book's chunk files, checked in one pass over their records."""

import hashlib

from cleanbreak.core.recipe import Recipe
from cleanbreak.worlds.records import NO_CHUNKS, Manifest, StoredChunk, chain
from cleanbreak.worlds.stages.stage import Problem

# Characters of the text before a chunk that its overlap is compared with.
_TAIL = 10_000


class ChunkChecker:
    """Goes through the chunks of a book in order and compares them with manifest and neighbours."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._settings = Recipe.from_dict(manifest.settings).digest
        self._problems: list[Problem] = []
        self._chain = NO_CHUNKS
        self._text = hashlib.sha256()
        self._end = self._byte_end = 0
        self._gap = False
        self._tail = ""

    def lose(self, number: int) -> None:
        """A chunk that is counted and not there, or not as it was written."""
        self._skip("CHUNK_LOST", "The chunk file is missing or altered.", number)

    def check(self, chunk: StoredChunk) -> None:
        """A chunk whose own digest is right."""
        number = chunk.chunk_number
        self._chain = chain(self._chain, chunk.record_sha256)
        self._text.update(chunk.chunk_text.encode())
        if self._is_foreign(chunk):
            self._skip("CHUNK_FOREIGN", "The chunk was made from something else.", number)
            return
        length, size = len(chunk.chunk_text), len(chunk.chunk_text.encode())
        if (
            chunk.character_end_offset - chunk.character_start_offset != length
            or chunk.byte_length != size
            or not length
        ):
            self._add("OFFSETS_WRONG", "The offsets do not fit the text.", number)
        if not self._gap and not _ends_alike(self._tail, chunk.overlap_text):
            self._add("OVERLAP_DIFFERS", "The overlap is not the text before.", number)
        start = (chunk.character_start_offset, chunk.byte_offset)
        if not self._gap and start != (self._end, self._byte_end):
            self._add("NOT_CONTIGUOUS", "The chunk does not start where the last ended.", number)
        self._gap = False
        self._tail = (self._tail + chunk.chunk_text)[-_TAIL:]
        self._end, self._byte_end = chunk.character_end_offset, chunk.byte_offset + size

    def finish(self) -> list[Problem]:
        """All problems, with those that only the whole book shows."""
        manifest = self._manifest
        if not self._problems and self._chain != manifest.chunks_sha256:
            self._add("CHAIN_DIFFERS", "The chunk files are not those that were counted.")
        if not self._problems and manifest.complete:
            whole = (self._end, self._byte_end, self._text.hexdigest())
            if whole != (manifest.text_length, manifest.text_bytes, manifest.text_sha256):
                self._add("TEXT_DIFFERS", "The chunks together are not the text of the source.")
        return self._problems

    def _is_foreign(self, chunk: StoredChunk) -> bool:
        manifest = self._manifest
        return (
            chunk.world_uuid,
            chunk.book_number,
            chunk.source_sha256,
            chunk.text_sha256,
            chunk.settings_sha256,
            chunk.total_chunks,
        ) != (
            manifest.world_uuid,
            manifest.book_number,
            manifest.source.sha256,
            manifest.text_sha256,
            self._settings,
            manifest.total_chunks,
        )

    def _skip(self, code: str, message: str, number: int) -> None:
        """Leave a chunk out; the next one has no neighbour to be compared with."""
        self._gap, self._tail = True, ""
        self._add(code, message, number)

    def _add(self, code: str, message: str, number: int | None = None) -> None:
        self._problems.append(Problem(code, message, self._manifest.book_number, number))


def _ends_alike(before: str, overlap: str) -> bool:
    """Whether `overlap` is the end of the text before, as far as that was kept."""
    return overlap.endswith(before) if len(overlap) > len(before) > 0 else before.endswith(overlap)
