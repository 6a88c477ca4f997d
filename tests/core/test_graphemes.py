"""Whole characters: the quick answers agree with the rules of UAX #29."""

import regex
from hypothesis import given

from cleanbreak.core.text.graphemes import boundary_at_or_after, boundary_at_or_before, is_boundary
from strategies import texts


def boundaries(text: str) -> list[int]:
    return [match.start() for match in regex.finditer(r"\X", text)] + [len(text)]


@given(texts)
def test_is_boundary_agrees_with_the_rules(text):
    real = set(boundaries(text))
    assert {offset for offset in range(len(text) + 1) if is_boundary(text, offset)} == real | {0}


@given(texts)
def test_neighbouring_boundaries_agree_with_the_rules(text):
    real = boundaries(text)
    for offset in range(1, len(text)):
        earlier = max(b for b in real if b <= offset)
        assert boundary_at_or_before(text, offset, 0) == (earlier or offset)
        assert boundary_at_or_after(text, offset, len(text), 0) == min(
            b for b in real if b >= offset
        )


def test_a_mark_before_a_flag_was_cut_off():
    """A flag was taken to start a cluster, although a prepending mark joins it."""
    text = "0\u0600🇫🇷🇫🇷"
    assert boundaries(text) == [0, 1, 4, 6]
    assert [boundary_at_or_before(text, offset, 0) for offset in (2, 3, 5)] == [1, 1, 4]
