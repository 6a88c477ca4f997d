"""The splitters, by the name that recipes and ``--by`` use."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Literal, Unpack, overload

from cleanbreak.core.checks import known_setting, one_of
from cleanbreak.core.recipe import Recipe, check_lockable
from cleanbreak.core.splitters.base import FrozenSplitter, Splitter
from cleanbreak.core.splitters.boundary import BoundarySplitter
from cleanbreak.core.splitters.code import CodeSplitter
from cleanbreak.core.splitters.markdown import MarkdownSplitter
from cleanbreak.core.splitters.sentence import SentenceSplitter
from cleanbreak.core.splitters.settings import (
    BoundarySettings,
    CodeSettings,
    MarkdownSettings,
    SentenceSettings,
    TokenSettings,
)
from cleanbreak.core.splitters.tokens import TokenSplitter
from cleanbreak.errors import SettingsError

SPLITTERS: Mapping[str, type[FrozenSplitter]] = MappingProxyType(
    {
        splitter.NAME: splitter
        for splitter in (
            BoundarySplitter,
            CodeSplitter,
            MarkdownSplitter,
            SentenceSplitter,
            TokenSplitter,
        )
    }
)


def settings_of(by: str) -> tuple[str, ...]:
    """The names of the settings that the splitter named `by` takes, in their order.

    A caller's own functions (``find_split_point``, ``segmenter``) are not among them.

    Raises:
        SettingsError: for an unknown name.

    >>> settings_of("boundary")
    ('chunk_size', 'max_lookback', 'overlap_size', 'soft_wraps', 'separators', 'cross_chapters')
    """
    splitter = SPLITTERS[one_of("by", by, SPLITTERS)]
    return tuple(f.name for f in fields(splitter) if f.name not in splitter.FUNCTIONS)


@overload
def make_splitter(
    by: Literal["boundary"] = "boundary", **settings: Unpack[BoundarySettings]
) -> BoundarySplitter: ...
@overload
def make_splitter(by: Literal["code"], **settings: Unpack[CodeSettings]) -> CodeSplitter: ...
@overload
def make_splitter(
    by: Literal["markdown"], **settings: Unpack[MarkdownSettings]
) -> MarkdownSplitter: ...
@overload
def make_splitter(
    by: Literal["sentences"], **settings: Unpack[SentenceSettings]
) -> SentenceSplitter: ...
@overload
def make_splitter(by: Literal["tokens"], **settings: Unpack[TokenSettings]) -> TokenSplitter: ...
def make_splitter(by: str = "boundary", **settings: Any) -> FrozenSplitter:
    """The splitter named `by`, built with its own settings.

    A type checker knows the settings of each; where the name is not known before the program runs,
    use a splitter's class, or `build_splitter`.

    Raises:
        SettingsError: for an unknown name, or a setting that the splitter does not have or refuses.

    >>> make_splitter("tokens", max_tokens=4, measure="words").split("One two. Three four five.")[0].text
    'One two.'
    """
    return build_splitter(by, settings)


def build_splitter(by: str, settings: Mapping[str, Any]) -> FrozenSplitter:
    """`make_splitter` for a name and settings that come from a file or a command line.

    Raises:
        SettingsError: as `make_splitter` does.
    """
    known = settings_of(by)
    functions = SPLITTERS[by].FUNCTIONS
    for name, value in settings.items():
        if name not in functions:
            known_setting(f"the {by} splitter", name, value, known)
    build: Callable[..., FrozenSplitter] = SPLITTERS[by]
    return build(**settings)


def splitter_for(recipe: Recipe, measure: object = None) -> Splitter:
    """The splitter that a recipe describes, for a world that locked it.

    A measure with a public name is built from that name. A tokenizer of one's own is not in the
    recipe, only its digest is: it must be given again as `measure`, and another one is refused.

    Raises:
        SettingsError: if the recipe cannot be locked; if this version of cleanbreak has no such
            splitter, or cuts differently; or if the measure is not the recipe's.
    """
    check_lockable(recipe)
    settings: dict[str, object] = dict(recipe.settings)
    if "measure" in settings_of(recipe.splitter):
        settings["measure"] = recipe.measure if measure is None else measure
    splitter = build_splitter(recipe.splitter, settings)
    built = splitter.recipe
    if built.version != recipe.version:
        raise SettingsError("splitter_version", recipe.version, f"{built.version} in this release")
    if built.measure != recipe.measure:
        raise SettingsError("measure", built.measure, f"{recipe.measure}, as locked")
    return splitter
