"""Uploads: files that were dropped, kept in a folder until they are part of a world."""

import re
import secrets
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from cleanbreak.errors import NotHeldError, RequestError, WriteFailedError

_LONGEST_NAME = 200
_NOT_IN_NAMES = re.compile(r'[<>:"|?*\x00-\x1f\x7f]')


class Uploads:
    """Files by id, each in a folder of its own, so that it keeps its name."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._paths: dict[str, Path] = {}
        self._lock = Lock()

    def add(self, name: str, data: bytes) -> tuple[str, str]:
        """Store a file; its id, and its name as it is stored.

        Raises:
            RequestError: for a name that is none.
            WriteFailedError: if there is no room.
        """
        safe = file_name(name)
        upload_id = secrets.token_hex(8)
        with self._lock:
            if self._folder is None:
                self._folder = TemporaryDirectory(prefix="cleanbreak-", ignore_cleanup_errors=True)
            path = Path(self._folder.name) / upload_id / safe
        try:
            path.parent.mkdir()
            path.write_bytes(data)
        except OSError:
            raise WriteFailedError("The upload cannot be stored; is the disk full?") from None
        self._paths[upload_id] = path
        return upload_id, safe

    def path(self, upload_id: str) -> Path:
        """Where an upload lies.

        Raises:
            NotHeldError: if there is none with this id.
        """
        if upload_id not in self._paths:
            raise NotHeldError("This upload is not held any more; send the file again.")
        return self._paths[upload_id]

    def discard(self, upload_id: str) -> None:
        """Delete an upload."""
        path = self._paths.pop(upload_id, None)
        if path is not None:
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Delete them all."""
        if self._folder is not None:
            self._folder.cleanup()


def file_name(given: str) -> str:
    r"""The last part of a name that a browser sent, without characters that no system allows.

    Raises:
        RequestError: if nothing is left.

    >>> file_name("C:\\books\\emma.txt"), file_name("../../etc/passwd")
    ('emma.txt', 'passwd')
    """
    last = _NOT_IN_NAMES.sub("_", re.split(r"[/\\]", given)[-1]).strip(" .")
    if not last:
        raise RequestError("Give the name of the file.", field="name")
    return last[-_LONGEST_NAME:]
