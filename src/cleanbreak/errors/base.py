"""The root of the tree, and the errors that belong to no one part."""

from collections.abc import Iterable
from typing import Any, ClassVar


class CleanbreakError(Exception):
    """The root of the tree: a sentence for a person, a ``code`` and ``details`` for a program."""

    code: ClassVar[str] = "CLEANBREAK_ERROR"

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details: dict[str, Any] = details

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # Worker processes send errors home by pickle, which otherwise drops keyword arguments.
        return (_rebuild, (type(self), self.message, self.details))

    def as_dict(self) -> dict[str, Any]:
        """The error as plain data, as ``--json`` prints it."""
        return {"code": self.code, "message": self.message, "details": self.details}


def _rebuild(cls: type[CleanbreakError], message: str, details: dict[str, Any]) -> CleanbreakError:
    error = cls.__new__(cls)
    CleanbreakError.__init__(error, message, **details)
    return error


class SettingsError(CleanbreakError, ValueError):
    """A setting is refused; raised when the splitter, world or vault is set up, never midway.

    ``details`` has ``field``, the setting's name in Python; ``value``, as shown to a person; and
    ``rule``, what is allowed, in words. Where the rule is a list of names, ``allowed`` has them, and
    ``suggestion`` the one that was probably meant. The sentence is made of these, unless the caller
    gives a better one.

    >>> print(SettingsError("chunk_size", 0, "a whole number from 1 up"))
    chunk_size is 0, but it must be a whole number from 1 up.
    >>> print(SettingsError("max_tokens", None, "a whole number from 1 up"))
    Give max_tokens: a whole number from 1 up.
    """

    code = "SETTINGS_INVALID"

    def __init__(
        self,
        field: str,
        value: object,
        rule: str,
        *,
        sentence: str | None = None,
        allowed: Iterable[str] = (),
        suggestion: str | None = None,
    ) -> None:
        details: dict[str, Any] = {"field": field, "value": _shown(value), "rule": rule}
        if names := tuple(allowed):
            details["allowed"] = names
        if suggestion is not None:
            details["suggestion"] = suggestion
        super().__init__(_sentence(details, value, sentence), **details)


def _sentence(details: dict[str, Any], value: object, sentence: str | None) -> str:
    field, rule = details["field"], details["rule"]
    if sentence is None and value is None:
        sentence = f"Give {field}: {rule}."
    elif sentence is None:
        sentence = f"{field} is {details['value']}, but it must be {rule}."
    suggestion = details.get("suggestion")
    return sentence if suggestion is None else f"{sentence} Did you mean {suggestion}?"


def _shown(value: object) -> str:
    """A value as a message may show it: short, and never the text of a source."""
    if isinstance(value, type):
        return f"of type {value.__name__}"
    if isinstance(value, str):
        if len(value) > 40:
            return f"a string of {len(value)} characters"
        # Not repr where it can be helped, which doubles the backslashes of Windows.
        return f"'{value}'" if value.isprintable() else repr(value)
    shown = repr(value)
    return shown if len(shown) <= 60 else f"of type {type(value).__name__}"


class DependencyMissingError(CleanbreakError):
    """An optional dependency is not installed. ``details`` has ``package`` and ``extra``."""

    code = "DEPENDENCY_MISSING"


class RunInterruptedError(CleanbreakError):
    """A run stopped on request; it can be resumed."""

    code = "RUN_INTERRUPTED"


class WorkerDiedError(CleanbreakError):
    """A worker process ended before it answered, or could not be started.

    ``details`` has ``status``, as the system gave it; it is ``None`` if no process was started.
    """

    code = "WORKER_DIED"
