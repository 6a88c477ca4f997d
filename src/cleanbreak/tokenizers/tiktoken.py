"""Encodings of `tiktoken`, and of `bpe_openai`, which has the same tables and the same interface."""

from typing import Any

from cleanbreak.core.checks import one_of
from cleanbreak.errors import DependencyMissingError, MeasureError
from cleanbreak.tokenizers.additive import rule_for_pattern
from cleanbreak.tokenizers.guard import count_guarded
from cleanbreak.tokenizers.identity import Identified

# Encodings with a public name. The name of any other encoding has no meaning elsewhere, so it is
# not stored.
_PUBLIC = (
    "gpt2",
    "r50k_base",
    "p50k_base",
    "p50k_edit",
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
)


class EncodingMeasure(Identified):
    """Counts with an encoding; text that looks like a special token is plain text."""

    def __init__(self, encoding: Any) -> None:
        self.encoding = encoding
        self.name = f"tiktoken:{encoding.name}" if encoding.name in _PUBLIC else None
        self.identity = (self.name or encoding,)
        self.adds_up = rule_for_pattern(getattr(encoding, "_pat_str", "."))
        encode = encoding.encode_ordinary
        # bpe_openai can count without making a list of the tokens.
        backend = getattr(encoding, "_backend", None)
        self._count = getattr(backend, "count", None) or (lambda text: len(encode(text)))

    def __call__(self, text: str, /) -> int:
        """The tokens of `text` alone."""
        return count_guarded(self._count, text, self.adds_up)

    def __repr__(self) -> str:
        return f"EncodingMeasure({self.encoding.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # The encodings hold compiled code. Public ones are built again by name where they arrive.
        if self.name:
            return (encoding_named, (self.encoding.name,))
        return (EncodingMeasure, (self.encoding,))


def encoding_named(name: str) -> EncodingMeasure:
    """The public encoding of that name.

    Taken from `bpe_openai` where that is installed, which carries its tables with it and gives the
    same counts; else from `tiktoken`, which downloads a table when it is first used.

    Raises:
        SettingsError: if there is no such encoding.
        DependencyMissingError: if neither library is installed.
        MeasureError: if the table cannot be had.
    """
    one_of("measure", f"tiktoken:{name}", (f"tiktoken:{public}" for public in _PUBLIC))
    encoding = _from_bpe_openai(name) or _from_tiktoken(name)
    return EncodingMeasure(encoding)


def _from_bpe_openai(name: str) -> Any | None:
    try:
        import bpe_openai
    except ImportError:
        return None
    carried = ("cl100k_base", "o200k_base")
    return bpe_openai.get_encoding(name) if name in carried else None


def _from_tiktoken(name: str) -> Any:
    try:
        import tiktoken
    except ImportError:
        raise DependencyMissingError(
            f'The measure "tiktoken:{name}" needs a package; pip install "cleanbreak[tiktoken]".',
            package="tiktoken",
            extra="tiktoken",
        ) from None
    try:
        return tiktoken.get_encoding(name)
    except Exception as error:  # noqa: BLE001 (of the network stack it uses; one error leaves here)
        kind = type(error).__name__
        raise MeasureError(
            f"The table of {name} could not be loaded ({kind}): tiktoken downloads it once. Go "
            "online, or point TIKTOKEN_CACHE_DIR to a copy, or pip install bpe-openai, which "
            "carries the tables of cl100k_base and o200k_base.",
            encoding=name,
            kind=kind,
        ) from None
