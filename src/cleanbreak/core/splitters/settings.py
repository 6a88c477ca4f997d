"""The settings of each splitter by name, for type checkers: a misspelt one is an error before it runs.

A test holds them against the parameters of the splitters.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypedDict

from cleanbreak.core.sentences.segmenter import Segmenter
from cleanbreak.core.splitters.boundary import ChooseBoundary

Oversize = Literal["raise", "emit"]


class BoundarySettings(TypedDict, total=False):
    """Those of `BoundarySplitter`."""

    chunk_size: int
    max_lookback: int
    overlap_size: int
    soft_wraps: Literal["never", "auto"]
    separators: Sequence[str] | None
    cross_chapters: bool
    find_split_point: ChooseBoundary | None


class CodeSettings(TypedDict, total=False):
    """Those of `CodeSplitter`."""

    max_size: int
    language: str
    measure: object
    overlap_size: int
    oversize: Oversize
    cross_chapters: bool


class MarkdownSettings(TypedDict, total=False):
    """Those of `MarkdownSplitter`."""

    chunk_size: int
    overlap_size: int
    measure: object
    merge_small: int
    oversize: Oversize
    cross_chapters: bool
    join_headings: bool


class SentenceSettings(TypedDict, total=False):
    """Those of `SentenceSplitter`."""

    max_sentences: int | None
    max_tokens: int | None
    overlap_percent: int
    language: str
    measure: object
    oversize: Oversize
    cross_chapters: bool
    abbreviations: Iterable[str]
    segmenter: Segmenter | None


class TokenSettings(TypedDict, total=False):
    """Those of `TokenSplitter`."""

    max_tokens: int | None
    measure: object
    overlap_tokens: int
    oversize: Oversize
    prefix: str
    cross_chapters: bool
