"""From the options that were given to a splitter."""

from collections.abc import Iterable
from inspect import signature
from typing import Any

from cleanbreak.core.checks import one_of
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import SPLITTERS, Splitter, build_splitter
from cleanbreak.errors import SettingsError

DEFAULT_SPLITTER = "boundary"

# The options that a splitter cannot do without: one of each group.
_NEEDED = {
    "sentences": (("max_sentences", "max_tokens"),),
    "tokens": (("max_tokens",), ("measure",)),
}


def options_error(field: str, sentence: str) -> SettingsError:
    """The error for options that do not go together: `sentence` names them as they are typed."""
    error = SettingsError(field, None, sentence)
    error.message = sentence
    return error


def new_splitter(given: dict[str, Any]) -> Splitter:
    """The splitter that the options describe; the others have the splitter's defaults.

    Raises:
        SettingsError: for options that do not go together, or a value that is refused.
    """
    by = one_of("by", given.get("by", DEFAULT_SPLITTER), tuple(SPLITTERS))
    return _make(by, _settings(by, given))


def changed_splitter(current: Recipe | None, given: dict[str, Any]) -> Splitter | None:
    """The splitter of a world, with the options given in place of its own settings.

    ``None`` if none is given: then the world's own settings hold. Another splitter than the
    world's starts from its defaults.

    Raises:
        SettingsError: for options that do not go together, or a value that is refused.
    """
    if not given:
        return None
    if current is None or given.get("by", current.splitter) != current.splitter:
        return new_splitter(given)
    kept = dict(current.settings)
    if "measure" in parameters(current.splitter):
        kept["measure"] = current.measure
    return _make(current.splitter, {**kept, **_settings(current.splitter, given)})


def parameters(by: str) -> dict[str, Any]:
    """The options that apply to a splitter, and their defaults."""
    return {"by": DEFAULT_SPLITTER} | {
        "overlap" if name == overlap_name(by) else name: parameter.default
        for name, parameter in signature(SPLITTERS[by]).parameters.items()
    }


def overlap_name(by: str) -> str:
    """What a splitter calls the value of ``--overlap``: the name says the unit."""
    return {"sentences": "overlap_percent", "tokens": "overlap_tokens"}.get(by, "overlap_size")


def splitters_with(option: str) -> tuple[str, ...]:
    """The splitters that an option applies to."""
    return tuple(by for by in SPLITTERS if option in parameters(by))


def listed(words: Iterable[str]) -> str:
    """The words as a sentence lists alternatives: ``a, b or c``."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _settings(by: str, given: dict[str, Any]) -> dict[str, Any]:
    """The options as settings of the splitter."""
    for name in given:
        if name not in parameters(by):
            raise options_error(name, f"{_typed(name)} needs --by {listed(splitters_with(name))}.")
    settings = {
        overlap_name(by) if name == "overlap" else name: value
        for name, value in given.items()
        if name != "by"
    }
    if "separators" in settings:
        settings["separators"] = [unescaped(typed) for typed in settings["separators"]]
    return settings


def unescaped(typed: str) -> str:
    r"""What was typed, with ``\n``, ``\r`` and ``\t`` as the characters that they stand for."""
    return typed.replace(r"\n", "\n").replace(r"\r", "\r").replace(r"\t", "\t")


def _make(by: str, settings: dict[str, Any]) -> Splitter:
    missing = [group for group in _NEEDED.get(by, ()) if not settings.keys() & set(group)]
    if missing:
        needed = " and ".join(" or ".join(map(_typed, group)) for group in missing)
        raise options_error(missing[0][0], f"--by {by} needs {needed}.")
    return build_splitter(by, settings)


def _typed(option: str) -> str:
    once = {"separators": "separator", "abbreviations": "abbreviation"}
    return "--" + once.get(option, option).replace("_", "-")
