"""Measures: how long a text is, in the unit that a limit is given in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

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

    count: Callable[[str], int]
    name: str | None = None
    adds_up: AddsUp | None = None

    def __call__(self, text: str, /) -> int:
        """The function's count of `text`.

        Raises:
            MeasureError: if the function fails or gives what cannot be a count.
        """
        count: object = self._ask(text)
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise MeasureError(
                f"The measure gave {type(count).__name__} instead of a whole number from 0 up; "
                "check the function that counts.",
                length=len(text),
            )
        return count

    def _ask(self, text: str) -> object:
        try:
            return self.count(text)
        except CleanbreakError:
            raise
        except Exception as error:  # noqa: BLE001 (it is a stranger's code; it ends as one MeasureError)
            kind = type(error).__name__
            raise MeasureError(
                f"The function that counts failed with {kind} on a text of {len(text)} characters.",
                kind=kind,
                length=len(text),
            ) from None


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

Loader = Callable[[Any], Measure | None]
_loaders: list[Loader] = []


def register_loader(loader: Loader) -> None:
    """Let an outer ring turn specifications it knows (a name, a path, an object) into measures.

    The core may not open files or import tokenizers, yet splitters accept
    ``"tiktoken:cl100k_base"``. A loader gives ``None`` for what it does not know.
    """
    _loaders.append(loader)


def as_measure(spec: object) -> Measure:
    """The measure that `spec` names or is.

    `spec` is ``"characters"``, ``"words"``, a measure, whatever a registered loader knows, or any
    callable from a string to a whole number.

    Raises:
        SettingsError: if it is none of these.
    """
    if isinstance(spec, str) and spec in _BUILT_IN:
        return _BUILT_IN[spec]
    if isinstance(spec, FunctionMeasure):
        return spec
    for loader in _loaders:
        if (measure := loader(spec)) is not None:
            return measure
    if isinstance(spec, Measure):
        return spec
    if callable(spec):
        return FunctionMeasure(spec)
    raise SettingsError(
        "measure",
        spec,
        '"characters", "words", "tiktoken:NAME", a tokenizer, a path to a tokenizer.json, '
        "or a function from a string to a number",
    )
