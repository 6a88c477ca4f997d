"""The options that choose a splitter, shared by every command that cuts."""

from collections.abc import Collection
from inspect import signature
from typing import Annotated, Any

import typer

from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import SPLITTERS, Splitter, make_splitter

By = Annotated[str, typer.Option("--by", help="boundary, sentences, markdown or tokens.")]
ChunkSize = Annotated[
    int | None, typer.Option("--chunk-size", help="At most so much in a chunk (1000 characters).")
]
MaxLookback = Annotated[
    int | None,
    typer.Option(
        "--max-lookback", help="How far before the limit to look for a clean break (200)."
    ),
]
OverlapSize = Annotated[
    int | None,
    typer.Option("--overlap-size", "--overlap", help="Earlier text kept beside each chunk (100)."),
]
MaxSentences = Annotated[
    int | None, typer.Option("--max-sentences", help="At most so many sentences.")
]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", help="At most so many tokens.")]
Measure = Annotated[
    str | None,
    typer.Option("--measure", help="characters, words, tiktoken:NAME or path/tokenizer.json."),
]

Language = Annotated[
    str | None, typer.Option("--language", help="Of the sentences: en, de, pt-BR … (auto).")
]
SoftWraps = Annotated[
    str | None,
    typer.Option("--soft-wraps", help="auto: wrapped newlines are spaces; or never (never)."),
]
Oversize = Annotated[
    str | None,
    typer.Option("--oversize", help="A character over the limit: raise an error, or emit (raise)."),
]

# What each splitter calls its overlap: its unit is in the name.
_OVERLAP = {"sentences": "overlap_percent", "tokens": "overlap_tokens"}


def build_splitter(by: str, *, overlap: int | None, **settings: Any) -> Splitter:
    """The splitter that the options describe; options not given take the splitter's defaults."""
    settings[_OVERLAP.get(by, "overlap_size")] = overlap
    return make_splitter(
        by, **{name: value for name, value in settings.items() if value is not None}
    )


def changed_splitter(
    current: Recipe | None, by: str | None, *, overlap: int | None, **settings: Any
) -> Splitter | None:
    """The splitter of a world with the options given in place of its own settings.

    ``None`` if none is given: then the world's own settings hold. Another splitter than the
    world's starts from its defaults.
    """
    given = {name: value for name, value in settings.items() if value is not None}
    if by is None and overlap is None and not given:
        return None
    if current is not None and by in (None, current.splitter):
        by = current.splitter
        kept: dict[str, Any] = dict(current.settings)
        kept_overlap = kept.pop(_OVERLAP.get(by, "overlap_size"), None)
        overlap = kept_overlap if overlap is None else overlap
        given = {**kept, **given}
        given.setdefault("measure", current.measure if "measure" in _parameters(by) else None)
    return build_splitter(by or "boundary", overlap=overlap, **given)


def _parameters(by: str) -> Collection[str]:
    return signature(SPLITTERS[by]).parameters
