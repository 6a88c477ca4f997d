"""Measures: how long a text is, in the unit that a limit is given in."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from operator import index
from typing import Any, Protocol, runtime_checkable

from cleanbreak.core.checks import closest
from cleanbreak.errors import CleanbreakError, MeasureError, SettingsError

AddsUp = Callable[[str, int], bool]
"""(text, cut): whether, for all text around, the counts before and after the cut add up."""


@runtime_checkable
class Measure(Protocol):
    """Counts a text. ``name`` identifies the measure across processes, ``None`` if it cannot."""

    @property
    def name(self) -> str | None:
        """The identity stored in recipes, such as ``characters`` or ``tiktoken:cl100k_base``."""

    def __call__(self, text: str, /) -> int:
        """The length of `text` alone, at least 0."""


@dataclass(frozen=True, slots=True)
class FunctionMeasure:
    """A measure made of a function and, where it has one, a name."""

    count: Callable[[str], int] = field(repr=False)
    name: str | None = None
    adds_up: AddsUp | None = field(default=None, repr=False)

    def __call__(self, text: str, /) -> int:
        """The function's count of `text`.

        Raises:
            MeasureError: if the function fails or gives what cannot be a count.
        """
        given: Any = self._ask(text)
        try:
            # What has ``__index__`` is a whole number, such as an integer of NumPy.
            count = -1 if isinstance(given, bool) else index(given)
        except TypeError:
            count = -1
        if count < 0:
            raise MeasureError(
                f"The measure gave {type(given).__name__} instead of a whole number from 0 up; "
                "check the function that counts.",
                length=len(text),
            )
        return count

    def _ask(self, text: str) -> object:
        try:
            return self.count(text)
        except CleanbreakError:
            raise
        except Exception as error:  # noqa: BLE001 (foreign code; it ends as one MeasureError)
            kind = type(error).__name__
            raise MeasureError(
                f"The function that counts failed with {kind} on a text of {len(text)} characters.",
                kind=kind,
                length=len(text),
            ) from None

    def __reduce__(self) -> tuple[Any, ...]:
        # Who asks "is it CHARACTERS?" must get the same answer in a worker: there is one of each.
        if _BUILT_IN.get(self.name) is self:
            return (as_measure, (self.name,))
        return (FunctionMeasure, (self.count, self.name, self.adds_up))


def where_counts_add_up(measure: Measure) -> AddsUp | None:
    """What a measure says of itself in ``adds_up``; ``None`` if it says nothing."""
    adds_up: AddsUp | None = getattr(measure, "adds_up", None)
    return adds_up


def counts_characters(measure: Measure) -> bool:
    """Whether a measure is `len`, so that nothing has to be counted.

    Asked by what it does and not by which object it is: in a worker process it is another one.
    """
    return isinstance(measure, FunctionMeasure) and measure.count is len


def _everywhere(_text: str, _cut: int) -> bool:
    return True


def _at_white_space(text: str, cut: int) -> bool:
    return text[cut - 1].isspace() or text[cut].isspace()


def _count_words(text: str) -> int:
    return len(text.split())


CHARACTERS = FunctionMeasure(len, "characters", _everywhere)
"""Code points."""

WORDS = FunctionMeasure(_count_words, "words", _at_white_space)
"""Runs of characters that are not white space."""

_BUILT_IN = {measure.name: measure for measure in (CHARACTERS, WORDS)}

_ABSOLUTE_PATH = re.compile(r"[/~\\]|[A-Za-z]:[/\\]")

Loader = Callable[[Any], Measure | None]
"""Turns a specification it knows (a name, a path, an object) into a measure, others into ``None``."""


def load_tokenizer(spec: Any) -> Measure | None:
    """The default loader: the measure of a tokenizer, by `cleanbreak.tokenizers`.

    The one place where the core names an outer ring. A splitter takes ``"tiktoken:cl100k_base"``
    although the core may import no tokenizer, so the ring is looked up by its name, and only when a
    specification is not one of the core's own. Nothing has to be imported or registered first.
    """
    loader = import_module("cleanbreak.tokenizers.load")
    measure: Measure | None = loader.load_measure(spec)
    return measure


def as_measure(spec: object, loaders: Iterable[Loader] = (load_tokenizer,)) -> Measure:
    """The measure that `spec` names or is.

    `spec` is ``"characters"``, ``"words"``, a measure, something that one of the `loaders` knows, or
    any callable from a string to a whole number.

    Raises:
        SettingsError: if it is none of these.
    """
    if isinstance(spec, str) and spec in _BUILT_IN:
        return _BUILT_IN[spec]
    if isinstance(spec, FunctionMeasure):
        return spec
    for loader in loaders:
        if (measure := loader(spec)) is not None:
            return measure
    if isinstance(spec, Measure):
        return spec
    if callable(spec):
        return FunctionMeasure(spec)
    raise SettingsError(
        "measure",
        _without_folder(spec),
        '"characters", "words", "tiktoken:NAME", a tokenizer, a path to a tokenizer.json, '
        "or a function from a string to a number",
        suggestion=closest(spec, ("characters", "words")),
    )


def _without_folder(spec: object) -> object:
    """A misspelt path without its folder, which no message may show."""
    if isinstance(spec, str) and _ABSOLUTE_PATH.match(spec):
        return spec.replace("\\", "/").rpartition("/")[2]
    return spec
