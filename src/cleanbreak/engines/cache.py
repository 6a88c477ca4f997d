"""Remembered answers: the same text and recipe are cut once, within a bound of memory."""

import sys
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, as_document
from cleanbreak.core.splitters.base import Splitter

CACHE_BYTES = 64 * 1024 * 1024
"""About twenty novels with their chunks; a longer answer than this is never kept."""

# A chunk without its two strings: the struct, five numbers, its place in the tuple.
_CHUNK_BYTES = 300

# A section of the document and its places in the chunks.
_SECTION_BYTES = 300


class ChunkCache:
    """The chunks of the texts cut last, bounded by the bytes they take; safe between threads.

    Who wants one makes one and holds it. Answers are kept as tuples of frozen chunks and given as
    fresh lists, so that no caller can spoil what another one gets.

    Args:
        max_bytes: the bound, as counted with `sys.getsizeof`; the answers used longest ago go
            first.
    """

    def __init__(self, max_bytes: int = CACHE_BYTES) -> None:
        self.max_bytes = max_bytes
        self.size = 0
        """Bytes held now."""
        self._answers: OrderedDict[Hashable, tuple[tuple[Chunk, ...], int]] = OrderedDict()
        self._lock = Lock()

    def split(self, splitter: Splitter, source: str | Document) -> list[Chunk]:
        """The chunks that `splitter` gives for `source`, remembered from before where possible.

        A recipe that is not lockable does not say all that decides the chunks (its measure, say,
        is a function without a name, and may be impure), so it is cut each time. The text itself
        is part of the key, not a digest of it: equality is then exact, and the chunks hold the
        text anyway.
        """
        document = as_document(source)
        recipe = splitter.recipe
        if not recipe.lockable:
            return list(splitter.stream(document))
        # All that chunks are made of: they name their sections and their source.
        name = document.source.name if document.source else None
        key = (recipe, document.text, document.sections, name)
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return list(self._answers[key][0])
        chunks = tuple(splitter.stream(document))  # outside the lock: others need not wait
        self._keep(key, chunks, _bytes_of(document, chunks))
        return list(chunks)

    def clear(self) -> None:
        """Forget every answer."""
        with self._lock:
            self._answers.clear()
            self.size = 0

    def _keep(self, key: Hashable, chunks: tuple[Chunk, ...], size: int) -> None:
        if size > self.max_bytes:
            return
        with self._lock:
            if key in self._answers:
                return
            self._answers[key] = chunks, size
            self.size += size
            while self.size > self.max_bytes:
                _, (_, freed) = self._answers.popitem(last=False)
                self.size -= freed


def _bytes_of(document: Document, chunks: tuple[Chunk, ...]) -> int:
    strings = sum(sys.getsizeof(c.text) + sys.getsizeof(c.overlap_text) for c in chunks)
    objects = _CHUNK_BYTES * len(chunks) + _SECTION_BYTES * len(document.sections)
    return sys.getsizeof(document.text) + strings + objects
