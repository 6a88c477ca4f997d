"""Splitters and their settings, as requests name them."""

from importlib.util import find_spec
from inspect import signature
from typing import Any

import msgspec

from cleanbreak.core.checks import one_of
from cleanbreak.core.measures.measure import Measure, as_measure
from cleanbreak.core.splitters import SPLITTERS, build_splitter, settings_of
from cleanbreak.core.splitters.base import FrozenSplitter
from cleanbreak.errors import SettingsError

_MEASURES = ("characters", "words")
_TIKTOKEN = "tiktoken:"
_ENCODINGS = ("tiktoken:o200k_base", "tiktoken:cl100k_base")


class SettingRecord(msgspec.Struct):
    """A setting of a splitter."""

    name: str
    default: Any


class SplitterRecord(msgspec.Struct):
    """A splitter and what can be set."""

    by: str
    settings: list[SettingRecord]


def splitters() -> list[SplitterRecord]:
    """All splitters with their settings."""
    return [SplitterRecord(by, _settings(by)) for by in SPLITTERS]


def new_splitter(by: str, settings: dict[str, Any]) -> FrozenSplitter:
    """The splitter that a request asks for.

    Raises:
        SettingsError: for a setting that is refused, and for a measure that is a path: no request
            names files of this machine.
    """
    one_of("by", by, SPLITTERS)
    if "measure" in settings:
        _check_measure(settings["measure"])
    return build_splitter(by, settings)


def new_measure(name: str) -> Measure:
    """The measure that a request asks for.

    Raises:
        SettingsError: for another one than those of `measures`.
        DependencyMissingError, MeasureError: if it cannot be loaded.
    """
    _check_measure(name)
    return as_measure(name)


def measures() -> list[str]:
    """The measures that can be asked for by name."""
    is_there = any(find_spec(library) for library in ("tiktoken", "bpe_openai"))
    return [*_MEASURES, *(_ENCODINGS if is_there else ())]


def _check_measure(measure: object) -> None:
    is_named = isinstance(measure, str) and not measure.endswith(".json")
    if not is_named or not (measure in _MEASURES or str(measure).startswith(_TIKTOKEN)):
        raise SettingsError("measure", measure, '"characters", "words" or "tiktoken:NAME"')


def _settings(by: str) -> list[SettingRecord]:
    parameters = signature(SPLITTERS[by]).parameters
    return [SettingRecord(name, parameters[name].default) for name in settings_of(by)]
