"""Own readers: functions that users register for the files of a suffix."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath

from cleanbreak.core.document import Document, Source
from cleanbreak.errors import CleanbreakError, SettingsError, SourceMalformedError
from cleanbreak.readers.file import SourceFile, empty

Reader = Callable[[bytes, str], Document | str]
"""Takes the bytes and the name of a file, and gives its text or a whole document."""

_SUFFIX = re.compile(r"\.[^\s./\\]{1,20}")
_readers: dict[str, Reader] = {}


def register_reader(suffix: str, reader: Reader | None) -> None:
    r"""Let `cleanbreak.read` read the files of a suffix with a function of yours.

    It is asked before the readers of cleanbreak, for this suffix only, in the process that registered
    it: `split_many` reads such files there, and its workers cut them. It runs without limits of time
    and memory.
    What it raises becomes `SourceMalformedError`, with the name of the exception's type and without
    its text.

    Args:
        suffix: with its dot, such as ``".xyz"``; case makes no difference.
        reader: takes the bytes and the name of a file, and gives its text, or a `Document` with
            sections. ``None`` takes the reader of this suffix away.

    Raises:
        SettingsError: if `suffix` is no suffix, or `reader` cannot be called.

    >>> import cleanbreak as cb
    >>> cb.register_reader(".shout", lambda data, name: data.decode().upper())
    >>> cb.read(b"the lamp", name="lamp.shout").text
    'THE LAMP'
    >>> cb.register_reader(".shout", None)
    """
    if not _SUFFIX.fullmatch(str(suffix)):
        raise SettingsError("suffix", suffix, "a suffix with its dot, such as '.xyz'")
    if reader is None:
        _readers.pop(suffix.lower(), None)
    elif callable(reader):
        _readers[suffix.lower()] = reader
    else:
        raise SettingsError(
            "reader", type(reader), "a function of the bytes and the name of a file"
        )


def has_own_reader(path: str | os.PathLike[str]) -> bool:
    """Whether a function is registered for the suffix of this file."""
    return own_reader(PurePath(path).suffix) is not None


def own_reader(suffix: str) -> Reader | None:
    """The function registered for `suffix`."""
    return _readers.get(suffix.lower())


def read_own(file: SourceFile, reader: Reader) -> Document:
    """The document that the function of a user makes of a file.

    Raises:
        SourceMalformedError: if it fails, or gives neither a string nor a `Document`.
        SourceEmptyError: if there is no text.
    """
    try:
        made = reader(file.data, file.name)
    except CleanbreakError:
        raise
    except Exception as error:  # noqa: BLE001 (foreign code; its message may quote the source)
        raise _failed(file.name, f"it raised {type(error).__name__}") from None
    if isinstance(made, str):
        made = Document(made)
    if not isinstance(made, Document):
        raise _failed(file.name, f"it gave {type(made).__name__}, not a string or a Document")
    if not made.text or made.text.isspace():
        raise empty(file.name)
    if made.source is not None:
        return made
    media_type = "application/octet-stream"
    source = Source(file.name, media_type, file.sha256, size=len(file.data))
    return replace(made, source=source)


def _failed(name: str, how: str) -> SourceMalformedError:
    return SourceMalformedError(
        f"{name!r} could not be read by the reader registered for its suffix: {how}.", name=name
    )
