"""What all tokenizer measures share: errors without text, and long texts in bounded pieces."""

from collections.abc import Callable, Sized

from cleanbreak.core.tally import AddsUp
from cleanbreak.errors import MeasureError

_PIECE = 50_000
"""Code points given to a tokenizer at once, where its counts add up: long texts are slow in some
(their time is quadratic, or they leave the processor's cache), and refused by others."""


Encode = Callable[[str], Sized]
"""A text to its tokens."""


def count_guarded(encode: Encode, text: str, adds_up: AddsUp | None) -> int:
    """How many tokens `encode` gives for `text`.

    Raises:
        MeasureError: if the tokenizer fails, with the kind of its error and never its message,
            which may quote the text.
    """
    try:
        if adds_up is None or len(text) <= _PIECE:
            return len(encode(text))
        return _count_in_pieces(encode, text, adds_up)
    except Exception as error:  # noqa: BLE001 (tokenizers raise whatever they like; one error leaves here)
        kind = type(error).__name__
        raise MeasureError(
            f"The tokenizer failed with {kind} on a text of {len(text)} characters.",
            kind=kind,
            length=len(text),
        ) from None


def _count_in_pieces(encode: Encode, text: str, adds_up: AddsUp) -> int:
    tokens = start = 0
    while len(text) - start > _PIECE:
        end = start + _PIECE
        while end > start and not adds_up(text, end):
            # A seam that is before a space or after a newline, whichever is later.
            end = max(text.rfind(" ", start, end), text.rfind("\n", start, end - 1) + 1, start)
        if end == start:
            break
        tokens += len(encode(text[start:end]))
        start = end
    return tokens + len(encode(text[start:]))
