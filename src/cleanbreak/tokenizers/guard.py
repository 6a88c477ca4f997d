"""What all tokenizer measures share: errors without text, and long texts in bounded pieces."""

from collections.abc import Callable

from cleanbreak.core.measures.measure import AddsUp
from cleanbreak.errors import MeasureError

# Code points given to a tokenizer at once, where its counts add up: long texts are slow in some
# (their time is quadratic, or they leave the processor's cache), and refused by others.
_PIECE = 50_000

# Code points passed over after a blank that is no seam: a long run of blanks has none.
_STEP_BACK = 50

Count = Callable[[str], int]
"""A text to the number of its tokens."""


def count_guarded(count: Count, text: str, adds_up: AddsUp | None) -> int:
    """The tokens of `text`, by `count`.

    Raises:
        MeasureError: if the tokenizer fails, with the kind of its error and never its message,
            which may quote the text.
    """
    try:
        if adds_up is None or len(text) <= _PIECE:
            return count(text)
        return _count_in_pieces(count, text, adds_up)
    except Exception as error:  # noqa: BLE001 (tokenizers raise any exception; one error leaves here)
        kind = type(error).__name__
        raise MeasureError(
            f"The tokenizer failed with {kind} on a text of {len(text)} characters.",
            kind=kind,
            length=len(text),
        ) from None


def _count_in_pieces(count: Count, text: str, adds_up: AddsUp) -> int:
    tokens = start = 0
    while len(text) - start > _PIECE:
        end = _seam(text, start, start + _PIECE, adds_up)
        if end <= start:
            break
        tokens += count(text[start:end])
        start = end
    return tokens + count(text[start:])


def _seam(text: str, start: int, end: int, adds_up: AddsUp) -> int:
    """The last place found between `start` and `end` where counts add up; not after `start` if none."""
    while end > start and not adds_up(text, end):
        end = max(text.rfind(" ", start, end), text.rfind("\n", start, end - 1) + 1)
        if end > start and adds_up(text, end):
            break
        end -= _STEP_BACK
    return end
