r"""Boundaries of grapheme clusters (UAX #29): where text may be cut between whole characters.

Running the grapheme rules at every place would cost more than cutting. Almost every place is
decided by two characters; the rest by running ``\X`` from the nearest place that is
certainly a boundary, found by looking backwards.
"""

import re

import regex

# Below the first combining mark only CR LF joins two characters.
_PLAIN_BELOW = "\u0300"

_PREPENDING = "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd-\U000113d1\U00011900-\U00011aff\U00011d46\U00011f02"
# Characters that never join the one before them unless that one prepends or is a joiner. Not all
# such characters: fewer anchors only make the search for one longer. Pictographs, Hangul and the
# scripts with conjuncts are left out because they do join.
_ORDINARY = (
    "\\x00-\xa8\xaa-\xad\xaf-\u02ff"  # less © and ®, which are pictographs
    "\u0370-\u0482\u048a-\u058f\u05be\u05d0-\u05f4"  # Greek, Cyrillic, Armenian, Hebrew
    "\u0606-\u060f\u061b-\u064a\u0660-\u066f\u0671-\u06d4"  # Arabic
    "\u0e01-\u0e30\u0e40-\u0e46\u10a0-\u10ff\u1200-\u135c\u1e00-\u1fff"  # Thai, Georgian, Ethiopic
    "\u2000-\u200a\u2010-\u2027\u2028-\u203b\u20a0-\u20bf"
    "\u3000-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uff9d"
)

# Regional indicators.
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))

_is_prepending = re.compile(f"[{_PREPENDING}]").match
_certain_at = re.compile(f"(?<![{_PREPENDING}])[{_ORDINARY}]").match
_last_certain = re.compile(f"(?s:.*)(?<![{_PREPENDING}])([{_ORDINARY}])").match
_CLUSTER = regex.compile(r"\X")
_clinging = regex.compile(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]").match
FIRST_CLINGING = _PLAIN_BELOW
"""No character below this one clings: a cheap comparison before the call."""
# The only letters that cling: Thai and Lao AM, the half-width voicing marks.
_CLINGING_LETTERS = frozenset("\u0e33\u0eb3\uff9e\uff9f")

# Characters behind an offset in which its cluster mostly ends, before more are looked at.
_USUAL_CLUSTER = 64


def is_boundary(text: str, offset: int, floor: int = 0) -> bool:
    """Whether cutting at `offset` leaves every grapheme cluster, and every CR LF, whole.

    `floor` is an earlier offset known to be a boundary; the search looks back no further.
    """
    return is_boundary_at_a_glance(text, offset) or _cluster_start(text, offset, floor) == offset


def is_boundary_at_a_glance(text: str, offset: int) -> bool:
    """Whether the two characters around `offset` alone prove a boundary."""
    if not 0 < offset < len(text):
        return True
    before = text[offset - 1]
    if before == "\n":
        return True
    after = text[offset]
    if after == "\n":
        return before != "\r"
    if before < _PLAIN_BELOW and after < _PLAIN_BELOW:
        return True
    return _certain_at(text, offset) is not None


def clings(text: str, offset: int) -> bool:
    """Whether the character at `offset` joins any character before it, also white space.

    Cheaper than `is_boundary`. It is the same if punctuation or white space other than CR is before
    `offset`, because these join nothing by themselves.
    """
    after = text[offset]
    if after < _PLAIN_BELOW or "\u2010" <= after <= "\u2027":  # dashes and quotes
        return False
    if after.isalnum() and after not in _CLINGING_LETTERS:
        return False
    return _clinging(text, offset) is not None


def boundary_at_or_before(text: str, offset: int, floor: int) -> int:
    """The last boundary in (`floor`, `offset`]; `offset` itself if one cluster spans them all."""
    if is_boundary_at_a_glance(text, offset):
        return offset
    start = _cluster_start(text, offset, floor)
    return start if start > floor else offset


def boundary_at_or_after(text: str, offset: int, ceiling: int, floor: int) -> int:
    """The first boundary in [`offset`, `ceiling`]; `ceiling` if there is none before it."""
    if is_boundary_at_a_glance(text, offset):
        return offset
    start = _cluster_start(text, offset, floor)
    if start == offset:
        return offset
    step = _USUAL_CLUSTER
    while True:  # the cost is that of the cluster, not of the text behind it
        high = min(offset + step, ceiling)
        cluster = _CLUSTER.match(text[start:high])
        end = start + cluster.end() if cluster else ceiling
        if end < high or high >= ceiling:
            return end
        step *= 2


def _cluster_start(text: str, offset: int, floor: int) -> int:
    """Where the cluster that holds the character at `offset` starts."""
    if text[offset - 1] == "\r" and text[offset] == "\n":
        return offset - 1
    if text[offset - 1] in _FLAG_LETTERS and text[offset] in _FLAG_LETTERS:
        # Two letters make a flag, counted from the start of the run; \X would count again for each.
        run = text[floor:offset]
        flag = offset - (len(run) - len(run.rstrip(_FLAG_LETTERS))) % 2
        if flag in (offset, floor) or not _is_prepending(text[flag - 1]):
            return flag
    certain = _last_certain(text, floor, offset)
    start = certain.start(1) if certain else floor
    within = 0
    # One character past the offset is enough, as no rule looks further ahead.
    for cluster in _CLUSTER.finditer(text[start : offset + 1]):
        within = cluster.start()
    return start + within
