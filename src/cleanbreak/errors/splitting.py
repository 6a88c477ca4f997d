"""Errors of cutting and counting a text."""

from cleanbreak.errors.base import CleanbreakError


class SplitError(CleanbreakError):
    """A boundary chooser failed, did not progress, or pointed outside the text."""

    code = "SPLIT_FAILED"


class IndivisibleTextError(SplitError):
    """One character or grapheme alone is over the limit. ``details`` has ``offset``."""

    code = "TEXT_INDIVISIBLE"

    def moved(self, by: int) -> "IndivisibleTextError":
        """The same for a text with `by` more characters before it."""
        offset = self.details["offset"]
        message = self.message.replace(f"offset {offset} ", f"offset {offset + by} ", 1)
        return IndivisibleTextError(message, **{**self.details, "offset": offset + by})


class TextInvalidError(SplitError):
    """The text holds a lone surrogate, so it has no UTF-8 form. ``details`` has ``offset``."""

    code = "TEXT_INVALID"


class MeasureError(CleanbreakError):
    """A tokenizer or a token-counting server failed or gave what cannot be a count."""

    code = "MEASURE_FAILED"
