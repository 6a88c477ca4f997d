"""An excerpt: a place of a note with the chunks around it, for reading on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cleanbreak.core.citation import cite
from cleanbreak.core.document import Span
from cleanbreak.errors import SourceMissingError, StateConflictError
from cleanbreak.stores.fulltext.note_graph import NoteGraph
from cleanbreak.stores.fulltext.rows import NoteChunk
from cleanbreak.vaults.fragments import section_of


@dataclass(frozen=True, slots=True)
class NoteExcerpt:
    """The passage from ``start`` to ``end``, and the whole chunks that hold it and lie around it.

    Offsets are code points of the note's text, the end exclusive, as those of a hit; ``line`` is the
    line, from 1, on which the first chunk starts.
    """

    path: str
    start: int
    end: int
    first: int
    line: int
    text: str
    citation: str

    def as_dict(self) -> dict[str, Any]:
        """The excerpt as plain data."""
        return {
            "path": self.path,
            "start": self.start,
            "end": self.end,
            "citation": self.citation,
            "line": self.line,
            "text": self.text,
        }


def excerpt_of(
    graph: NoteGraph,
    path: str,
    fragment: str | None,
    start: int | None,
    end: int | None,
    around: int,
) -> NoteExcerpt:
    """A passage of a held note: between offsets, the part that a fragment names, or all of it.

    Raises:
        SourceMissingError: if the note has no such heading or block.
        StateConflictError: if it does not reach so far.
    """
    chunks = graph.chunks_of(path)
    text = "".join(chunk.text for chunk in chunks)
    part = Span(0 if start is None else start, len(text) if end is None else end)
    if fragment is not None:
        found = section_of(text, fragment)
        if found is None:
            raise SourceMissingError(
                f"{path!r} has no heading or block {fragment!r}; `cleanbreak show` with the note alone "
                "shows all of it.",
                name=path,
            )
        part = found
    return note_excerpt(path, chunks, *part, around)


def note_excerpt(
    path: str, chunks: Sequence[NoteChunk], start: int, end: int, around: int
) -> NoteExcerpt:
    """The chunks of a note that hold a passage, with `around` chunks before and after them.

    Raises:
        StateConflictError: if the note does not reach so far.
    """
    length = chunks[-1].start + len(chunks[-1].text) if chunks else 0
    if not 0 <= start <= end <= length:
        raise StateConflictError(
            f"{path!r} has {length:,} characters; {start:,} to {end:,} is no part of it.", path=path
        )
    if not chunks:  # an empty note, which is found by its name
        nothing = cite(path, chapters=(), heading_path=None, pages=(), start=0, end=0)
        return NoteExcerpt(path, 0, 0, 0, 1, "", nothing)
    held = [
        number
        for number, chunk in enumerate(chunks)
        if chunk.start < end and chunk.start + len(chunk.text) > start
    ] or [0]
    first, last = max(0, held[0] - around), held[-1] + around
    shown = chunks[first : last + 1]
    cited = chunks[held[0]]
    return NoteExcerpt(
        path,
        start,
        end,
        shown[0].start,
        shown[0].line,
        "".join(chunk.text for chunk in shown),
        cite(
            path,
            chapters=(),
            heading_path=cited.heading_path,
            pages=(),
            start=start,
            end=end,
            line=cited.line,
        ),
    )
