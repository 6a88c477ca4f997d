"""Keys in the system's own store, by the references that key files hold: ``keyring:SERVICE/USER``."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cleanbreak.errors import DependencyMissingError, KeyInvalidError

SERVICE = "cleanbreak"
"""The service under which `write_entry` keeps keys."""


def read_entry(place: str, file_name: str) -> str:
    """The key of an entry, ``SERVICE/USER``.

    Raises:
        KeyInvalidError: if there is no such entry, or the keyring refuses.
        DependencyMissingError: if the library is not installed.
    """
    service, _, user = place.partition("/")
    with _keyring(file_name) as keyring:
        key: str | None = keyring.get_password(service, user)
    if not key:
        raise _refused(file_name, "the keyring has no such entry")
    return key


def write_entry(user: str, key: str, file_name: str) -> str:
    """Keep a key, and return the reference for its file. Raises: as `read_entry`."""
    with _keyring(file_name) as keyring:
        keyring.set_password(SERVICE, user, key)
    return f"keyring:{SERVICE}/{user}"


def delete_entry(reference: str, file_name: str) -> None:
    """Remove the entry of a reference, if it is one of ours. Raises: as `read_entry`."""
    service, _, user = reference.removeprefix("keyring:").partition("/")
    if not reference.startswith("keyring:") or service != SERVICE:
        return
    with _keyring(file_name) as keyring:
        if keyring.get_password(service, user) is not None:
            keyring.delete_password(service, user)


@contextmanager
def _keyring(file_name: str) -> Iterator[Any]:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise DependencyMissingError(
            "Keys in the system's keyring need one more package: pip install 'cleanbreak[keyring]'",
            package="keyring",
            extra="keyring",
        ) from None
    try:
        yield keyring
    except KeyringError as error:
        raise _refused(file_name, f"the keyring refused ({type(error).__name__})") from None


def _refused(file_name: str, rule: str) -> KeyInvalidError:
    return KeyInvalidError(
        f"The key file {file_name!r} is not valid: {rule}.", name=file_name, rule=rule
    )
