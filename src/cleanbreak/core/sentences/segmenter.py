"""A user's own way to find sentences, whose answer is checked."""

from collections.abc import Callable, Iterable, Iterator
from operator import index

from cleanbreak.core.document import Span
from cleanbreak.errors import CleanbreakError, SplitError

Segmenter = Callable[[str], Iterable[tuple[int, int]]]
"""From a text to spans that partition it."""


def spans_of(segmenter: Segmenter, text: str) -> Iterator[Span]:
    """Yield the spans that a segmenter gives for a text.

    Raises:
        SplitError: if the segmenter raises anything, also midway, or its spans are no partition.
    """
    return checked_spans(_asked(segmenter, text), len(text))


def _asked(segmenter: Segmenter, text: str) -> Iterator[tuple[int, int]]:
    try:
        yield from segmenter(text)
    except CleanbreakError:
        raise
    except Exception as error:  # noqa: BLE001 (the caller's own code; it ends as one SplitError)
        kind = type(error).__name__
        raise SplitError(
            f"The segmenter failed with {kind} on a text of {len(text)} characters.",
            kind=kind,
            length=len(text),
        ) from None


def checked_spans(spans: Iterable[tuple[int, int]], length: int) -> Iterator[Span]:
    """Yield the spans of a segmenter, which must partition a text of that length.

    Raises:
        SplitError: at the first span that does not follow the one before it, or is no span.
    """
    at = 0
    for span in spans:
        try:
            start, end = map(index, span)
        except (TypeError, ValueError):
            raise SplitError("The segmenter must give spans: pairs of whole numbers.") from None
        if start != at or not at < end <= length:
            raise SplitError(
                f"The segmenter's span {start} to {end} is refused: it must start at {at}, where "
                f"the one before ended, and end after that, at most at {length}.",
                start=start,
                end=end,
            )
        yield Span(start, end)
        at = end
    if at != length:
        raise SplitError(
            f"The segmenter's spans end at {at}, but the text at {length}.", end=at, length=length
        )
