"""Wait for changes of the files of a vault."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cleanbreak.errors import DependencyMissingError
from cleanbreak.vaults.globs import Globs

# How often a quiet watch looks whether its folder is still the one it watches.
_LOOKS_EVERY_MS = 2_000

# How long to wait for a folder that is gone, or that cannot be watched just now.
_WAITS_SECONDS = 1.0


def changes(folder: Path, left_out: Globs) -> Iterator[None]:
    """Yield after each group of changes, without end.

    Files that are left out of the vault, such as the index itself, do not count. A folder that is
    gone, as a disk that is not mounted, is waited for; when it is back, that is a change. Where the
    system can watch no more files, they are polled.

    Raises:
        DependencyMissingError: without the extra ``watch``.
    """
    try:
        from watchfiles import watch
    except ImportError:
        raise DependencyMissingError(
            "Watching a vault needs the watchfiles package: pip install 'cleanbreak[watch]'.",
            package="watchfiles",
            extra="watch",
        ) from None

    polls = False
    while True:
        root = folder.resolve()
        try:
            yield from _while_there(watch, root, left_out, polls=polls)
        except OSError:
            # Gone while it was opened, or over the limit of watched files of this system.
            polls = _identity(root) is not None
        while _identity(root) is None:
            time.sleep(_WAITS_SECONDS)
        time.sleep(_WAITS_SECONDS if polls else 0)
        yield


def _while_there(watch: Any, root: Path, left_out: Globs, *, polls: bool) -> Iterator[None]:
    """Yield after each group of changes, until the folder is gone or another one is in its place."""

    def counts(_: object, path: str) -> bool:
        return not is_left_out(root, path, left_out)

    watched = _identity(root)
    for changed in watch(
        root,
        watch_filter=counts,
        raise_interrupt=True,
        rust_timeout=_LOOKS_EVERY_MS,
        yield_on_timeout=True,
        force_polling=polls or None,
        ignore_permission_denied=True,
    ):
        if watched is None or _identity(root) != watched:
            return
        if changed:
            yield


def _identity(root: Path) -> tuple[int, int] | None:
    """Which folder lies at the path; ``None`` if there is none or it may not be looked at."""
    try:
        status = os.stat(root)  # noqa: PTH116 (as in the scan)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def is_left_out(root: Path, path: str, left_out: Globs) -> bool:
    """Whether a path or one of its folders is left out of the vault."""
    try:
        parts = Path(path).relative_to(root).parts
    except ValueError:
        return False  # reached through a symbolic link
    folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return left_out.match("/".join(parts)) or any(
        left_out.match(folder, folder=True) for folder in folders
    )
