"""Tokenizers of Hugging Face's `tokenizers`: objects, and files named ``tokenizer.json``."""

import hashlib
import json
from os import PathLike
from pathlib import Path
from typing import Any

from cleanbreak.errors import DependencyMissingError, MeasureError, SettingsError
from cleanbreak.tokenizers.additive import rule_for_tokenizer
from cleanbreak.tokenizers.guard import count_guarded
from cleanbreak.tokenizers.identity import Identified


class TokenizerMeasure(Identified):
    """Counts with a copy of a tokenizer, on which truncation, padding and special tokens are off.

    Many public ``tokenizer.json`` files switch truncation on, and would count any long text as
    128 tokens. `name` is the digest of what decides the counts, so that the same tokenizer has the
    same name on any machine, and wherever its file lies.
    """

    def __init__(self, tokenizer: Any) -> None:
        try:
            data = json.loads(tokenizer.to_str())
        except Exception as error:  # noqa: BLE001 (it raises plain Exception for parts written in Python)
            raise MeasureError(
                "The tokenizer has parts that cannot be copied; give a function that counts with "
                "it instead, such as lambda text: len(tokenizer.encode(text).ids).",
                kind=type(error).__name__,
            ) from None
        self._data = {**data, "truncation": None, "padding": None, "post_processor": None}
        self.name: str | None = f"tokenizers:sha256:{_digest(self._data)}"
        self.identity = (self.name,)
        self.adds_up = rule_for_tokenizer(data)
        copy = type(tokenizer).from_str(json.dumps(self._data))
        copy.encode_special_tokens = True  # text that looks like one is plain text
        self._encode = copy.encode

    def __call__(self, text: str, /) -> int:
        """The tokens of `text` alone."""
        return count_guarded(self._count, text, self.adds_up)

    def _count(self, text: str) -> int:
        return len(self._encode(text, add_special_tokens=False))

    def __repr__(self) -> str:
        return f"TokenizerMeasure({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_from_json, (json.dumps(self._data),))


def tokenizer_at(path: str | PathLike[str]) -> TokenizerMeasure:
    """The measure of a ``tokenizer.json``.

    Raises:
        SettingsError: if the file is not there or is not such a file.
        DependencyMissingError: if `tokenizers` is not installed.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise SettingsError("measure", path.name, "the path of a readable tokenizer.json") from None
    return _from_json(text, path.name)


def _from_json(text: str, file_name: str = "tokenizer.json") -> TokenizerMeasure:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise DependencyMissingError(
            'A tokenizer.json needs a package; pip install "cleanbreak[tokenizers]".',
            package="tokenizers",
            extra="tokenizers",
        ) from None
    try:
        tokenizer = Tokenizer.from_str(text)
    except Exception:  # noqa: BLE001 (it raises plain Exception for every failure)
        raise SettingsError("measure", file_name, "the path of a valid tokenizer.json") from None
    return TokenizerMeasure(tokenizer)


def _digest(data: dict[str, Any]) -> str:
    # Scores lose their last digits on the way through the library, and those decide nothing.
    rounded = json.loads(json.dumps(data), parse_float=lambda number: f"{float(number):.6g}")
    canonical = json.dumps(rounded, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
