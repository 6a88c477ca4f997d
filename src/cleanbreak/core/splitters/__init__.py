"""The splitters, each a frozen value, and the table of their names."""

from cleanbreak.core.splitters.base import Splitter
from cleanbreak.core.splitters.boundary import BoundarySplitter
from cleanbreak.core.splitters.code import CodeSplitter
from cleanbreak.core.splitters.markdown import MarkdownSplitter
from cleanbreak.core.splitters.registry import (
    SPLITTERS,
    build_splitter,
    make_splitter,
    settings_of,
    splitter_for,
)
from cleanbreak.core.splitters.sentence import SentenceSplitter
from cleanbreak.core.splitters.tokens import TokenSplitter

__all__ = [
    "SPLITTERS",
    "BoundarySplitter",
    "CodeSplitter",
    "MarkdownSplitter",
    "SentenceSplitter",
    "Splitter",
    "TokenSplitter",
    "build_splitter",
    "make_splitter",
    "settings_of",
    "splitter_for",
]
