"""The laws (docs/design/laws.md) as one check that every splitter's tests call."""

from collections.abc import Callable, Sequence

import regex

from cleanbreak import Chunk, Document
from cleanbreak.core.text.characters import is_blank

GRAPHEME = regex.compile(r"\X")


def assert_laws(
    text: str | Document,
    chunks: Sequence[Chunk],
    *,
    limit: int | None = None,
    measure: Callable[[str], int] = len,
    overlap_limit: int | None = None,
    blank_is_content: bool = True,
) -> None:
    """Assert every law that can be seen from a text and its chunks.

    `limit` and `overlap_limit` are counted by `measure`. Law 7 (the same in another process) is
    tested apart; law 8 (silence) with the errors and logs.
    """
    text = text.text if isinstance(text, Document) else text
    if not blank_is_content and is_blank(text):
        assert list(chunks) == []
        return
    assert text == "".join(chunk.text for chunk in chunks), "law 1: lossless"
    utf8 = text.encode()
    starts = {match.start() for match in GRAPHEME.finditer(text)}
    previous_end = previous_byte_end = 0
    for number, chunk in enumerate(chunks, 1):
        assert number == chunk.number, "law 5: numbers are 1, 2, 3 …"
        assert previous_end == chunk.start < chunk.end, "law 5: starts strictly increase"
        assert text[chunk.start : chunk.end] == chunk.text, "law 2: exact"
        assert utf8[chunk.byte_start : chunk.byte_end].decode() == chunk.text, "law 2: exact bytes"
        assert previous_byte_end == chunk.byte_start
        assert text[: chunk.start].endswith(chunk.overlap_text), "law 4: overlap ends at the start"
        if overlap_limit is not None:
            assert measure(chunk.overlap_text) <= overlap_limit, "law 4: at most the size asked"
        if not blank_is_content and not chunk.text.strip():
            _assert_too_blank(text, chunks, number - 1, limit, measure)
        if limit is not None and not chunk.oversize:
            assert measure(chunk.text) <= limit, "law 3: within the limit"
        if limit is not None and chunk.start not in starts:
            _assert_no_other_way(text, chunk.start, starts, limit, measure)
        previous_end, previous_byte_end = chunk.end, chunk.byte_end
    assert previous_end == len(text)
    if chunks:
        assert chunks[0].overlap_text == "", "law 4: empty on the first chunk"
        ends = [chunk.break_level == "end" for chunk in chunks]
        assert ends == [False] * (len(chunks) - 1) + [True], "law 9: only the last ends at the end"


def _assert_no_other_way(
    text: str, cut: int, starts: set[int], limit: int, measure: Callable[[str], int]
) -> None:
    """Law 6: a cut inside a grapheme is allowed only where that grapheme alone is over the limit."""
    before = max(start for start in starts if start < cut)
    after = min((start for start in starts if start > cut), default=len(text))
    assert measure(text[before:after]) > limit, "law 6: whole characters"


def _assert_too_blank(
    text: str,
    chunks: Sequence[Chunk],
    index: int,
    limit: int | None,
    measure: Callable[[str], int],
) -> None:
    """A chunk is blank only where its text fits neither with the chunk on its left nor by words.

    By words: the blank run beside the word before it, and beside the one after it with the blank
    run that follows, as that needs a place as well.
    """
    assert limit is not None, "no chunk is blank"
    left, right = chunks[index - 1 : index + 1] if index else chunks[:2]
    both = left.text + right.text
    if max(measure(both), measure(left.overlap_text + both)) > limit:
        return  # some splitters count the overlap in
    before, after = text[: chunks[index].start].rstrip(), text[chunks[index].end :].lstrip()
    run = text[len(before) : len(text) - len(after)]
    last = "".join(before.split()[-1:])
    first = "".join(after.split()[:1])
    rest = after[len(first) :]
    first += rest[: len(rest) - len(rest.lstrip())]
    # A grapheme that must itself be cut takes nothing along.
    grapheme = "".join(GRAPHEME.findall(after)[:1])
    beside = (last + run, run + first, grapheme)
    assert max(map(measure, beside)) > limit, "no chunk is blank"
