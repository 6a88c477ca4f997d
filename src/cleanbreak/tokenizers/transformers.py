"""Tokenizers of `transformers` that are written in Python; the fast ones wrap a `tokenizers` one."""

from typing import Any

from cleanbreak.tokenizers.guard import count_guarded
from cleanbreak.tokenizers.identity import Identified


class SlowTokenizerMeasure(Identified):
    """Counts with ``tokenizer.tokenize``, which neither truncates nor adds special tokens."""

    name: str | None = None
    """Its vocabulary cannot be named, so what is cut by it cannot be locked."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.identity = (tokenizer,)

    def __call__(self, text: str, /) -> int:
        """The tokens of `text` alone."""
        return count_guarded(self._count, text, None)

    def _count(self, text: str) -> int:
        return len(self.tokenizer.tokenize(text, split_special_tokens=True))
