"""Checks of settings, made when a splitter is built so that nothing can be refused midway."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from operator import index
from typing import Any, TypeVar

from cleanbreak.errors import SettingsError

F = TypeVar("F", bound=Callable[..., Any])

MAX_SIZE = 1_000_000_000
"""The largest size any setting may name: far over any book, and safe to add to any offset."""

# How alike two names must be for one to be a misspelling of the other (`difflib`'s ratio):
# "overlap_percent" and "overlap_size" have 0.67, "max_tokens" and "max_sentences" 0.61.
_ALIKE = 0.65


def whole_number(field: str, value: object, *, minimum: int, maximum: int = MAX_SIZE) -> int:
    """Return `value` as an ``int`` if it is a whole number between the bounds, both included.

    What counts as one has ``__index__``, so that the integers of NumPy are taken. A bool is refused
    although Python counts it as a whole number, as is a float that happens to be whole: either is
    more likely a slip than a wish.

    Raises:
        SettingsError: naming the field, the value and the rule.
    """
    number = _whole(value)
    if number is None or not minimum <= number <= maximum:
        raise SettingsError(field, value, f"a whole number from {minimum:,} to {maximum:,}")
    return number


def string(field: str, value: object) -> str:
    """Return `value` if it is a string, else raise `SettingsError`, which names its type only."""
    if not isinstance(value, str):
        raise SettingsError(field, type(value), "a string")
    return value


def one_of(field: str, value: object, allowed: Iterable[str]) -> str:
    """Return `value` if it is one of the words allowed, else raise `SettingsError`."""
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        raise SettingsError(
            field,
            value,
            "one of " + ", ".join(map(repr, words)),
            allowed=words,
            suggestion=closest(value, words),
        )
    return value


def yes_or_no(field: str, value: object) -> bool:
    """Return `value` if it is ``True`` or ``False``, else raise `SettingsError`."""
    if not isinstance(value, bool):
        raise SettingsError(field, value, "True or False")
    return value


def function_or_none(field: str, value: F | None, rule: str) -> F | None:
    """Return `value` if it can be called or is ``None``, else raise `SettingsError` with `rule`."""
    if value is not None and not callable(value):
        raise SettingsError(field, value, rule)
    return value


def known_setting(owner: str, name: str, value: object, known: Iterable[str]) -> None:
    """Refuse a setting that `owner`, such as "the boundary splitter", does not have.

    Raises:
        SettingsError: with the settings that it has, and the one that was probably meant.
    """
    names = tuple(known)
    if name not in names:
        listed = ", ".join(names)
        raise SettingsError(
            name,
            value,
            f"one of the settings {listed}",
            sentence=f"{owner[0].upper()}{owner[1:]} has no setting {name}; it has {listed}.",
            allowed=names,
            suggestion=closest(name, names),
        )


def closest(value: object, allowed: Iterable[str]) -> str | None:
    """The name that `value` is probably a misspelling of; ``None`` if it is like none of them."""
    if not isinstance(value, str):
        return None
    found = get_close_matches(value, list(allowed), n=1, cutoff=_ALIKE)
    return found[0] if found else None


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except TypeError:
        return None
