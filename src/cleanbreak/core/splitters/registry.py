"""The splitters, by the name that recipes and ``--by`` use."""

from collections.abc import Iterator
from inspect import signature
from typing import Any, Protocol

from cleanbreak.core.cache import SHARED
from cleanbreak.core.checks import one_of
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document, as_document
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters.boundary import BoundarySplitter
from cleanbreak.core.splitters.markdown import MarkdownSplitter
from cleanbreak.core.splitters.sentence import SentenceSplitter
from cleanbreak.core.splitters.tokens import TokenSplitter
from cleanbreak.errors import SettingsError


class Splitter(Protocol):
    """Cuts a text or document into chunks that obey the laws (docs/design/laws.md)."""

    @property
    def recipe(self) -> Recipe:
        """The splitter as one frozen value."""

    def stream(self, source: str | Document) -> Iterator[Chunk]:
        """Yield the chunks while cutting, holding one at a time."""

    def split(self, source: str | Document) -> list[Chunk]:
        """All chunks."""


SPLITTERS: dict[str, Any] = {
    "boundary": BoundarySplitter,
    "markdown": MarkdownSplitter,
    "sentences": SentenceSplitter,
    "tokens": TokenSplitter,
}


def make_splitter(by: str = "boundary", **settings: Any) -> Splitter:
    """The splitter named `by`, built with its own settings.

    Raises:
        SettingsError: for an unknown name, or a setting that the splitter does not have.
    """
    one_of("by", by, tuple(SPLITTERS))
    try:
        splitter: Splitter = SPLITTERS[by](**settings)
    except TypeError as error:
        raise SettingsError("settings", sorted(settings), f"those of the {by} splitter") from error
    return splitter


def splitter_for(recipe: Recipe, measure: object = None) -> Splitter:
    """The splitter that a recipe describes, for a world that locked it.

    A measure with a public name is built from that name. A tokenizer of one's own is not in the
    recipe, only its digest is: it must be given again as `measure`, and another one is refused.

    Raises:
        SettingsError: if this version of cleanbreak has no such splitter, or cuts differently, or
            if the measure is not the recipe's.
    """
    settings: dict[str, object] = dict(recipe.settings)
    if recipe.measure is None:
        raise SettingsError("measure", None, "one with a name, as a recipe can be built from")
    one_of("splitter", recipe.splitter, tuple(SPLITTERS))
    if "measure" in signature(SPLITTERS[recipe.splitter]).parameters:
        settings["measure"] = recipe.measure if measure is None else measure
    splitter = make_splitter(recipe.splitter, **settings)
    if splitter.recipe.version != recipe.version:
        raise SettingsError(
            "splitter_version", recipe.version, f"{splitter.recipe.version} in this release"
        )
    if splitter.recipe.measure != recipe.measure:
        raise SettingsError("measure", splitter.recipe.measure, f"{recipe.measure}, as locked")
    return splitter


def split(
    source: str | Document, by: str = "boundary", *, use_cache: bool = True, **settings: Any
) -> list[Chunk]:
    """Cut a text or document in one call; `by` and the settings choose the splitter.

    A text cut before with the same settings is answered from memory (`cleanbreak.core.cache`).

    >>> [chunk.text for chunk in split("One. Two.", chunk_size=5)]
    ['One.', ' Two.']
    """
    splitter = make_splitter(by, **settings)
    if use_cache:
        return SHARED.chunks(splitter.recipe, as_document(source), splitter.stream)
    return list(splitter.stream(source))
