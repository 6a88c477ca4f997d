"""A user's own way to find sentences, whose answer is checked."""

from collections.abc import Callable, Iterable, Iterator
from operator import index

from cleanbreak.core.document import Span
from cleanbreak.errors import SplitError

Segmenter = Callable[[str], Iterable[tuple[int, int]]]
"""From a text to spans that partition it."""


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
