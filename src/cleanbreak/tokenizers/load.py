"""Tokenizers as measures; none of their libraries is imported before one is asked for.

What a ``measure=`` may be, besides what the core knows (``"characters"``, ``"words"``, functions):

- ``"tiktoken:NAME"``, a `tiktoken.Encoding`, or the same from `bpe_openai`;
- a `tokenizers.Tokenizer`, or the path of its ``tokenizer.json``;
- a tokenizer of `transformers`;
- what `make_token_counter` gives for a server.

All count the text alone: no special tokens are added, text that looks like one is plain text, and
truncation and padding are off, on a copy; the caller's tokenizer is not touched.
"""

from os import PathLike
from typing import TYPE_CHECKING, Any

from cleanbreak.core.checks import string, whole_number
from cleanbreak.core.measures.measure import Measure
from cleanbreak.tokenizers.huggingface import TokenizerMeasure, tokenizer_at
from cleanbreak.tokenizers.tiktoken import EncodingMeasure, encoding_named
from cleanbreak.tokenizers.transformers import SlowTokenizerMeasure

if TYPE_CHECKING:
    from cleanbreak.tokenizers.server import TokenCounter

__all__ = ["load_measure", "make_token_counter"]


def load_measure(spec: Any) -> Measure | None:
    """The measure that a name, a path or a tokenizer stands for; ``None`` if it is none of these.

    Raises:
        DependencyMissingError: if the library it needs is not installed.
        MeasureError: if the tokenizer cannot be loaded.
        SettingsError: if a name or a file is not there.
    """
    if isinstance(spec, str):
        kind, _, name = spec.partition(":")
        if kind == "tiktoken":
            return encoding_named(name)
        return tokenizer_at(spec) if spec.endswith(".json") else None
    if isinstance(spec, PathLike):
        return tokenizer_at(spec)
    # By what they can do, so that subclasses and look-alikes work, and nothing is imported.
    if hasattr(spec, "encode_ordinary"):
        return EncodingMeasure(spec)
    if hasattr(spec, "backend_tokenizer"):
        return TokenizerMeasure(spec.backend_tokenizer)
    if hasattr(spec, "to_str") and hasattr(spec, "no_truncation"):
        return TokenizerMeasure(spec)
    if hasattr(spec, "tokenize") and hasattr(spec, "encode"):
        return SlowTokenizerMeasure(spec)
    return None


def make_token_counter(
    url: str, *, timeout_seconds: int = 30, name: str | None = None
) -> "TokenCounter":
    """A measure that asks the ``/tokenize`` endpoint of a server such as llama.cpp's.

    Args:
        url: the server's address, with or without ``/tokenize``.
        timeout_seconds: how long to wait for an answer.
        name: what to call the measure in recipes, such as the model's name and revision; without
            one, chunks cut by it cannot be locked in a world.

    Raises:
        SettingsError: if the address or the time is not one.
    """
    from cleanbreak.tokenizers.server import TokenCounter

    seconds = whole_number("timeout_seconds", timeout_seconds, minimum=1, maximum=3600)
    return TokenCounter(string("url", url), seconds, name)
