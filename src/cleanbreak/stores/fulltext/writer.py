"""Writes the chunks of one source into an index, in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.core.citation import page_labels
from cleanbreak.core.document import Span
from cleanbreak.core.text.characters import count_newlines
from cleanbreak.stores.fulltext import database
from cleanbreak.stores.fulltext.folding import (
    extra_terms,
    label_term,
    name_terms,
    with_extra_terms,
)
from cleanbreak.stores.fulltext.schema import CHUNK_COLUMNS, RECORD

if TYPE_CHECKING:
    import sqlite3

_CHUNK = CHUNK_COLUMNS[1:]  # the id is given by SQLite
_PUT_CHUNK = f"INSERT INTO chunks ({', '.join(_CHUNK)}) VALUES ({', '.join('?' * len(_CHUNK))})"  # noqa: S608


# Words on each side of a cut by which a phrase is found that lies over it.
_SEAM_WORDS = 12
# Scripts without spaces have no such words.
_SEAM_CHARACTERS = 100

# Characters of a title or heading path that are kept. They are repeated for every chunk: a heading
# of a million characters would fill gigabytes.
_MOST_TITLE = 1_000
# The same for the label of a page.
_MOST_LABEL = 40


class SourceWriter:
    """Takes the chunks of one source in order, inside a transaction; see `Index.replacing`."""

    def __init__(
        self,
        connection: "sqlite3.Connection",
        name: str,
        source_id: int,
        opaque: Iterable[Span] = (),
    ) -> None:
        self.source_id = source_id
        self._opaque = deque(opaque)
        self._connection = connection
        self._name = name
        self._line = 1
        self._before = ""

    def add(self, chunks: Iterable[ChunkRecord]) -> None:
        """Write the next chunks."""
        with database.translated(self._name):
            self._connection.executemany(_PUT_CHUNK, self._values(chunks))

    def set_digest(self, digest: str) -> None:
        """Change the source's digest, where it is known only after the last chunk."""
        with database.translated(self._name):
            self._connection.execute(
                "UPDATE sources SET digest = ? WHERE id = ?", (digest, self.source_id)
            )

    def _values(self, chunks: Iterable[ChunkRecord]) -> Iterator[tuple[object, ...]]:
        for chunk in map(_with_short_headings, chunks):
            search_text = self._without_opaque(chunk)
            shown = chunk.chunk_text if search_text is None else search_text
            yield (
                self.source_id,
                *RECORD.values(chunk),
                self._line,
                search_text,
                _beside(extra_terms(shown), _page_terms, chunk),
                _beside(with_extra_terms(chunk.heading_path or ""), _chapter_terms, chunk),
                _over_cut(self._before, shown),
            )
            self._before = shown[-_SEAM_CHARACTERS - 1 :]
            self._line += count_newlines(chunk.chunk_text)

    def _without_opaque(self, chunk: ChunkRecord) -> str | None:
        """The chunk's text without its opaque spans; ``None`` if it has none."""
        start, end = chunk.character_start_offset, chunk.character_end_offset
        pieces: list[str] = []
        at = start
        while self._opaque and self._opaque[0].start < end:
            span = self._opaque[0]
            pieces.append(chunk.chunk_text[at - start : max(span.start, start) - start])
            at = min(span.end, end)
            if span.end > end:
                break  # the next chunk has the rest
            self._opaque.popleft()
        if not pieces:
            return None
        return " ".join((*pieces, chunk.chunk_text[at - start :]))


def _with_short_headings(chunk: ChunkRecord) -> ChunkRecord:
    if chunk.heading_path is None or len(chunk.heading_path) <= _MOST_TITLE:
        return chunk
    return msgspec.structs.replace(chunk, heading_path=shortened(chunk.heading_path))


def _beside(terms: str, more: Callable[[ChunkRecord], Iterable[str]], chunk: ChunkRecord) -> str:
    """Terms, and those of the chunk's pages or chapters."""
    return " ".join((terms, *more(chunk))).strip() if chunk.sections else terms


def _page_terms(chunk: ChunkRecord) -> Iterator[str]:
    return (label_term("page", label[:_MOST_LABEL]) for label in page_labels(chunk.sections))


def _chapter_terms(chunk: ChunkRecord) -> Iterator[str]:
    """Tokens, as the words of a title, repeated for every chunk, would outweigh the text."""
    titles = dict.fromkeys(part.title for part in chunk.sections if part.kind == "chapter")
    for title in titles:
        yield from name_terms("chapter", shortened(title))


def _over_cut(before: str, after: str) -> str:
    """The last words before a cut and the first after it, as they stand in the source."""
    last, first = before[-_SEAM_CHARACTERS:], after[:_SEAM_CHARACTERS]
    if not last.strip() or not first.strip():
        return ""
    # What is cut off in front may be the end of a word, what is cut off behind its beginning.
    words = last.rsplit(None, _SEAM_WORDS)
    last = last[len(words[0]) :] if len(words) > 1 and len(last) < len(before) else last
    words = first.split(None, _SEAM_WORDS)
    first = first[: -len(words[-1])] if len(words) > 1 and len(first) < len(after) else first
    return with_extra_terms(last + first)


def shortened(title: str) -> str:
    """A title or heading path, as long as it may be for each chunk."""
    return title if len(title) <= _MOST_TITLE else title[: _MOST_TITLE - 1] + "…"
