"""Real and tiny tokenizers that tests share: the cl100k table, and three trained on a few lines."""

import warnings
from functools import cache
from typing import Any


@cache
def cl100k() -> Any:
    """The real cl100k, whose table ships inside `bpe_openai`, so that no test needs a network."""
    with warnings.catch_warnings():
        # It opens its table by a function that Python has deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai

        return bpe_openai.get_encoding("cl100k_base")
