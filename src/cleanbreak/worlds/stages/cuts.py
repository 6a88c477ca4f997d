"""Where a document is cut, held without the texts: chunks are counted first and made again later."""

from array import array
from collections.abc import Iterable, Iterator

import msgspec

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.fingerprint import text_digest

# Fields that follow from where the chunks end; every other field of a chunk is kept as it is.
_DERIVED = {"number", "text", "overlap_text", "start", "end", "byte_start", "byte_end"}
_KEPT = tuple(f.name for f in msgspec.structs.fields(Chunk) if f.name not in _DERIVED)


class Cuts:
    """All chunks of one document, without their texts: some 90 bytes a chunk.

    Each record holds the total, so all chunks must be known before the first one is written. To cut
    twice costs a second pass of the splitter, and to hold the chunks costs the text once more. Held
    here are the ends, the lengths of the overlaps, and references to what chunks share.
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._ends, self._byte_ends, self._overlaps = array("q"), array("q"), array("q")
        self._kept: tuple[list[object], ...] = tuple([] for _ in _KEPT)
        for chunk in chunks:
            self._ends.append(chunk.end)
            self._byte_ends.append(chunk.byte_end)
            self._overlaps.append(len(chunk.overlap_text))
            for column, name in zip(self._kept, _KEPT, strict=True):
                column.append(getattr(chunk, name))

    def __len__(self) -> int:
        return len(self._ends)

    def text_sha256(self, text: str) -> str:
        """The digest of the document's text, which the ids of its chunks need as well."""
        if not self._ends:
            return text_digest(text)
        fingerprints = self._kept[_KEPT.index("fingerprint")]
        return fingerprints[0].text_sha256  # type: ignore[attr-defined, no-any-return]

    def chunks(self, text: str) -> Iterator[Chunk]:
        """The chunks again, equal to those that were given; `text` is the document's."""
        start = byte_start = 0
        columns = zip(self._ends, self._byte_ends, self._overlaps, *self._kept, strict=True)
        for number, (end, byte_end, overlap, *kept) in enumerate(columns, 1):
            yield Chunk(
                number=number,
                text=text[start:end],
                overlap_text=text[start - overlap : start],
                start=start,
                end=end,
                byte_start=byte_start,
                byte_end=byte_end,
                **dict(zip(_KEPT, kept, strict=True)),
            )
            start, byte_start = end, byte_end
