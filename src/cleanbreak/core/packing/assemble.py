"""From cuts to chunks: numbers, offsets, overlap, sections and ids, written once for all splitters."""

import logging
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cleanbreak.core.chunk import BreakLevel, Chunk, HeadingPath
from cleanbreak.core.document import Document, Section
from cleanbreak.core.fingerprint import Fingerprint, StreamFingerprint
from cleanbreak.core.packing.sections import SectionSweep
from cleanbreak.core.packing.window import Window
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.text.characters import count_newlines
from cleanbreak.core.text.utf8 import utf8_length
from cleanbreak.errors import SplitError

# Kinds of files whose text is that of the document, line by line.
_WITH_LINES = ("text/plain", "text/markdown")

_log = logging.getLogger("cleanbreak")


class Piece(NamedTuple):
    """What a splitter decides about one chunk; it starts where the piece before ended."""

    end: int
    overlap_start: int
    """Where the overlap text starts; it ends where the chunk starts."""
    token_count: int | None = None
    oversize: bool = False
    break_level: BreakLevel = "word"
    """The level of the break at `end`; at the end of the text it is always ``end``."""


# A `Piece`, or the bare tuple of its fields: building the names costs a tenth of cutting.
PieceFields = tuple[int, int, int | None, bool, BreakLevel]


def assemble(document: Document, pieces: Iterable[PieceFields], recipe: Recipe) -> Iterator[Chunk]:
    """Make the chunks of a document, one at a time, as its pieces come.

    Raises:
        SplitError: if a piece does not end after it starts, or ends outside the text. Without
            this check a faulty splitter would loop for ever or lose text silently.
        TextInvalidError: if the text holds a lone surrogate, which has no UTF-8 form.
    """
    text = document.text
    return _chunks(document, text, len(text), pieces, Fingerprint(recipe, text))


def assemble_stream(
    window: Window, pieces: Iterable[PieceFields], fingerprint: StreamFingerprint
) -> Iterator[Chunk]:
    """The same for a text that arrives in pieces, held only as far as the window reaches."""
    return _chunks(Document(""), window, sys.maxsize, pieces, fingerprint)


def _chunks(
    document: Document,
    text: str | Window,
    length: int,
    pieces: Iterable[PieceFields],
    fingerprint: Fingerprint,
) -> Iterator[Chunk]:
    source = document.source.name if document.source else None
    line = 1 if document.source and document.source.media_type in _WITH_LINES else None
    sweep = SectionSweep(document.sections) if document.sections else None
    heading_path: HeadingPath | None = None
    sections: tuple[Section, ...] = ()
    number = start = byte_start = 0
    for end, overlap_start, token_count, oversize, break_level in pieces:
        if not start < end <= length or not 0 <= overlap_start <= start:
            raise _broken_promise(start, end, length)
        number += 1
        chunk_text = text[start:end]
        byte_end = byte_start + (
            end - start if chunk_text.isascii() else utf8_length(chunk_text, start)
        )
        if sweep:
            heading_path = sweep.heading_path(start)
            sections = sweep.pages_and_chapters(start, end)
        yield Chunk(
            number,
            chunk_text,
            text[overlap_start:start],
            start,
            end,
            byte_start,
            byte_end,
            token_count,
            heading_path,
            sections,
            oversize,
            fingerprint,
            "end" if end == length else break_level,
            source,
            line,
        )
        if line is not None:
            line += count_newlines(chunk_text)
        start, byte_start = end, byte_end
    _log.debug("cut %d characters into %d chunks (%s)", start, number, fingerprint.recipe.splitter)


def _broken_promise(start: int, end: int, length: int) -> SplitError:
    _log.error("split point %d refused: chunk starts at %d of %d characters", end, start, length)
    return SplitError(
        f"The split point {end} is refused: it must lie after {start} and at most at {length}. "
        "This is a fault of the boundary chooser.",
        split_point=end,
        start=start,
        length=length,
    )
