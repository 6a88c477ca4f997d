"""Checks of settings, made when a splitter is built so that nothing can be refused midway."""

from typing import TypeGuard

from cleanbreak.errors import SettingsError

MAX_SIZE = 1_000_000_000
"""The largest size any setting may name: far over any book, and safe to add to any offset."""


def whole_number(field: str, value: object, *, minimum: int, maximum: int = MAX_SIZE) -> int:
    """Return `value` if it is a whole number between the bounds, both included.

    A bool is refused although Python counts it as a whole number, as is a float that happens to
    be whole: either is more likely a slip than a wish.

    Raises:
        SettingsError: naming the field, the value and the rule.
    """
    if not _is_int(value) or not minimum <= value <= maximum:
        raise SettingsError(field, value, f"a whole number from {minimum} to {maximum}")
    return value


def string(field: str, value: object) -> str:
    """Return `value` if it is a string, else raise `SettingsError`, which names its type only."""
    if not isinstance(value, str):
        raise SettingsError(field, type(value), "a string")
    return value


def one_of(field: str, value: object, allowed: tuple[str, ...]) -> str:
    """Return `value` if it is one of the words allowed, else raise `SettingsError`."""
    if not isinstance(value, str) or value not in allowed:
        raise SettingsError(field, value, "one of " + ", ".join(map(repr, allowed)))
    return value


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
