r"""Whole characters: where text may be cut without parting a grapheme cluster (UAX #29).

Asking the grapheme rules about every place would cost more than cutting. Almost every place is
answered by comparing two characters; the rest by running ``\X`` from the nearest place that is
certainly a boundary, found by looking backwards.
"""

import regex

_PLAIN_BELOW = "\u0300"
"""Below the first combining mark only CR LF joins two characters."""

_CERTAIN = regex.compile(
    # Before an ordinary character there is always a boundary, unless a prepending mark or a
    # joiner stands before it. Pictographs and the Indic and South-East Asian blocks, whose
    # conjuncts may join, are left out: fewer anchors, never a wrong one.
    r"(?r)(?<![\p{GCB=Prepend}\u200d])"
    r"[[\p{GCB=Other}\p{GCB=Control}]--[\p{Extended_Pictographic}\u0900-\u1cff\ua800-\uabff\U00010000-\U0001ffff]]",
    regex.VERSION1,
)
_CLUSTER = regex.compile(r"\X")


def is_boundary(text: str, offset: int, floor: int = 0) -> bool:
    """Whether cutting at `offset` leaves every grapheme cluster, and every CR LF, whole.

    `floor` is an earlier offset known to be a boundary; the search looks back no further.
    """
    if not 0 < offset < len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before < _PLAIN_BELOW and after < _PLAIN_BELOW:
        return before != "\r" or after != "\n"
    return _cluster_start(text, offset, floor) == offset


def boundary_at_or_before(text: str, offset: int, floor: int) -> int:
    """The last boundary in (`floor`, `offset`]; `offset` itself if one cluster spans them all."""
    if is_boundary(text, offset, floor):
        return offset
    start = _cluster_start(text, offset, floor)
    return start if start > floor else offset


def boundary_at_or_after(text: str, offset: int, ceiling: int, floor: int) -> int:
    """The first boundary in [`offset`, `ceiling`]; `ceiling` if there is none before it."""
    while offset < ceiling and not is_boundary(text, offset, floor):
        offset += 1
    return offset


def _cluster_start(text: str, offset: int, floor: int) -> int:
    """Where the cluster that holds the character at `offset` starts."""
    if text[offset - 1] == "\r" and text[offset] == "\n":
        return offset - 1
    certain = _CERTAIN.search(text, floor, offset)
    start = certain.start() if certain else floor
    # One character past the offset is enough: no rule looks further ahead.
    for cluster in _CLUSTER.finditer(text, start, offset + 1):
        start = cluster.start()
    return start
